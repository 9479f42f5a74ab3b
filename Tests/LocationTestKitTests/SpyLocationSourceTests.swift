import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A spy of a provider` {
  private let clock = ManualClock()
  private let fix = LocationFix.at(latitude: 47.37, longitude: 8.54)

  @Test func `records the requests and the first close of each connection`() async throws {
    let spy = SpyLocationSource(
      ScriptedLocationSource(clock: clock, scripts: [.event(.fix(fix))], [.stayOpen]))
    var first = spy.connection(for: LocationRequest(desiredAccuracy: 10))
    let second = spy.connection()
    #expect(try await first.next(until: nil) == .event(.fix(fix), at: clock.locationClock.now))
    #expect(try await first.next(until: nil) == .ended)
    await first.close()
    await first.close()
    #expect(
      spy.calls == [
        .connect(LocationRequest(desiredAccuracy: 10)), .connect(LocationRequest()), .close,
      ])
    _ = second
  }

  @Test func `passes on errors, the clock and what the base says of the time`() async {
    let gone = LocationError(.unreachable, "nobody listens")
    let spy = SpyLocationSource(ScriptedLocationSource(clock: clock, scripts: [.fail(gone)]))
    var connection = spy.connection()
    await #expect(throws: gone) { try await connection.next(until: nil) }
    clock.jump(by: .seconds(3))
    #expect(spy.clock.now == clock.locationClock.now)
    #expect(!spy.receiversReportTime)
    #expect(SpyLocationSource(TimedProvider(base: spy)).receiversReportTime)
  }

  @Test func `keeps the contract of a provider`() async {
    let spy = SpyLocationSource(
      ScriptedLocationSource(clock: clock) { [fix] _ in [.event(.fix(fix)), .stayOpen] })
    let found = await clock.whileAdvancing { [fix] in
      await spy.contractViolations(reporting: [.fix(fix)], then: .staysOpen)
    }
    #expect(found == [])
  }

  @Test func `a script may depend on the request`() async throws {
    let source = ScriptedLocationSource(clock: clock) { [fix] request in
      request.minimumMode == .fix3D ? [.wait(.seconds(2)), .event(.fix(fix))] : [.stayOpen]
    }
    async let found = source.currentLocation(LocationRequest(minimumMode: .fix3D), timeout: nil)
    await clock.advance(by: .seconds(2))
    #expect(try await found.coordinate == fix.coordinate)
    var any = source.connection()
    #expect(
      try await any.next(until: clock.locationClock.now) == .timedOut(at: clock.locationClock.now))
  }
}

/// A provider whose receivers report the time.
private struct TimedProvider<Base: LocationProvider>: LocationProvider {
  let base: Base
  var receiversReportTime: Bool { true }
  func connection(for request: LocationRequest) -> Base.Connection {
    base.connection(for: request)
  }
}
