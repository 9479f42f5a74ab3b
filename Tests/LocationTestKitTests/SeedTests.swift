import LocationTestKit
import Testing
import VirtualTimeTesting

/// What iOS developers know of Core Location, and what their articles on testing it ask for: a test
/// for each. That the real thing is the default argument is tested with LibGPS.
@MainActor
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `What is asked of a testable location library`
{
  private let clock = ManualClock()

  private func source(_ steps: ScriptedLocationSource.Step...) -> ScriptedLocationSource {
    ScriptedLocationSource(clock: clock, scripts: steps)
  }

  private func poll(
    _ connection: inout some LocationConnection
  ) throws(LocationError) -> Polled<[TimedEvent]> {
    try connection.poll(at: clock.locationClock.now)
  }

  @Test func `a coordinator calls onUpdate and onFailure`() async {
    let coordinator = LocationCoordinator(source(.event(.fix(Places.sydney)), .fail(Places.gone)))
    let heard = Collector<String>()
    coordinator.onUpdate = { heard.add("at \($0.coordinate.latitude)") }
    coordinator.onFailure = { heard.add("\($0)") }
    coordinator.start()
    #expect(await heard.next(2) == ["at -33.85", "the connection ended"])
    coordinator.stop()
  }

  @Test func `a state is searching, found, lost or an error`() async throws {
    let source = source(
      .event(.noFix(NoFix())), .event(.fix(Places.sydney)), .event(.noFix(NoFix())),
      .fail(Places.gone))
    var told: [LocationState] = []
    await #expect(throws: Places.gone) {
      for try await update in source.updates(retries: .never) {
        if case .state(let change) = update { told.append(change.state) }
      }
    }
    #expect(told == [.connecting, .searching, .fix3D, .lost, .noService])
  }

  @Test func `forceLocation and forceError are heard at once`() async throws {
    let source = source()
    var connection = source.connection()
    source.forceLocation(Places.sydney)
    source.forceError(Places.gone)
    let now = clock.locationClock.now
    #expect(try poll(&connection) == .event(.fix(Places.sydney), at: now))
    #expect(throws: Places.gone) { try poll(&connection) }
  }

  @Test func `forceRandomDelayedLocations comes late, and the same for a seed`() async throws {
    let (source, again) = (source(), source())
    let center = Places.sydney.coordinate
    let fixes = source.forceRandomDelayedLocations(3, around: center, seed: 1)
    #expect(again.forceRandomDelayedLocations(3, around: center, seed: 1) == fixes)
    var connection = source.connection()
    let start = clock.locationClock.now
    #expect(try poll(&connection) == .quiet(at: start))
    clock.jump(by: .seconds(6))
    for fix in fixes {
      guard case .received(let events) = try poll(&connection) else { break }
      #expect(events.map(\.event) == [.fix(fix)])
    }
  }

  @Test(arguments: [Double.nan, .infinity, -0.0])
  func `random fixes without a spread that can be used are all at the center`(spread: Double) {
    let source = source()
    let center = Places.sydney.coordinate
    let fixes = source.forceRandomDelayedLocations(2, around: center, spread: spread, seed: 1)
    #expect(fixes.map(\.coordinate) == [center, center])
    #expect(source.forceRandomDelayedLocations(-1, around: center, seed: 1) == [])
  }

  @Test func `loseFix comes late, and ends nothing`() async {
    let source = source(.event(.fix(Places.sydney)))
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    #expect(await listener.heard.next(3) == ["connecting", "fix-3d", "at -33.85"])
    source.loseFix(after: .seconds(2))
    clock.jump(by: .seconds(2))
    #expect(await listener.heard.next(2) == ["lost", "the receiver has no position"])
    #expect(coordinator.isRunning)
    source.forceLocation(Places.sydney)
    #expect(await listener.heard.next(2) == ["fix-3d", "at -33.85"])
    coordinator.stop()
  }

  @Test func `loseFix reaches onFailure, as it does there`() async {
    let source = source()
    let coordinator = LocationCoordinator(source)
    let heard = Collector<String>()
    coordinator.onUpdate = { heard.add("at \($0.coordinate.latitude)") }
    coordinator.onFailure = { heard.add($0.code.rawValue) }
    coordinator.start()
    source.loseFix(after: .seconds(2))
    source.force(.fix(Places.sydney), after: .seconds(3))
    source.loseFix(after: .seconds(4))
    clock.jump(by: .seconds(4))
    #expect(await heard.next(3) == ["locationUnknown", "at -33.85", "locationUnknown"])
    #expect(coordinator.isRunning)
    coordinator.stop()
  }

  @Test func `currentLocation completes with one location`() async throws {
    let coordinator = LocationCoordinator(source(.event(.fix(Places.sydney)), .end))
    let result = await withCheckedContinuation { continuation in
      coordinator.currentLocation { continuation.resume(returning: $0) }
    }
    #expect(try result.get().coordinate == Places.sydney.coordinate)
  }

  @Test func `currentLocation completes with an error at its deadline`() async {
    let coordinator = LocationCoordinator(source())
    let heard = Collector<String>()
    coordinator.currentLocation(timeout: .seconds(30)) { result in
      if case .failure(let error) = result { heard.add(error.code.rawValue) }
    }
    await clock.waitForSleepers()
    clock.jump(by: .seconds(30))
    #expect(await heard.next() == ["timedOut"])
  }

  @Test func `a delegate hears locations, states and failures`() async {
    let coordinator = LocationCoordinator(
      source(.event(.fix(Places.sydney)), .fail(Places.gone)), retries: .never)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    #expect(
      await listener.heard.next(5)
        == ["connecting", "fix-3d", "at -33.85", "no-daemon", "the connection ended"])
  }

  @Test func `updates are filtered by the same names`() async throws {
    let fixes = [(0.0, 5.0), (0.0005, 5), (0.1, 50), (0.2, 10)].map {
      LocationFix.at(latitude: -33.85, longitude: 151 + $0, horizontalError: $1)
    }
    let source = ScriptedLocationSource(
      clock: clock, scripts: fixes.map { .event(.fix($0)) } + [.end])
    var passed: [LocationFix] = []
    for try await update in source.updates(
      LocationRequest(desiredAccuracy: 10, distanceFilter: 100))
    {
      if case .fix(let fix) = update { passed.append(fix) }
    }
    #expect(passed == [fixes[0], fixes[3]])
  }

  @Test func `a source records start, accuracy and stop`() async {
    let source = source()
    let coordinator = LocationCoordinator(source)
    coordinator.request.desiredAccuracy = 100
    coordinator.start()
    await clock.settle()
    coordinator.stop()
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest(desiredAccuracy: 100)), .close])
  }

  @Test func `onChange sees every state`() async {
    let coordinator = LocationCoordinator(
      source(.event(.noFix(NoFix())), .event(.fix(Places.sydney)), .fail(Places.gone)),
      retries: .never)
    let changes = Collector<StateChange>()
    coordinator.onChange = changes.add
    coordinator.start()
    #expect(
      await changes.next(4).map(\.state) == [.connecting, .searching, .fix3D, .noService])
  }

  @Test func `forceLocation comes late as well`() async throws {
    let source = source()
    source.forceLocation(Places.sydney, after: .seconds(5))
    let fix = try await clock.whileAdvancing { try await source.currentLocation() }
    #expect(fix.coordinate == Places.sydney.coordinate)
    #expect(clock.locationClock.now.uptime == .seconds(5))
  }

  @Test func `desiredAccuracy and distanceFilter are metres, between start and stop`() async {
    let source = source()
    let coordinator = LocationCoordinator(source)
    let heard = Collector<String>()
    coordinator.onUpdate = { heard.add("\($0.coordinate.longitude)") }
    coordinator.request.desiredAccuracy = 10
    coordinator.request.distanceFilter = 100
    coordinator.start()
    #expect(coordinator.isRunning)
    // A thousandth of a degree is 92 m here.
    for (longitude, accuracy) in [(151.0, 5.0), (151.0005, 5), (151.1, 50), (151.2, 10)] {
      source.forceLocation(.at(latitude: -33.85, longitude: longitude, horizontalError: accuracy))
    }
    #expect(await heard.next(2) == ["151.0", "151.2"])
    coordinator.stop()
    #expect(!coordinator.isRunning)
  }

  @Test func `time passes when a test says so, and a test waits without sleeping`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(3600)), .event(.fix(Places.sydney)), .end])
    async let found = source.currentLocation(timeout: nil)
    await clock.waitForSleepers()
    #expect(source.connectionCount == 1)
    clock.jump(by: .seconds(3600))
    #expect((try? await found)?.coordinate == Places.sydney.coordinate)
  }

  @Test func `a fake without instructions fails the test`() async {
    await withKnownIssue {
      let source = FailingLocationSource { Issue.record(Comment(rawValue: $0)) }
      _ = try? await source.currentLocation()
    } matching: {
      $0.comments == ["a location was requested, and the test does not expect it"]
    }
  }
}
