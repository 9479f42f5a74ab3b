import LocationCore
import LocationTestKit
import Observation
import Testing
import VirtualTimeTesting

@MainActor
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Location coordinator` {
  private let clock = ManualClock()

  /// Records all, in order.
  private final class Listener: LocationCoordinatorDelegate {
    private(set) var heard: [String] = []
    /// Called with all that is heard.
    var onHearing: ((String) -> Void)?

    func handle(_ words: String) {
      heard.append(words)
      onHearing?(words)
    }

    func locationCoordinator(_ coordinator: LocationCoordinator, didUpdate fix: LocationFix) {
      handle("fix \(fix.coordinate.latitude)")
    }

    func locationCoordinator(_ coordinator: LocationCoordinator, didChange change: StateChange) {
      handle(change.state.rawValue)
    }

    func locationCoordinator(_ coordinator: LocationCoordinator, didFail error: LocationError) {
      handle("error \(error)")
    }
  }

  private func fix(_ latitude: Double, _ second: Double, eph: Double = 5) -> LocationEvent {
    var fix = Reports.locationFix(second)
    fix.coordinate = Coordinate(latitude: latitude, longitude: 8)!
    fix[.eph] = eph
    return .fix(fix)
  }

  @Test func `notifies observers of its location, its state and its run`() async {
    let source = ScriptedLocationSource(clock: clock)
    let coordinator = LocationCoordinator(source)
    let seen = Collector<String>()
    func observe(_ name: String, _ property: @escaping @MainActor () -> some Any) {
      withObservationTracking {
        _ = property()
      } onChange: {
        seen.add(name)
      }
    }
    observe("run") { coordinator.isRunning }
    observe("state") { coordinator.state }
    observe("location") { coordinator.location }
    coordinator.start()
    #expect(seen.values == ["run"])
    #expect(coordinator.isRunning)
    await clock.settle()
    #expect(seen.values == ["run", "state"])
    source.force(fix(47, 0))
    await clock.settle()
    #expect(seen.values == ["run", "state", "location"])
    #expect(coordinator.location != nil && coordinator.state == .fix3D)
    observe("end of the run") { coordinator.isRunning }
    observe("no location") { coordinator.location }
    coordinator.stop()
    #expect(seen.values.suffix(2) == ["end of the run", "no location"])
    #expect(!coordinator.isRunning && coordinator.location == nil && coordinator.state == nil)
  }

  @Test func `notifies its delegate of fixes, states and failures`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(Reports.noFix(0)), .event(fix(47, 1)), .fail(.gone)])
    let coordinator = LocationCoordinator(source, retries: .never)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    await clock.settle()
    #expect(
      listener.heard == [
        "connecting", "searching", "error a has no position", "fix-3d", "fix 47.0", "no-daemon",
        "error gone",
      ])
    #expect(coordinator.state == .noService)
    #expect(coordinator.location == nil)
  }

  @Test func `has the state of the best receiver`() async {
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(Reports.noFix(0, of: "b")), .event(Reports.fix(0, of: "a")),
        .event(Reports.fix(1, .fix2D, of: "b")), .event(Reports.noFix(2, of: "b")),
        .event(Reports.fix(3, .fix2D, of: "b")), .event(Reports.noFix(1, of: "a")),
        .event(.removed(path: "b")), .event(.removed(path: "a")),
      ])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    var states: [LocationState?] = []
    listener.onHearing = { _ in
      if states.last != coordinator.state { states.append(coordinator.state) }
    }
    coordinator.delegate = listener
    coordinator.start()
    await clock.settle()
    #expect(states.prefix(5) == [.connecting, .searching, .fix3D, .fix2D, .lost])
    coordinator.stop()
    #expect(coordinator.state == nil)
  }

  @Test func `reports each failed attempt, and one transition`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.fail(.gone)])
    let coordinator = LocationCoordinator(source, retries: RetryPolicy(jitter: 0))
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    await clock.waitForSleepers()
    clock.jump(by: .seconds(1))
    await clock.settle()
    coordinator.stop()
    #expect(listener.heard == ["connecting", "no-daemon", "error gone", "error gone"])
  }

  @Test func `calls its closures`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(fix(47, 1)), .fail(.gone)], [])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.onUpdate = { listener.handle("at \($0.coordinate.latitude)") }
    coordinator.onFailure = { listener.handle("failed: \($0)") }
    coordinator.start()
    await clock.settle()
    #expect(listener.heard == ["at 47.0", "failed: gone"])
    #expect(coordinator.isRunning)
    coordinator.stop()
  }

  @Test func `filters by accuracy and distance, which can change`() async {
    let source = ScriptedLocationSource(clock: clock)
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.onUpdate = { listener.handle("\($0.coordinate.latitude)") }
    coordinator.request.desiredAccuracy = 10
    coordinator.request.distanceFilter = 1000
    coordinator.start()
    for (index, event) in [fix(47, 1), fix(48, 2, eph: 11), fix(47.001, 3), fix(49, 4)].enumerated()
    {
      source.force(event, after: .seconds(index))
    }
    clock.jump(by: .seconds(4))
    await clock.settle()
    coordinator.request.distanceFilter = nil
    source.force(fix(49, 5))
    await clock.settle()
    #expect(listener.heard == ["47.0", "49.0", "49.0"])
    coordinator.stop()
  }

  @Test func `passes on no late fix, and forgets a stale one`() async {
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(fix(47, 0)), .wait(.seconds(60)), .event(fix(48, 1)), .event(.notice("late")),
        .wait(.seconds(1)), .event(fix(49, 61)),
      ])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    await clock.settle()
    #expect(coordinator.location?.coordinate.latitude == 47)
    clock.jump(by: .seconds(60))
    await clock.settle()
    #expect(coordinator.location == nil)
    clock.jump(by: .seconds(1))
    await clock.settle()
    #expect(
      listener.heard == [
        "connecting", "fix-3d", "fix 47.0", "lost", "error a has fallen silent", "fix-3d",
        "fix 49.0",
      ])
    coordinator.stop()
  }

  @Test func `stopped, it calls nobody, and it can start again`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(fix(47, 0))])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.onUpdate = { _ in listener.handle("fix") }
    coordinator.start()
    coordinator.start()
    await clock.settle()
    coordinator.stop()
    #expect(!coordinator.isRunning)
    #expect(coordinator.location == nil)
    #expect(coordinator.state == nil)
    source.force(fix(48, 1))
    coordinator.start()
    await clock.settle()
    #expect(listener.heard == ["fix", "fix", "fix"])
    #expect(source.connectionCount == 2)
    coordinator.stop()
  }

  @Test func `closes its connection before it makes the next one`() async {
    let source = ScriptedLocationSource(clock: clock)
    let coordinator = LocationCoordinator(source)
    coordinator.start()
    await clock.settle()
    coordinator.stop()
    coordinator.start()
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest()), .close, .connect(LocationRequest())])
    // A run that is stopped before it could connect makes no connection.
    for _ in 1...3 {
      coordinator.stop()
      coordinator.start()
    }
    await clock.settle()
    #expect(source.calls.dropFirst(3) == [.close, .connect(LocationRequest())])
    coordinator.stop()
  }

  @Test func `passes on a changed request at once, by a new connection`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(fix(47, 0))], [])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    await clock.settle()
    coordinator.request.desiredAccuracy = 10
    coordinator.request.distanceFilter = 1000
    #expect(coordinator.state == .connecting && coordinator.location == nil)
    #expect(coordinator.isRunning)
    await clock.settle()
    source.force(fix(48, 1, eph: 11))
    source.force(fix(49, 2))
    source.force(fix(49.001, 3))
    await clock.settle()
    let request = LocationRequest(desiredAccuracy: 10, distanceFilter: 1000)
    coordinator.request = request
    await clock.settle()
    #expect(source.calls == [.connect(LocationRequest()), .close, .connect(request)])
    #expect(
      listener.heard
        == ["connecting", "fix-3d", "fix 47.0", "connecting", "fix-3d", "fix 49.0"])
    coordinator.stop()
    coordinator.request.distanceFilter = nil
    await clock.settle()
    #expect(source.calls.dropFirst(3) == [.close] && coordinator.state == nil)
  }

  @Test func `may get another request in a callback`() async {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(fix(47, 0)), .event(fix(48, 0.1))])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.onUpdate = { [weak coordinator] _ in
      coordinator?.request.minimumMode = .fix3D
      coordinator?.request.minimumQuality = .dgps
    }
    coordinator.start()
    await clock.settle()
    let request = LocationRequest(minimumMode: .fix3D, minimumQuality: .dgps)
    #expect(source.calls == [.connect(LocationRequest()), .close, .connect(request)])
    #expect(listener.heard == ["connecting", "fix-3d", "connecting", "fix-3d"])
    coordinator.stop()
  }

  /// Each callback that there is, stopping in the first: none of the others comes.
  @Test(arguments: [
    ("closure 47.0", ["closure 47.0"]), ("fix 47.0", ["closure 47.0", "fix 47.0"]),
    ("no-daemon", ["closure 47.0", "fix 47.0", "no-daemon"]),
    ("closure gone", ["closure 47.0", "fix 47.0", "no-daemon", "closure gone"]),
    ("error gone", ["closure 47.0", "fix 47.0", "no-daemon", "closure gone", "error gone"]),
  ])
  func `stopped in a callback, it calls nobody, neither then nor after a new start`(
    last: String, expected: [String]
  ) async {
    for isStartedAgain in [false, true] {
      let source = ScriptedLocationSource(
        clock: clock, scripts: [.event(fix(47, 1)), .fail(.gone)], [])
      let coordinator = LocationCoordinator(source)
      let listener = Listener()
      coordinator.delegate = listener
      coordinator.onUpdate = { listener.handle("closure \($0.coordinate.latitude)") }
      coordinator.onFailure = { listener.handle("closure \($0)") }
      listener.onHearing = { [weak coordinator] words in
        guard words == last else { return }
        coordinator?.stop()
        if isStartedAgain { coordinator?.start() }
      }
      coordinator.start()
      let all = ["connecting", "fix-3d"] + expected + (isStartedAgain ? ["connecting"] : [])
      await clock.settle()
      #expect(listener.heard == all)
      #expect(coordinator.isRunning == isStartedAgain)
      coordinator.stop()
    }
  }

  @Test func `after a new start it passes on a fix at the same place`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(fix(47, 1))])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.onUpdate = { listener.handle("\($0.coordinate.latitude)") }
    coordinator.request.distanceFilter = 1000
    for _ in 1...3 {
      coordinator.start()
      await clock.settle()
      #expect(coordinator.location?.coordinate.latitude == 47)
      coordinator.stop()
    }
    #expect(listener.heard == ["47.0", "47.0", "47.0"])
  }

  @Test(
    arguments: [
      [.event(Reports.noFix(3))], [.event(.removed(path: "a"))], [.wait(.seconds(9))],
      [.fail(.gone)],
    ] as [[ScriptedLocationSource.Step]])
  func `found again where it was lost, it passes on the fix`(loss: [ScriptedLocationSource.Step])
    async
  {
    let found = ScriptedLocationSource.Step.event(fix(47, 10))
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [.event(fix(47, 1)), .event(fix(47.001, 2))] + loss + [found],
      [found])
    let coordinator = LocationCoordinator(source, retries: RetryPolicy(delays: [.zero]))
    let listener = Listener()
    coordinator.onUpdate = { listener.handle("\($0.coordinate.latitude)") }
    coordinator.request.distanceFilter = 1000
    coordinator.start()
    await clock.settle()
    if loss == [.wait(.seconds(9))] {
      await clock.waitForSleepers()
      clock.jump(by: .seconds(9))
    }
    await clock.settle()
    #expect(listener.heard == ["47.0", "47.0"])
    #expect(coordinator.location?.coordinate.latitude == 47)
    coordinator.stop()
  }

  @Test func `when its provider has ended, there is no fix and no state`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(fix(47, 1)), .end])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.delegate = listener
    coordinator.start()
    await clock.settle()
    #expect(listener.heard == ["connecting", "fix-3d", "fix 47.0"])
    #expect(!coordinator.isRunning)
    #expect(coordinator.location == nil)
    #expect(coordinator.state == nil)
  }

  /// The provider continues, as Core Location does after `locationUnknown`.
  @Test func `a lost position is a failure once, however often it is reported`() async {
    func noFixes(_ seconds: ClosedRange<Int>) -> [ScriptedLocationSource.Step] {
      seconds.map { .event(Reports.noFix(Double($0))) }
    }
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: noFixes(0...9) + [.event(fix(47, 10))] + noFixes(11...19) + [
        .event(fix(48, 20)), .event(.removed(path: "a")), .event(Reports.noFix(21)),
        .event(fix(49, 22)),
      ])
    let coordinator = LocationCoordinator(source)
    let listener = Listener()
    coordinator.onUpdate = { listener.handle("\($0.coordinate.latitude)") }
    coordinator.onFailure = { listener.handle("\($0.code.rawValue): \($0)") }
    coordinator.start()
    await clock.settle()
    #expect(
      listener.heard == [
        "locationUnknown: a has no position", "47.0", "locationUnknown: a has no position", "48.0",
        "locationUnknown: a is gone", "49.0",
      ])
    #expect(coordinator.isRunning)
    coordinator.stop()
  }

  @Test func `a receiver without a position is no failure while another has one`() async {
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(Reports.fix(1, of: "a")), .event(Reports.noFix(1, of: "b")),
        .event(Reports.fix(2, of: "b")), .event(Reports.noFix(2, of: "a")),
        .event(Reports.noFix(3, of: "b")), .event(Reports.noFix(3, of: "a")), .fail(.gone),
      ])
    let coordinator = LocationCoordinator(source, retries: .never)
    let listener = Listener()
    coordinator.onFailure = { listener.handle("\($0)") }
    coordinator.start()
    await clock.settle()
    #expect(listener.heard == ["b has no position", "gone"])
  }

  @Test func `a dropped coordinator releases its provider and its delegate`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(fix(47, 0))])
    var coordinator: LocationCoordinator? = LocationCoordinator(source)
    var listener: Listener? = Listener()
    weak let dropped = coordinator
    weak let deaf = listener
    coordinator?.delegate = listener
    coordinator?.start()
    await clock.settle()
    listener = nil
    #expect(deaf == nil)
    coordinator = nil
    #expect(dropped == nil)
  }

  @Test func `one location comes by completion`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.event(fix(46, 0, eph: 50)), .event(fix(47, 1)), .end])
    let coordinator = LocationCoordinator(source)
    coordinator.request.desiredAccuracy = 10
    let result = await withCheckedContinuation { continuation in
      coordinator.currentLocation { continuation.resume(returning: $0) }
    }
    #expect(try result.get().coordinate.latitude == 47)
    #expect(!coordinator.isRunning)
  }

  @Test func `a completion is called when there is no fix, and when it is cancelled`() async {
    let coordinator = LocationCoordinator(ScriptedLocationSource(clock: clock))
    for (isCancelled, code) in [(false, LocationError.Code.timedOut), (true, .cancelled)] {
      var codes: [LocationError.Code] = []
      let task = coordinator.currentLocation(timeout: .seconds(3)) { result in
        if case .failure(let error) = result { codes.append(error.code) }
      }
      await clock.waitForSleepers()
      if isCancelled { task.cancel() } else { clock.jump(by: .seconds(3)) }
      await task.value
      #expect(codes == [code])
    }
  }
}
