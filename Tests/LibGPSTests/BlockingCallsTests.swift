import DaemonHarness
import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LibGPS

/// Fault 3.
@Suite(.timeLimit(.minutes(3))) struct `Calls that block` {
  private let loop: EventLoop
  private let host = GPSDEndpoint(host: "boat.example", port: 4711)

  init() throws { loop = try #require(EventLoop.shared) }

  @Test func `return their result`() async throws {
    let (calls, wakeup) = (BlockingCalls<Int>(), WaitPoint(on: loop))
    #expect(try await calls.value(of: host, until: .within(.seconds(10)), wakeup) { 7 } == 7)
  }

  @Test func `are given up at a deadline, however long past`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: loop))
    for turn in 0..<500 {
      let deadline: Moment = turn.isMultiple(of: 2) ? .past : LocationClock.live.now
      let value = try await calls.value(of: host, until: deadline, wakeup) {
        gate.block()
        return 7
      }
      #expect(value == nil)
    }
    gate.open()
  }

  @Test func `are adopted by the next caller with the same request`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: loop))
    let count = Atomic(0)
    for _ in 0..<10 {
      let value = try await calls.value(of: host, until: .within(.milliseconds(1)), wakeup) {
        gate.block()
        return count.add(1, ordering: .relaxed).newValue
      }
      #expect(value == nil)
    }
    // The loop runs its jobs in order: the call ends once the next caller waits for it.
    let next = Task(executorPreference: loop) {
      try await calls.value(of: host, until: .within(.seconds(10)), wakeup) { 99 }
    }
    await Task(executorPreference: loop) { gate.open() }.value
    #expect(try await next.value == 1)
    let other = try await calls.value(of: host, until: .within(.seconds(10)), wakeup) { 99 }
    #expect(other == 99)
  }

  @Test func `are not adopted when they are too old, unless there are two`() async throws {
    let (calls, gate) = (BlockingCalls<Int>(adoptionLimit: .milliseconds(5)), Gate())
    let wakeup = WaitPoint(on: loop)
    let count = Atomic(0)
    for _ in 0..<4 {
      let value = try await calls.value(of: host, until: .within(.milliseconds(10)), wakeup) {
        let number = count.add(1, ordering: .relaxed).newValue
        gate.block()
        return number
      }
      #expect(value == nil)
    }
    #expect(count.load(ordering: .relaxed) == 2)
    // The younger one.
    let next = Task(executorPreference: loop) {
      try await calls.value(of: host, until: .within(.seconds(10)), wakeup) { 99 }
    }
    await Task(executorPreference: loop) { gate.open() }.value
    #expect(try await next.value == 2)
  }

  @Test func `are forgotten when they end and nobody waits for them`() async throws {
    let (gate, end, wakeup) = (Gate(), Gate(), WaitPoint(on: loop))
    let calls = BlockingCalls<Int>(startThread: { body in
      BlockingThread.start {
        body()
        end.open()
      }
    })
    let none = try await calls.value(of: host, until: .past, wakeup) {
      gate.block()
      return 1
    }
    #expect(none == nil)
    gate.open()
    while !end.isOpen { await Task.yield() }
    #expect(try await calls.value(of: host, until: .within(.seconds(10)), wakeup) { 2 } == 2)
  }

  /// As of a call that was given up for another address, and ends a moment later.
  @Test func `are still awaited after a signal that is not theirs`() async throws {
    let (calls, wakeup) = (BlockingCalls<Int>(), WaitPoint(on: loop))
    let (isSignalled, gate) = (Gate(), Gate())
    async let value = calls.value(of: host, until: .within(.seconds(10)), wakeup) {
      wakeup.signal()
      isSignalled.open()
      gate.block()
      return 7
    }
    while !isSignalled.isOpen { await Task.yield() }
    // By the end of these jobs the loop has had a turn for the signal.
    for _ in 0..<100 { await Task(executorPreference: loop) {}.value }
    gate.open()
    #expect(try await value == 7)
  }

  /// Fault 138.
  @Test
  func `are called slow after half a second, or at an earlier deadline, before they are given up`()
    async throws
  {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), WaitPoint(on: loop))
    for limit in [Duration.milliseconds(700), .milliseconds(1), .seconds(-1)] {
      var slow: [Duration] = []
      let start = LocationClock.live.now
      let value = try await calls.value(
        of: host, until: start.advanced(by: limit), wakeup,
        isSlow: { slow.append(start.duration(to: LocationClock.live.now)) }
      ) {
        gate.block()
        return 7
      }
      #expect(value == nil)
      #expect(slow.count == 1 && slow[0] >= min(limit, .milliseconds(500)))
    }
    gate.open()
  }

  @Test func `do not delay those to another host`() async throws {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    let (wakeup, other) = (WaitPoint(on: loop), WaitPoint(on: loop))
    async let first = calls.value(of: host, until: .within(.seconds(10)), wakeup) {
      gate.block()
      return 1
    }
    let van = GPSDEndpoint(host: "van.example")
    #expect(try await calls.value(of: van, until: .within(.seconds(10)), other) { 2 } == 2)
    gate.open()
    #expect(try await first == 1)
  }

  /// Fault 54: as while the thread of the call before ends.
  @Test func `wait a moment for a thread`() async throws {
    let attempts = Atomic(0)
    let calls = BlockingCalls<Int>(startThread: { body in
      attempts.add(1, ordering: .relaxed).newValue == 3 && BlockingThread.start(body)
    })
    let wakeup = WaitPoint(on: loop)
    #expect(try await calls.value(of: host, until: .within(.seconds(10)), wakeup) { 7 } == 7)
    #expect(attempts.load(ordering: .relaxed) == 3)
  }

  /// Fault 54.
  @Test func `fail where no thread is left, and block nobody`() async throws {
    let calls = BlockingCalls<Int>(startThread: { _ in false })
    let wakeup = WaitPoint(on: loop)
    let error = LocationError(.unreachable, systemError: .errno(EAGAIN), "no thread is left")
    await #expect(throws: error) {
      try await calls.value(of: host, until: .within(.seconds(10)), wakeup) {
        Issue.record("called on the thread that waits")
        return 7
      }
    }
  }
}

extension Gate {
  /// Blocks the thread, as gps_open() does, until the gate is open.
  fileprivate func block() {
    while !isOpen { usleep(1000) }
  }
}
