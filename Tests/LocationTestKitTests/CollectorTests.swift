import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A collector` {
  private let collector = Collector<Int>()

  @Test func `returns each value once, and keeps all`() async {
    for value in 1...3 { collector.add(value) }
    #expect(await collector.next() == [1])
    #expect(await collector.next(2) == [2, 3])
    #expect(collector.values == [1, 2, 3])
  }

  @Test func `waits for values that come later`() async {
    async let values = collector.next(10, atMost: .seconds(240))
    for value in 1...10 {
      collector.add(value)
      await Task.yield()
    }
    #expect(await values == Array(1...10))
  }

  @Test func `returns whether nothing else came`() async {
    let clock = ManualClock()
    let task = Task {
      for value in 1...3 {
        collector.add(value)
        try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
      }
    }
    #expect(await collector.next() == [1])
    #expect(await collector.rest(by: clock) == [])
    clock.jump(by: .seconds(1))
    #expect(await collector.rest(by: clock) == [2])
    clock.jump(by: .seconds(1))
    #expect(await collector.rest(by: clock) == [3])
    clock.jump(by: .seconds(1))
    await task.value
  }

  @Test func `returns what there is at its limit, and when it is cancelled`() async {
    collector.add(1)
    #expect(await collector.next(2, atMost: .milliseconds(5)) == [1])
    collector.add(2)
    let waiting = Task { await collector.next(2) }
    waiting.cancel()
    #expect(await waiting.value == [2])
    collector.add(3)
    #expect(await collector.next(-1) == [])
    #expect(await collector.next() == [3])
  }
}
