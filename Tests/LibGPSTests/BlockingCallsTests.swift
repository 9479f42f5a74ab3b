import DaemonHarness
import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(3))) struct `Calls that block` {
  private let loop: EventLoop

  init() throws { loop = try #require(EventLoop.shared) }

  @Test func `give their result`() async throws {
    let (calls, wakeup) = (BlockingCalls<Int>(), WaitPoint(on: loop))
    #expect(
      await calls.value(of: "call", until: .within(.seconds(10)), wakeup) { .success(7) }
        == .success(7))
  }

  @Test func `are given up at a deadline, however long past`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: loop))
    for turn in 0..<500 {
      let deadline: Moment = turn.isMultiple(of: 2) ? .past : LocationClock.live.now
      let value = await calls.value(of: "call", until: deadline, wakeup) {
        gate.block()
        return .success(7)
      }
      #expect(value == nil)
    }
    gate.open()
  }

  @Test func `are adopted by the next who wants the same`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: loop))
    let count = Atomic(0)
    for _ in 0..<10 {
      let value = await calls.value(
        of: "call", until: .within(.milliseconds(1)), wakeup
      ) {
        gate.block()
        return .success(count.add(1, ordering: .relaxed).newValue)
      }
      #expect(value == nil)
    }
    gate.open()
    let value = await calls.value(
      of: "call", until: .within(.seconds(10)), wakeup
    ) { .success(99) }
    #expect(value == .success(1))
    let next = await calls.value(of: "call", until: .within(.seconds(10)), wakeup) { .success(99) }
    #expect(next == .success(99))
  }

  /// As of a call that was given up for another address, and ends a moment later.
  @Test func `are waited for on, although a signal comes that is not theirs`() async {
    let (calls, wakeup) = (BlockingCalls<Int>(), WaitPoint(on: loop))
    let (isSignalled, gate) = (Gate(), Gate())
    async let value = calls.value(of: "call", until: .within(.seconds(10)), wakeup) {
      wakeup.signal()
      isSignalled.open()
      gate.block()
      return .success(7)
    }
    while !isSignalled.isOpen { await Task.yield() }
    // By the end of these jobs the loop has had a turn for the signal.
    for _ in 0..<100 { await Task(executorPreference: loop) {}.value }
    gate.open()
    #expect(await value == .success(7))
  }

  @Test func `do not hold up those of another name`() async throws {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    let (wakeup, other) = (WaitPoint(on: loop), WaitPoint(on: loop))
    async let first = calls.value(
      of: "one", until: .within(.seconds(10)), wakeup
    ) {
      gate.block()
      return .success(1)
    }
    #expect(
      await calls.value(of: "two", until: .within(.seconds(10)), other) { .success(2) }
        == .success(2)
    )
    gate.open()
    #expect(await first == .success(1))
  }

  /// Fault 54.
  @Test func `fail where no thread is left, and block nobody`() async throws {
    let calls = BlockingCalls<Int>(startThread: { _ in false })
    let wakeup = WaitPoint(on: loop)
    let value = await calls.value(of: "call", until: .within(.seconds(10)), wakeup) {
      Issue.record("called on the thread that waits")
      return .success(7)
    }
    #expect(
      value
        == .failure(GPSDError(.cannotConnect, systemError: .errno(EAGAIN), "no thread is left")))
  }
}

extension Gate {
  /// Blocks the thread, as gps_open() does, until the gate is open.
  fileprivate func block() {
    while !isOpen { usleep(1000) }
  }
}
