import Testing

@testable import LocationCore

/// The link to the service: what its failure means for the receivers behind it.
@Suite struct `Link to the service` {
  @Test func `a failure is no-daemon, with its message`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    #expect(watch.fail(at: 1) == ["1.0 fix-3d > no-daemon: gone"])
    #expect(watch.deadline == nil)
  }

  @Test func `a try that fails again changes no state`() {
    var watch = Watch()
    #expect(watch.fail(at: 0) == ["0.0 connecting > no-daemon: gone"])
    #expect(watch.fail(at: 1) == ["1.0 still no-daemon: gone"])
    // It answers, lists a receiver, and goes before that one reports.
    #expect(watch.play([(2, Reports.receivers("a"))]) == [])
    #expect(watch.fail(at: 2.5) == ["2.5 still no-daemon: gone"])
    #expect(watch.play([(3, Reports.fix(3))]) == ["3.0 a no-daemon > fix-3d", "3.0 a 3d 3.0"])
    #expect(watch.fail(at: 4) == ["4.0 fix-3d > no-daemon: gone"])
  }

  @Test func `the end of a recorded run is a change of state, even after a failure`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    _ = watch.fail(at: 1)
    let pause = LocationError(.notRecorded, "not recorded")
    #expect(watch.fail(pause, at: 2) == ["2.0 no-daemon > no-daemon: not recorded"])
    #expect(watch.fail(at: 3) == ["3.0 still no-daemon: gone"])
  }

  @Test func `a failure carries the last fix, the latest of all receivers`() {
    var machine = LinkMachine(staleAfter: nil)
    var queue = UpdateQueue()
    for (second, device) in [(1.0, "a"), (2, "b"), (1.5, "c")] {
      machine.handle(Reports.fix(second, of: device), at: Reports.moment(second), into: &queue)
    }
    while queue.take() != nil {}
    machine.fail(.gone, retryIn: nil, at: Reports.moment(3), into: &queue)
    guard case .state(let change) = queue.take()?.update else {
      Issue.record("there is no transition")
      return
    }
    #expect(change.lastFix == Reports.locationFix(2, of: "b"))
    #expect(change.time == Reports.time(3))
  }

  @Test(arguments: [["a", "b"], ["b", "a"]])
  func `a fix without a time is never the latest of several`(devices: [String]) {
    var machine = LinkMachine(staleAfter: nil)
    var queue = UpdateQueue()
    for device in devices {
      let fix = Reports.fix(device == "a" ? 1 : nil, of: device)
      machine.handle(fix, at: Reports.moment(1), into: &queue)
    }
    machine.expire(at: Reports.moment(4), into: &queue)
    while queue.take() != nil {}
    machine.fail(.gone, retryIn: nil, at: Reports.moment(4), into: &queue)
    guard case .state(let change) = queue.take()?.update else {
      Issue.record("there is no transition")
      return
    }
    #expect(change.lastFix?.device == "a")
  }

  @Test func `a reconnect carries no fix over`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0)), (1, Reports.fix(1))])
    _ = watch.fail(at: 1.5)
    let told = watch.play([
      (3, Reports.receivers("a")), (3.1, Reports.noFix(3)), (4, Reports.fix(4)),
    ])
    #expect(
      told == [
        "3.1 a no-daemon > searching", "4.0 a searching > fix-3d", "4.0 a 3d 4.0",
      ])
  }

  @Test func `no epoch is reported twice across a reconnect`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0)), (1, Reports.fix(1))])
    _ = watch.fail(at: 1.2)
    #expect(watch.play([(2, Reports.fix(0)), (2.1, Reports.fix(1))]) == [])
    #expect(watch.play([(2.2, Reports.fix(2))]) == ["2.2 a no-daemon > fix-3d", "2.2 a 3d 2.0"])
  }

  @Test func `what is held when the link fails comes first`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0, isThin: true))])
    #expect(
      watch.fail(at: 0.1) == [
        "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "0.1 fix-3d > no-daemon: gone",
      ])
  }

  @Test func `after a reconnect an empty list takes the receivers away`() {
    var watch = Watch()
    _ = watch.play([(0, Reports.fix(0))])
    _ = watch.fail(at: 1)
    #expect(watch.play([(2, Reports.receivers())]) == ["2.0 a no-daemon > no-device"])
  }
}
