import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Mailbox of tasks` {
  private let clock = ManualClock()
  private let rendezvous = Mailbox<Int>()

  private func value(_ outcome: Mailbox<Int>.Outcome) -> Int? {
    if case .value(let value) = outcome { value } else { nil }
  }

  @Test func `a value waits for its taker, once`() async {
    rendezvous.send(7)
    #expect(value(await rendezvous.take()) == 7)
    #expect(value(await rendezvous.take(until: .past, by: clock.locationClock)) == nil)
  }

  @Test func `a taker waits for its value`() async {
    async let taken = rendezvous.take(until: Reports.moment(5), by: clock.locationClock)
    await clock.waitForSleepers()
    rendezvous.send(8)
    #expect(value(await taken) == 8)
  }

  @Test func `a wait ends at its deadline, and the next one is not ended by that`() async {
    async let first = rendezvous.take(until: Reports.moment(5), by: clock.locationClock)
    await clock.waitForSleepers()
    clock.jump(by: .seconds(5))
    #expect(value(await first) == nil)
    async let second = rendezvous.take(until: Reports.moment(6), by: clock.locationClock)
    await clock.waitForSleepers()
    rendezvous.send(9)
    #expect(value(await second) == 9)
  }

  @Test func `a timer that rings late ends no wait but its own`() async {
    let (sleeps, rings) = (Mailbox<Void>(), Mailbox<Void>())
    let late = LocationClock(now: { Reports.moment(0) }) { _ in
      sleeps.send(())
      // Whoever cancels it is not heard.
      _ = await Task.detached { await rings.take() }.value
    }
    async let first = rendezvous.take(until: Reports.moment(5), by: late)
    _ = await sleeps.take()
    rendezvous.send(1)
    #expect(value(await first) == 1)
    async let second = rendezvous.take()
    await clock.settle()
    rings.send(())
    await clock.settle()
    rendezvous.send(2)
    #expect(value(await second) == 2)
  }

  @Test func `a deadline that has passed ends each of a thousand waits`() async {
    for _ in 0..<1000 {
      #expect(value(await rendezvous.take(until: .past, by: clock.locationClock)) == nil)
    }
  }

  @Test func `a cancelled task does not wait, and takes what is there`() async {
    let task = Task { [rendezvous] in
      withUnsafeCurrentTask { $0?.cancel() }
      let empty = value(await rendezvous.take())
      rendezvous.send(3)
      return [empty, value(await rendezvous.take())]
    }
    #expect(await task.value == [nil, 3])
  }
}
