import DaemonHarness
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(1))) struct `Calls that block` {
  private static let clock = LocationClock.live

  @Test func `give their result`() async throws {
    let (calls, wakeup) = (BlockingCalls<Int>(), try Wakeup())
    #expect(
      calls.value(of: "call", until: .within(.seconds(10)), by: Self.clock, wakeup: wakeup) { 7 }
        == 7)
  }

  @Test func `are given up at a deadline, however long past`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), try Wakeup())
    for turn in 0..<500 {
      let deadline: Moment = turn.isMultiple(of: 2) ? .past : Self.clock.now
      let value = calls.value(of: "call", until: deadline, by: Self.clock, wakeup: wakeup) {
        gate.block()
        return 7
      }
      #expect(value == nil)
    }
    gate.open()
  }

  @Test func `are waited for up to their deadline by the session's clock, and not beyond`() throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), try Wakeup())
    let readings = Mutex<[Int64]>([2_998_000_000, 2_999_999_999, 3_000_000_000, 9_000_000_000])
    let clock = LocationClock(
      now: { Moment(uptime: .nanoseconds(readings.withLock { $0.removeFirst() })) },
      sleepUntil: { _ in })
    let value = calls.value(
      of: "call", until: Moment(uptime: .seconds(3)), by: clock, wakeup: wakeup
    ) {
      gate.block()
      return 7
    }
    #expect(value == nil)
    #expect(readings.withLock(\.self) == [9_000_000_000])
    gate.open()
  }

  @Test func `are adopted by the next who wants the same`() async throws {
    let (calls, gate, wakeup) = (BlockingCalls<Int>(), Gate(), try Wakeup())
    let count = Atomic(0)
    for _ in 0..<10 {
      let value = calls.value(
        of: "call", until: .within(.milliseconds(1)), by: Self.clock, wakeup: wakeup
      ) {
        gate.block()
        return count.add(1, ordering: .relaxed).newValue
      }
      #expect(value == nil)
    }
    gate.open()
    let value = calls.value(
      of: "call", until: .within(.seconds(10)), by: Self.clock, wakeup: wakeup
    ) { 99 }
    #expect(value == 1)
    let next = calls.value(of: "call", until: .within(.seconds(10)), by: Self.clock, wakeup: wakeup)
    { 99 }
    #expect(next == 99)
  }

  @Test func `do not hold up those of another name`() async throws {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    let (wakeup, other) = (try Wakeup(), try Wakeup())
    async let first = calls.value(
      of: "one", until: .within(.seconds(10)), by: Self.clock, wakeup: wakeup
    ) {
      gate.block()
      return 1
    }
    #expect(
      calls.value(of: "two", until: .within(.seconds(10)), by: Self.clock, wakeup: other) { 2 } == 2
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
