import Testing
import VirtualTimeTesting

@testable import LocationCore
@testable import LocationTestKit

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A fleet` {
  /// Fixes one after another, because what is due together is read together.
  private static func inTurn(_ count: Int) -> [LocationScriptStep] {
    (0..<count).flatMap { number -> [LocationScriptStep] in
      [.wait(.nanoseconds(1)), .event(Reports.fix(Double(number)))]
    }
  }

  @Test func `does not read on one whose updates wait`() async {
    let source = ScriptedLocationSource(clock: LocationClock.live, scripts: Self.inTurn(1000))
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

  @Test func `reads on when half of what waited was taken`() async {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock, scripts: Self.inTurn(200) + [.stayOpen])
    let queue = FleetQueue()
    let seat = queue.addMember()
    let filling = Task { await queue.fill(from: source.updates(), as: seat, nil, isolation: nil) }
    // With the state before them, and the loss after them.
    let taken = await clock.whileAdvancing {
      var taken = 0
      while taken < 202 {
        await queue.wait()
        while queue.take() != nil { taken += 1 }
      }
      return taken
    }
    #expect(taken == 202)
    #expect(queue.count == 0)
    filling.cancel()
    await filling.value
    #expect(queue.take() == nil)
  }

  @Test func `uses the number of a removed member again, and drops what the old one brings late`()
    async
  {
    let queue = FleetQueue()
    let (first, second) = (queue.addMember(), queue.addMember())
    #expect([first.number, second.number] == [0, 1])
    queue.remove(first.number)
    let third = queue.addMember()
    #expect(third.number == 0)
    #expect(third != first)
    #expect(queue.addMember().number == 2)
    // Its task has an update in hand, and cannot know that it was removed.
    let late = ScriptedLocationSource(clock: ManualClock(), scripts: [.event(Reports.fix(1))])
    await queue.fill(from: late.updates(), as: first, nil, isolation: nil)
    #expect(queue.take() == nil)
    await queue.fill(from: late.updates(), as: third, nil, isolation: nil)
    #expect(queue.count == 4)
  }

  /// Fault 120.
  @Test func `uses each free number once, and then the next ones`() {
    let queue = FleetQueue()
    for number in 0..<4 { #expect(queue.addMember().number == number) }
    for number in [2, 0, 2] { queue.remove(number) }
    #expect((0..<4).map { _ in queue.addMember().number } == [0, 2, 4, 5])
  }

  @Test func `drops what a member brought before it was removed, and nothing of others`() async {
    let queue = FleetQueue()
    let seats = [queue.addMember(), queue.addMember()]
    for seat in seats {
      let source = ScriptedLocationSource(clock: ManualClock(), scripts: [.event(Reports.fix(1))])
      await queue.fill(from: source.updates(), as: seat, nil, isolation: nil)
    }
    _ = queue.take()
    #expect(queue.count == 7)
    queue.remove(0)
    #expect(queue.count == 4)
    var members: [Int?] = []
    while let (news, _) = queue.take() { members.append(news.member) }
    #expect(members == [1, 1, 1, 1])
  }

  @Test func `ends the wait for room of a member that is removed`() async {
    let reports = (0..<200).map { LocationScriptStep.event(Reports.fix(Double($0))) }
    let source = ScriptedLocationSource(clock: ManualClock(), scripts: reports)
    let queue = FleetQueue()
    let seat = queue.addMember()
    let filling = Task { await queue.fill(from: source.updates(), as: seat, nil, isolation: nil) }
    while queue.count < FleetQueue.maximumUpdates { await queue.wait() }
    queue.remove(seat.number)
    _ = queue.addMember()
    // It reads to its end, and its updates are dropped.
    await filling.value
    #expect(queue.take() == nil)
  }

  @Test func `says when a member begins, and what follows from the time alone`() async {
    let clock = ManualClock()
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(Reports.fix(1)), .wait(.seconds(1)), .event(Reports.fix(2)), .wait(.seconds(20)),
        .event(Reports.fix(22)),
      ])
    let times = Collector<Double>()
    let queue = FleetQueue()
    let seat = queue.addMember()
    await clock.whileAdvancing {
      await queue.fill(
        from: source.updates(), as: seat, { times.add($0.uptime.inSeconds) }, isolation: nil)
    }
    // The beginning, and the loss after 5 s.
    #expect(times.values == [0, 6])
  }

  @Test func `says when the link of a member fails, before that is read`() async {
    let clock = ManualClock()
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [.event(Reports.fix(1)), .wait(.seconds(1)), .fail(LocationError(.disconnected))],
      [.fail(LocationError(.unreachable))], [.event(Reports.fix(9)), .wait(.seconds(1))])
    let failures = Collector<String>()
    let queue = FleetQueue()
    let seat = queue.addMember()
    await clock.whileAdvancing {
      await queue.fill(
        from: source.updates(), as: seat, nil,
        { failures.add("\($0.moment.uptime.inSeconds) \($0.error?.code.rawValue ?? "-")") },
        isolation: nil)
    }
    #expect(failures.values == ["1.0 disconnected"])
  }

  @Test func `has the end of a member before its connection is closed`() async {
    let queue = FleetQueue()
    let seat = queue.addMember()
    await queue.fill(from: ClosingProvider(queue: queue).updates(), as: seat, nil, isolation: nil)
    // The state at its beginning, its end, and that it was closed.
    #expect(queue.count == 3)
    _ = queue.take()
    guard case .ended(nil, seat.number)? = queue.take()?.0 else {
      Issue.record("closed before its end was there")
      return
    }
  }

  @Test func `returns available updates at once, and otherwise at its deadline`() async {
    let clock = ManualClock()
    let updates = FleetUpdates()
    let start = clock.locationClock.now
    func read(until second: Double?) async -> TimedRead<FleetNews> {
      await clock.whileAdvancing {
        await updates.next(
          until: second.map { start.advanced(by: .seconds($0)) }, by: clock.locationClock)
      }
    }
    func seconds(_ read: TimedRead<FleetNews>) -> Double? {
      if case .timedOut(let moment) = read { start.duration(to: moment).inSeconds } else { nil }
    }
    #expect(seconds(await read(until: 0)) == 0)
    #expect(seconds(await read(until: 5)) == 5)
    #expect(seconds(await read(until: 3)) == 5)
    updates.interrupt()
    guard case .value(.interrupted, let moment) = await read(until: 5), moment == .past else {
      Issue.record("the interruption is lost")
      return
    }
    // An alarm that was set for later does not delay an earlier one.
    async let later = updates.next(
      until: start.advanced(by: .seconds(100)), by: clock.locationClock)
    await clock.waitForSleepers()
    updates.interrupt()
    _ = await later
    #expect(seconds(await read(until: 7)) == 7)
    #expect(clock.locationClock.now == start.advanced(by: .seconds(7)))
  }

  @Test func `has one alarm at a time, and leaves none`() async {
    let clock = ManualClock()
    let start = clock.locationClock.now
    var queue: FleetQueue? = FleetQueue()
    for second in [100.0, 200, 50] {
      queue?.ring(
        at: start.advanced(by: .seconds(second)), by: clock.locationClock, on: nil)
      await clock.waitForSleepers()
    }
    // Only the earliest of the three is left.
    let first = ManualClock().now.advanced(by: .seconds(50))
    await clock.settle()
    #expect(clock.nextDeadline == first)
    queue = nil
    await clock.settle()
    #expect(clock.nextDeadline == nil)
  }

  @Test func `ends when its task is cancelled`() async {
    let updates = FleetUpdates()
    updates.interrupt()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      guard updates.nextQueued() == nil else { return false }
      guard case .ended = await updates.next(until: nil, by: .live) else { return false }
      return true
    }
    #expect(await task.value)
    guard case .value(.interrupted, _)? = updates.nextQueued() else {
      Issue.record("the interruption is lost")
      return
    }
  }

  @Test func `closes the connections of all members, also of removed ones`() async {
    let clock = ManualClock()
    let sources = (0..<3).map { _ in ScriptedLocationSource(clock: clock, scripts: [.stayOpen]) }
    let updates = FleetUpdates()
    for source in sources { updates.add(source.updates(), on: nil) }
    var connected = 0
    while connected < 3 {
      guard case .value(.update(.state, _), _) = await updates.next(until: nil, by: .live) else {
        continue
      }
      connected += 1
    }
    updates.remove(1)
    await updates.close()
    for source in sources {
      #expect(source.calls.count { $0 == .close } == source.connectionCount)
    }
    #expect(updates.nextQueued() == nil)
  }

  @Test func `leaves no alarm behind when it is closed`() async {
    let clock = ManualClock()
    let updates = FleetUpdates()
    let deadline = clock.locationClock.now.advanced(by: .seconds(100))
    let reader = Task { await updates.next(until: deadline, by: clock.locationClock) }
    await clock.waitForSleepers()
    reader.cancel()
    guard case .ended = await reader.value else {
      Issue.record("it was not cancelled")
      return
    }
    #expect(clock.sleeperCount == 1)
    await updates.close()
    #expect(clock.sleeperCount == 0 && updates.nextQueued() == nil)
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

/// Ends at once, and interrupts the reader of its news when it is closed.
private struct ClosingProvider: LocationProvider {
  struct Connection: LocationConnection {
    let queue: FleetQueue
    func next(until deadline: Moment?) -> TimedRead<[TimedEvent]> { .ended }
    func close() { queue.interrupt() }
  }

  let queue: FleetQueue
  var clock: LocationClock { ManualClock().locationClock }
  func connection(for request: LocationRequest) -> Connection { Connection(queue: queue) }
}
