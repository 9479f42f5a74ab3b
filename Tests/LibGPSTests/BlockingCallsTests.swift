import DaemonHarness
import EventLoop
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(3))) struct `Calls that block` {
  @Test func `give their result`() async throws {
    let (calls, wakeup) = (BlockingCalls<Int>(), WaitPoint(on: .shared))
    #expect(
      await calls.value(of: "call", until: .within(.seconds(10)), wakeup) { 7 }
        == 7)
  }

  @Test func `are given up at a deadline, however long past`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: .shared))
    for turn in 0..<500 {
      let deadline: Moment = turn.isMultiple(of: 2) ? .past : LocationClock.live.now
      let value = await calls.value(of: "call", until: deadline, wakeup) {
        gate.block()
        return 7
      }
      #expect(value == nil)
    }
    gate.open()
  }

  @Test func `are adopted by the next who wants the same`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: .shared))
    let count = Atomic(0)
    for _ in 0..<10 {
      let value = await calls.value(
        of: "call", until: .within(.milliseconds(1)), wakeup
      ) {
        gate.block()
        return count.add(1, ordering: .relaxed).newValue
      }
      #expect(value == nil)
    }
    gate.open()
    let value = await calls.value(
      of: "call", until: .within(.seconds(10)), wakeup
    ) { 99 }
    #expect(value == 1)
    let next = await calls.value(of: "call", until: .within(.seconds(10)), wakeup) { 99 }
    #expect(next == 99)
  }

  /// As of a call that was given up for another address, and ends a moment later.
  @Test func `are waited for on, although a signal comes that is not theirs`() async {
    let (calls, wakeup) = (BlockingCalls<Int>(), WaitPoint(on: .shared))
    let (isSignalled, gate) = (Gate(), Gate())
    async let value = calls.value(of: "call", until: .within(.seconds(10)), wakeup) {
      wakeup.signal()
      isSignalled.open()
      gate.block()
      return 7
    }
    while !isSignalled.isOpen { await Task.yield() }
    // By the end of these jobs the loop has had a turn for the signal.
    for _ in 0..<100 { await Task(executorPreference: EventLoop.shared) {}.value }
    gate.open()
    #expect(await value == 7)
  }

  @Test func `do not hold up those of another name`() async throws {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    let (wakeup, other) = (WaitPoint(on: .shared), WaitPoint(on: .shared))
    async let first = calls.value(
      of: "one", until: .within(.seconds(10)), wakeup
    ) {
      gate.block()
      return 1
    }
    #expect(
      await calls.value(of: "two", until: .within(.seconds(10)), other) { 2 } == 2
    )
    gate.open()
    #expect(await first == 1)
  }
}

extension Gate {
  /// Blocks the thread, as gps_open() does, until the gate is open.
  fileprivate func block() {
    while !isOpen { usleep(1000) }
  }
}
