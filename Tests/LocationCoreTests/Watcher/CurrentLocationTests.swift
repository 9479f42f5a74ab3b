import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Current location` {
  private let clock = ManualClock()

  private func source(_ steps: ScriptedLocationSource.Step...) -> ScriptedLocationSource {
    ScriptedLocationSource(clock: clock, scripts: steps)
  }

  @Test func `is the first fix`() async throws {
    let source = source(
      .event(Reports.noFix(0)), .event(Reports.fix(1)), .event(Reports.fix(2)), .end)
    #expect(try await source.currentLocation() == Reports.locationFix(1))
  }

  @Test func `is the first fix that is good enough`() async throws {
    var accurate = Reports.locationFix(3)
    accurate[.eph] = 2
    let source = source(
      .event(Reports.fix(0, .fix2D)), .event(Reports.fix(2)), .event(.fix(accurate)), .end)
    #expect(
      try await source.currentLocation(LocationRequest(minimumMode: .fix3D))
        == Reports.locationFix(2))
    #expect(try await source.currentLocation(LocationRequest(desiredAccuracy: 2)) == accurate)
  }

  @Test func `is the first fix that meets a condition`() async throws {
    let source = source(.event(Reports.fix(1)), .event(Reports.fix(2)))
    #expect(
      try await source.currentLocation { $0.time == Reports.locationFix(2).time }
        == Reports.locationFix(2))
    let error = await #expect(throws: LocationError.self) {
      try await clock.whileAdvancing {
        try await source.currentLocation(timeout: .seconds(3)) { _ in false }
      }
    }
    #expect(error?.description.hasPrefix("no such fix within 3.0 seconds") == true)
    let hub = LocationHub(source)
    #expect(
      try await hub.currentLocation { $0.time == Reports.locationFix(2).time }
        == Reports.locationFix(2))
    hub.stop()
  }

  @Test func `is no fix of a backlog`() async throws {
    let source = source(
      .event(Reports.fix(0, .fix2D)), .wait(.seconds(60)), .event(Reports.fix(1)),
      .event(Reports.fix(60)), .end)
    async let fix = source.currentLocation(LocationRequest(minimumMode: .fix3D), timeout: nil)
    await clock.waitForSleepers()
    clock.jump(by: .seconds(60))
    #expect(try await fix == Reports.locationFix(60))
  }

  @Test(
    arguments: [
      ([], "no answer yet"),
      ([.event(.service(LocationService(name: "gpsd 3.22")))], "gpsd 3.22 answers"),
      ([.event(Reports.receivers())], "there is no receiver"),
      ([.event(Reports.fix(0)), .event(.removed(path: "a"))], "a is gone"),
      (
        [
          .event(.service(LocationService(name: "gpsd 3.22"))), .event(Reports.noFix(0)),
          .event(.sky(SkyView(device: "a", seen: 2, used: 0))), .event(.sky(SkyView(device: "a"))),
        ], "gpsd 3.22 answers, a has no position, 2 satellites seen, 0 used"
      ),
      ([.event(Reports.fix(0, of: nil))], "the receiver has no fix that is good enough"),
    ] as [([ScriptedLocationSource.Step], String)])
  func `times out with what there was instead`(steps: [ScriptedLocationSource.Step], words: String)
    async
  {
    let source = ScriptedLocationSource(clock: clock, scripts: steps)
    async let result = Result.of { () async throws(LocationError) in
      try await source.currentLocation(LocationRequest(desiredAccuracy: 1), timeout: .seconds(3))
    }
    await clock.waitForSleepers()
    clock.jump(by: .seconds(3))
    let error = LocationError(.timedOut, "no fix within 3.0 seconds: \(words)")
    #expect(await result == .failure(error))
  }

  @Test func `fails with its provider, once`() async {
    let source = source(.fail(.gone))
    await #expect(throws: LocationError.gone) { try await source.currentLocation() }
    #expect(source.connectionCount == 1)
  }

  @Test func `can try a provider again`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.fail(.gone)], [.event(Reports.fix(1)), .end])
    let fix = try await source.currentLocation(
      retries: RetryPolicy(delays: [.zero], jitter: 0))
    #expect(fix == Reports.locationFix(1))
  }

  @Test func `a receiver that is refused is an error at once`() async {
    let source = source(.event(.refused(path: "a", reason: "no such device")))
    await #expect(throws: LocationError(.noSuchReceiver, "a: no such device")) {
      try await source.currentLocation()
    }
  }

  @Test func `a provider that ends without a fix is an error`() async {
    let error = LocationError(.disconnected, "the source ended without a fix")
    await #expect(throws: error) {
      try await source(.event(Reports.noFix(0)), .end).currentLocation()
    }
  }

  @Test func `cancelled, it says so`() async {
    let source = source()
    let task = Task {
      await Result.of { () async throws(LocationError) in try await source.currentLocation() }
    }
    await clock.waitForSleepers()
    task.cancel()
    let error = LocationError(.cancelled, "cancelled before there was a fix")
    #expect(await task.value == .failure(error))
  }
}

extension Result {
  fileprivate static func of(_ body: () async throws(Failure) -> Success) async -> Self {
    do throws(Failure) { return .success(try await body()) } catch { return .failure(error) }
  }
}
