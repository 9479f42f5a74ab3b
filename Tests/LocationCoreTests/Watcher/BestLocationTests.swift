import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Best location` {
  private let clock = ManualClock()
  private var elapsed: Double { clock.locationClock.now.uptime.inSeconds }

  private func fix(_ second: Double, _ accuracy: Double?, _ mode: FixMode = .fix3D) -> LocationFix {
    var fix = Reports.locationFix(second, mode)
    fix[.eph] = accuracy
    return fix
  }

  /// A source that stays open after its fixes, which come at their times.
  private func source(
    _ fixes: LocationFix..., then end: ScriptedLocationSource.Step? = nil
  ) -> ScriptedLocationSource {
    var steps: [ScriptedLocationSource.Step] = []
    var last = Reports.time(0)
    for fix in fixes {
      steps += [.wait(last.duration(to: fix.time ?? last)), .event(.fix(fix))]
      last = fix.time ?? last
    }
    return ScriptedLocationSource(clock: clock, scripts: steps + (end.map { [$0] } ?? []))
  }

  private func best(
    of source: ScriptedLocationSource, _ request: LocationRequest = LocationRequest(),
    where condition: (LocationFix) -> Bool = { _ in true }
  ) async throws(LocationError) -> LocationFix {
    try await clock.whileAdvancing { () async throws(LocationError) in
      try await source.bestLocation(request, within: .seconds(10), where: condition)
    }
  }

  @Test func `is the most accurate when the time is over`() async throws {
    let source = source(fix(1, 30), fix(2, 8), fix(3, 12), fix(4, nil), fix(11, 1))
    #expect(try await best(of: source) == fix(2, 8))
    #expect(elapsed == 10)
    #expect(source.calls == [.connect(LocationRequest()), .close])
  }

  @Test func `is the first that is accurate enough, at once`() async throws {
    let source = source(fix(1, 30), fix(2, 8), fix(3, 1))
    let request = LocationRequest(desiredAccuracy: 10)
    #expect(try await best(of: source, request) == fix(2, 8))
    #expect(elapsed == 2)
    // A source may leave out what a request excludes.
    #expect(source.calls == [.connect(LocationRequest()), .close])
  }

  @Test func `is the best of those that are not accurate enough`() async throws {
    let source = source(fix(1, nil), fix(2, 30), fix(3, 20), fix(4, 25))
    #expect(try await best(of: source, LocationRequest(desiredAccuracy: 10)) == fix(3, 20))
    #expect(elapsed == 10)
  }

  @Test func `is the last of equals, known or unknown`() async throws {
    #expect(try await best(of: source(fix(1, 8), fix(2, 8))) == fix(2, 8))
    #expect(try await best(of: source(fix(1, nil), fix(2, nil))) == fix(2, nil))
  }

  @Test func `meets the rest of the request, and the condition`() async throws {
    let source = source(fix(1, 2, .fix2D), fix(2, 30), fix(3, 5))
    let request = LocationRequest(minimumMode: .fix3D, desiredAccuracy: 1)
    let third = Reports.time(3)
    #expect(try await best(of: source, request) { $0.time != third } == fix(2, 30))
    let error = await #expect(throws: LocationError.self) {
      try await best(of: source) { _ in false }
    }
    #expect(error?.code == .timedOut)
    #expect(error?.description.hasPrefix("no such fix within 10.0 seconds") == true)
  }

  @Test func `is what there was when the source fails or ends`() async throws {
    let gone = ScriptedLocationSource.Step.fail(.gone)
    #expect(try await best(of: source(fix(1, 30), fix(2, 40), then: gone)) == fix(1, 30))
    await #expect(throws: LocationError.gone) { try await best(of: source(then: gone)) }
    let ending = ScriptedLocationSource(clock: clock, scripts: [.event(.fix(fix(0, 30))), .end])
    #expect(try await best(of: ending) == fix(0, 30))
  }

  @Test func `is none when the task is cancelled`() async {
    let source = source(fix(0, 30))
    let task = Task { try await source.bestLocation(within: .seconds(10)) }
    await clock.waitForSleepers()
    task.cancel()
    let error = await #expect(throws: LocationError.self) { try await task.value }
    #expect(error?.code == .cancelled)
  }

  @Test func `is found by the connection of a hub`() async throws {
    let source = source(fix(0, 30), fix(2, 8))
    let hub = LocationHub(source)
    let found = try await clock.whileAdvancing {
      try await hub.bestLocation(within: .seconds(10))
    }
    #expect(found == fix(2, 8) && source.connectionCount == 1)
    hub.stop()
  }
}
