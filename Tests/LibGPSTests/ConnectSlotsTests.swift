import EventLoop
import Synchronization
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(5))) struct `Slots of threads that connect` {
  private final class Order: Sendable {
    let numbers = Mutex<[Int]>([])
  }

  @Test func `are given to a limited number at once, in the order of the requests`() async throws {
    let loop = try #require(EventLoop.shared)
    let slots = ConnectSlots(count: 2, maximumAside: 0)
    let held = Mutex<[ConnectSlots.Slot?]>([])
    for _ in 0..<2 {
      let slot = await slots.take(WaitPoint(on: loop))
      held.withLock { $0.append(slot) }
    }
    let order = Order()
    let first = Task {
      let slot = await slots.take(WaitPoint(on: loop))
      order.numbers.withLock { $0.append(1) }
      return slot != nil
    }
    while slots.waitingCount < 1 { await Task.yield() }
    let second = Task {
      let slot = await slots.take(WaitPoint(on: loop))
      order.numbers.withLock { $0.append(2) }
      return slot != nil
    }
    while slots.waitingCount < 2 { await Task.yield() }
    #expect(order.numbers.withLock(\.self) == [])
    held.withLock { $0[0] = nil }
    #expect(await first.value)
    #expect(await second.value)
    #expect(order.numbers.withLock(\.self) == [1, 2])
  }

  @Test func `are not given to a cancelled task, which leaves the queue`() async throws {
    let loop = try #require(EventLoop.shared)
    let slots = ConnectSlots(count: 1, maximumAside: 0)
    let slot = await slots.take(WaitPoint(on: loop))
    let waiting = Task { await slots.take(WaitPoint(on: loop)) == nil }
    while slots.waitingCount < 1 { await Task.yield() }
    waiting.cancel()
    #expect(await waiting.value)
    #expect(slots.waitingCount == 0)
    withExtendedLifetime(slot) {}
  }

  /// Fault 138.
  @Test func `are given to others while few are set aside`() async throws {
    let loop = try #require(EventLoop.shared)
    let slots = ConnectSlots(count: 1, maximumAside: 2)
    func take() async -> ConnectSlots.Slot? { await slots.take(WaitPoint(on: loop)) }
    let first = Mutex(await take())
    first.withLock { slot in
      // Once is enough.
      for _ in 0..<3 { slot?.setAside() }
    }
    let second = await take()
    second?.setAside()
    let third = await take()
    third?.setAside()
    let waiting = Task { await take() != nil }
    while slots.waitingCount < 1 { await Task.yield() }
    // The end of one that is aside makes room for the third.
    first.withLock { $0 = nil }
    #expect(await waiting.value)
    withExtendedLifetime((second, third)) {}
  }

  /// Fault 120.
  @Test func `are given in that order to thousands, of which many leave the queue`() async throws {
    let loop = try #require(EventLoop.shared)
    let slots = ConnectSlots(count: 1, maximumAside: 0)
    let held = Mutex<ConnectSlots.Slot?>(await slots.take(WaitPoint(on: loop)))
    let order = Order()
    var tasks: [Task<Void, Never>] = []
    for number in 0..<2000 {
      let task = Task {
        guard let slot = await slots.take(WaitPoint(on: loop)) else { return }
        order.numbers.withLock { $0.append(number) }
        withExtendedLifetime(slot) {}
      }
      tasks.append(task)
      while slots.waitingCount <= number { await Task.yield() }
    }
    let leaving = tasks.indices.filter { !$0.isMultiple(of: 3) }
    for number in leaving { tasks[number].cancel() }
    for number in leaving { await tasks[number].value }
    #expect(slots.waitingCount == 667)
    held.withLock { $0 = nil }
    for task in tasks { await task.value }
    #expect(order.numbers.withLock(\.self) == tasks.indices.filter { $0.isMultiple(of: 3) })
    #expect(slots.waitingCount == 0)
  }
}
