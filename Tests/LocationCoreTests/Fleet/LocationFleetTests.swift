import LocationTestKit
import Testing

@testable import LocationCore

@Suite(.timeLimit(.minutes(5))) struct `A fleet` {
  private static let gone = LocationError(.disconnected, "gone")

  @Test func `gives the updates of all, and ends when all have`() async {
    let clock = ManualClock()
    let fleet = LocationFleet([
      ("a", ScriptedLocationSource(clock: clock, scripts: [.event(Reports.fix(1))])),
      ("b", ScriptedLocationSource(clock: clock, scripts: [.event(Reports.fix(2))])),
    ])
    var heard: [String: [String]] = [:]
    for await (name, update) in fleet {
      switch update {
      case .state(let change): heard[name, default: []].append(change.state.rawValue)
      case .fix(let fix): heard[name, default: []].append("\(fix.time == Reports.time(1))")
      case .change, .retry, .report: break
      }
    }
    #expect(
      heard == ["a": ["connecting", "fix-3d", "true"], "b": ["connecting", "fix-3d", "false"]])
  }

  @Test func `goes on without one that failed`() async {
    let clock = ManualClock()
    let fleet = LocationFleet(
      [
        ("bad", ScriptedLocationSource(clock: clock, scripts: [.fail(Self.gone)])),
        ("good", ScriptedLocationSource(clock: clock, scripts: [.event(Reports.fix(1))])),
      ], retries: .never)
    var names: [String] = []
    var failure: LocationError?
    for await (name, update) in fleet {
      if case .fix = update { names.append(name) }
      if case .state(let change) = update, change.state == .noService { failure = change.error }
    }
    #expect(names == ["good"])
    #expect(failure == Self.gone)
  }

  @Test func `does not read on one whose updates wait`() async {
    let reports = (0..<1000).map { LocationScriptStep.event(Reports.fix(Double($0))) }
    let source = ScriptedLocationSource(clock: ManualClock(), scripts: reports)
    let queue = FleetQueue()
    let member = queue.addMember()
    let filling = Task {
      await queue.fill(from: source.updates(), as: member, nil, isolation: nil)
    }
    var fixes = 0
    var mostWaiting = 0
    while true {
      await queue.wait()
      mostWaiting = max(mostWaiting, queue.count)
      while let (news, _) = queue.take() {
        if case .update(.fix, _) = news { fixes += 1 }
        if case .ended = news {
          await filling.value
          #expect(fixes == 1000)
          #expect(mostWaiting <= FleetQueue.maximumUpdates + 2)
          return
        }
      }
    }
  }

  @Test func `says nothing more of a member that was removed`() async {
    let updates = FleetUpdates()
    let source = ScriptedLocationSource(
      clock: ManualClock(), scripts: [.event(Reports.fix(1)), .stayOpen])
    let member = updates.add(source.updates(), on: nil)
    guard case .value(let first, _) = await updates.next(until: nil, by: .live) else {
      Issue.record("nothing came")
      return
    }
    #expect(first.member == member)
    updates.remove(member)
    updates.interrupt()
    guard case .value(.interrupted, _) = await updates.next(until: nil, by: .live) else {
      Issue.record("the interruption is lost")
      return
    }
    #expect(updates.nextQueued() == nil)
    await updates.close()
  }
}
