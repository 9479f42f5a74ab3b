import DaemonHarness
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LibGPS

@Suite(.timeLimit(.minutes(1))) struct `Calls that block` {
  private static let clock = LocationClock.live

  @Test func `give their result`() async {
    let calls = BlockingCalls<Int>()
    #expect(await calls.value(of: "call", until: .within(.seconds(10)), by: Self.clock) { 7 } == 7)
  }

  @Test func `are given up at a deadline, however long past`() async {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    for turn in 0..<500 {
      let deadline: Moment = turn.isMultiple(of: 2) ? .past : Self.clock.now
      let value = await calls.value(of: "call", until: deadline, by: Self.clock) {
        gate.block()
        return 7
      }
      #expect(value == nil)
    }
    gate.open()
  }

  @Test func `are adopted by the next who wants the same`() async {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    let count = Atomic(0)
    for _ in 0..<10 {
      let value = await calls.value(
        of: "call", until: .within(.milliseconds(1)), by: Self.clock
      ) {
        gate.block()
        return count.add(1, ordering: .relaxed).newValue
      }
      #expect(value == nil)
    }
    gate.open()
    let value = await calls.value(of: "call", until: .within(.seconds(10)), by: Self.clock) { 99 }
    #expect(value == 1)
    let next = await calls.value(of: "call", until: .within(.seconds(10)), by: Self.clock) { 99 }
    #expect(next == 99)
  }

  @Test func `do not hold up those of another name`() async {
    let (calls, gate) = (BlockingCalls<Int>(), Gate())
    async let first = calls.value(of: "one", until: .within(.seconds(10)), by: Self.clock) {
      gate.block()
      return 1
    }
    #expect(await calls.value(of: "two", until: .within(.seconds(10)), by: Self.clock) { 2 } == 2)
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
