import Testing

@testable import LocationCore

@Suite struct `Receiver machine` {
  private var machine = ReceiverMachine(path: "a", origin: .connecting, staleAfter: .seconds(5))
  private var queue = UpdateQueue()

  private mutating func fix(_ second: Double) {
    machine.handle(Reports.locationFix(second), at: Reports.moment(second), into: &queue)
  }

  private mutating func told() -> [LocationUpdate] {
    var updates: [LocationUpdate] = []
    while let (update, _) = queue.take() { updates.append(update) }
    return updates
  }

  @Test mutating func `reports a transition with all its values`() {
    fix(0)
    fix(1)
    _ = told()
    machine.expire(at: Reports.moment(9), into: &queue)
    #expect(
      told() == [
        .state(
          StateChange(
            .lost, of: .receiver("a"), previous: .fix3D, loss: .silence,
            lastFix: Reports.locationFix(1), time: Reports.time(6), at: Reports.moment(6)))
      ])
  }

  @Test mutating func `the last fix is the last that was current`() throws {
    fix(0)
    fix(1)
    // Held up for 20 s on its way.
    guard case .fix(let late) = Reports.fix(2) else { return }
    machine.handle(late, at: Reports.moment(22), into: &queue)
    #expect(told().last.map { if case .fix(let fix) = $0 { fix.isCurrent } else { true } } == false)
    #expect(machine.lastFix == Reports.locationFix(1))
  }

  @Test(arguments: [(3.9, true), (4.1, false)])
  mutating func `a fix may come two seconds late, however soon it becomes old`(
    arrival: Double, isCurrent: Bool
  ) {
    machine = ReceiverMachine(path: "a", origin: nil, staleAfter: .milliseconds(500))
    fix(0)
    fix(1)
    machine.handle(Reports.locationFix(2), at: Reports.moment(arrival), into: &queue)
    let current = told().compactMap { if case .fix(let fix) = $0 { fix.isCurrent } else { nil } }
    #expect(current == [true, true, isCurrent])
  }

  @Test
  mutating func
    `tells transitions by the receiver's clock, before the first fix by reports without one`()
  {
    machine.handle(NoFix(device: "a", time: Reports.time(-9)), at: Reports.moment(9), into: &queue)
    guard case .fix(let fix) = Reports.fix(10) else { return }
    machine.handle(fix, at: Reports.moment(10.3), into: &queue)
    machine.handle(NoFix(device: "a"), at: Reports.moment(11.3), into: &queue)
    machine.remove(at: Reports.moment(14), into: &queue)
    machine.disconnect(at: Reports.moment(15), into: &queue)
    machine.handle(NoFix(device: "a"), at: Reports.moment(20.3), into: &queue)
    machine.handle(Reports.locationFix(nil), at: Reports.moment(21), into: &queue)
    let changes = told().compactMap { if case .state(let change) = $0 { change } else { nil } }
    #expect(changes.map(\.state) == [.searching, .fix3D, .lost, .noDevice, .searching, .fix3D])
    #expect(
      changes.map(\.time)
        == [
          Reports.time(-9), Reports.time(10), Reports.time(11), Reports.time(13.7),
          Reports.time(20), nil,
        ])
  }

  @Test mutating func `an unnamed fix gets the receiver's path`() {
    machine.handle(Reports.locationFix(0, of: nil), at: Reports.moment(0), into: &queue)
    #expect(told().last == .fix(Reports.locationFix(0)))
  }

  @Test mutating func `waits for the first report of a receiver that is announced`() {
    #expect(machine.deadline == nil)
    machine.announce(Receiver(path: "a"), at: Reports.moment(2))
    #expect(machine.deadline == Reports.moment(7))
    machine.announce(Receiver(path: "a"), at: Reports.moment(3))
    #expect(machine.deadline == Reports.moment(7))
    fix(4)
    #expect(machine.deadline == Reports.moment(9))
  }

  @Test mutating func `an announcement sets the interval`() {
    machine = ReceiverMachine(path: "a", origin: nil, staleAfter: nil)
    machine.announce(Receiver(path: "a", cycle: .seconds(10)), at: Reports.moment(0))
    #expect(machine.deadline == Reports.moment(30))
  }

  @Test mutating func `searching and lost wait for silence`() {
    machine.handle(NoFix(device: "a"), at: Reports.moment(0), into: &queue)
    #expect(machine.state == .searching)
    #expect(machine.deadline == Reports.moment(5))
    fix(1)
    machine.handle(NoFix(device: "a"), at: Reports.moment(2), into: &queue)
    #expect(machine.state == .lost)
    #expect(machine.deadline == Reports.moment(7))
    #expect(machine.lastFix == Reports.locationFix(1))
  }

  @Test mutating func `satellites postpone the silence of a receiver without a position`() {
    machine.handle(NoFix(device: "a"), at: Reports.moment(0), into: &queue)
    machine.handle(SkyView(device: "a", seen: 2), at: Reports.moment(3))
    #expect(machine.deadline == Reports.moment(8))
  }

  @Test mutating func `a silence ends what is known of the satellites`() {
    machine.handle(SkyView(device: "a", seen: 12, used: 8, hdop: 1), at: Reports.moment(0))
    fix(0)
    machine.expire(at: Reports.moment(9), into: &queue)
    fix(10)
    #expect(told().last == .fix(Reports.locationFix(10)))
  }

  @Test mutating func `a disconnect is silent and forgets the satellites`() {
    machine.handle(SkyView(device: "a", seen: 12, used: 8, hdop: 1), at: Reports.moment(0))
    fix(0)
    _ = told()
    machine.disconnect(at: Reports.moment(1), into: &queue)
    #expect(told() == [])
    #expect(machine.state == nil)
    #expect(machine.deadline == nil)
    fix(2)
    #expect(
      told() == [
        .state(
          StateChange(
            .fix3D, of: .receiver("a"), previous: .noService, time: Reports.time(2),
            at: Reports.moment(2))),
        Reports.fix(2).asUpdate,
      ])
  }
}

extension LocationEvent {
  fileprivate var asUpdate: LocationUpdate {
    if case .fix(let fix) = self { .fix(fix) } else { .event(self) }
  }
}
