import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationCore

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A listener` {
  private let clock = ManualClock()
  private var uptime: Duration { clock.locationClock.now.uptime }

  private func heard(by listener: Listener) -> [Int] {
    var numbers: [Int] = []
    listener.take(into: &numbers)
    return numbers
  }

  @Test func `hears a bell once for each time that it asked to`() {
    let (listener, bell) = (Listener(), Bell())
    bell.ring()
    bell.ring()
    #expect(!listener.hasHeard)
    bell.tell(listener, as: 3)
    #expect(heard(by: listener) == [3])
    bell.tell(listener, as: 4)
    #expect(!listener.hasHeard)
    bell.ring()
    #expect(heard(by: listener) == [4])
    bell.ring()
    #expect(!listener.hasHeard)
  }

  @Test func `replaces another one of a bell`() {
    let (first, second, bell) = (Listener(), Listener(), Bell())
    bell.tell(first, as: 1)
    bell.tell(second, as: 2)
    bell.ring()
    #expect(!first.hasHeard && heard(by: second) == [2])
  }

  @Test func `tells another one, at once if it has heard something`() {
    let (inner, outer) = (Listener(), Listener())
    inner.tell(outer, as: 7)
    inner.hear(1)
    inner.hear(1)
    #expect(heard(by: outer) == [7])
    inner.tell(outer, as: 8)
    #expect(heard(by: outer) == [8])
    #expect(heard(by: inner) == [1, 1])
    inner.tell(outer, as: 9)
    #expect(!outer.hasHeard)
    inner.signal()
    #expect(heard(by: outer) == [9] && heard(by: inner) == [])
  }

  @Test func `waits until it hears something, is interrupted, or its deadline has come`() async {
    let listener = Listener(at: clock.locationClock.semaphore)
    listener.hear(1)
    await listener.wait(until: nil)
    #expect(heard(by: listener) == [1])
    listener.interrupt()
    await listener.wait(until: nil)
    listener.clear()
    for end in [{ listener.hear(2) }, { listener.interrupt() }] as [@Sendable () -> Void] {
      async let wait: Void = listener.wait(until: Reports.moment(5))
      await clock.waitForSleepers()
      end()
      await wait
      #expect(uptime == .zero)
      listener.clear()
    }
    await clock.whileAdvancing { await listener.wait(until: Reports.moment(5)) }
    #expect(uptime == .seconds(5))
    #expect(!listener.hasHeard)
  }

  @Test func `ends its wait when the task of a waiter is cancelled`() async {
    let waiter = Waiter(by: clock.locationClock)
    let waiting = Task { await waiter.wait(for: Wait()) }
    await clock.settle()
    waiting.cancel()
    await waiting.value
  }

  @Test func `waits by the earlier of two deadlines`() async {
    let waiter = Waiter(by: clock.locationClock)
    for (wait, deadline, end) in [(9.0, 2.0, 2.0), (4, 9, 4)] {
      await clock.whileAdvancing {
        await waiter.wait(for: Wait(until: Reports.moment(wait)), until: Reports.moment(deadline))
      }
      #expect(uptime == Reports.moment(end).uptime)
    }
  }

  @Test func `stops a clock that only a wait moves from passing what has come`() async {
    let moved = Collector<Double>()
    let clock = LocationClock(
      now: { Reports.moment(0) }, move: { moment, _ in moved.add(moment.uptime.inSeconds) },
      sleepUntil: { _ in })
    let listener = Listener(at: clock.semaphore)
    await clock.wait(until: Reports.moment(5), hearing: listener)
    listener.hear(0)
    await clock.wait(until: Reports.moment(6), hearing: listener)
    #expect(moved.values == [5])
  }

  @Test func `has the result of a task, whose bell rings at its end`() async {
    let (listener, demand) = (Listener(), Mailbox<Int>())
    let task = PolledTask<Int, LocationError>(on: nil) { () throws(LocationError) in
      guard case .value(let value) = await demand.take() else { throw .gone }
      return value
    }
    task.end.tell(listener, as: 0)
    await clock.settle()
    #expect(task.result == nil && !listener.hasHeard)
    demand.send(7)
    await clock.settle()
    #expect(task.result == .success(7) && listener.hasHeard)
  }

  @Test(arguments: [true, false]) func `hears the end of a task that is cancelled or dropped`(
    isDropped: Bool
  ) async {
    let listener = Listener()
    var task: PolledTask<Void, Never>? = PolledTask(on: nil) { _ = await Mailbox<Void>().take() }
    task?.end.tell(listener, as: 0)
    await clock.settle()
    #expect(!listener.hasHeard)
    if isDropped { task = nil } else { task?.cancel() }
    await clock.settle()
    #expect(listener.hasHeard)
  }
}
