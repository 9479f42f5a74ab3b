import Shop
import Synchronization
import Testing
import VirtualTimeTesting

/// Each test runs under all orders of its tasks, or under a thousand.
@Suite(.schedules(atMost: 1_000), .timeLimit(.minutes(5))) struct `A shop` {
  private let clock = ManualClock()

  @Test func `loads a price once for all who ask at the same time`() async throws {
    let loads = Mutex(0)
    let cache = PriceCache(now: { [clock] in clock.elapsed }) { _ in
      loads.withLock { $0 += 1 }
      await Task.yield()
      return 7
    }
    async let first = cache.price(of: "pen")
    async let second = cache.price(of: "pen")
    #expect(try await [first, second] == [7, 7])
    #expect(loads.withLock(\.self) == 1)
  }

  @Test func `loads a price again after a minute`() async throws {
    let loads = Mutex(0)
    let cache = PriceCache(now: { [clock] in clock.elapsed }) { _ in
      loads.withLock {
        $0 += 1
        return $0
      }
    }
    #expect(try await cache.price(of: "pen") == 1)
    await clock.advance(by: .seconds(59))
    #expect(try await cache.price(of: "pen") == 1)
    await clock.advance(by: .seconds(1))
    #expect(try await cache.price(of: "pen") == 2)
  }

  @Test func `sends an order again until it is accepted`() async {
    let attempts = Mutex(0)
    let order = Order(clock: clock) {
      attempts.withLock {
        $0 += 1
        return $0 == 4
      }
    }
    let outcome = await clock.whileAdvancing { await order.place() }
    #expect(outcome == .accepted(attempts: 4))
    #expect(clock.elapsed == .seconds(7))
    #expect(clock.sleeperCount == 0)
  }

  @Test func `counts an answer that comes at the limit`() async {
    let order = Order(clock: clock) { [clock] in
      (try? await clock.sleep(for: .seconds(30))) != nil
    }
    let outcome = await clock.whileAdvancing { await order.place(limit: .seconds(30)) }
    #expect(outcome == .accepted(attempts: 1))
  }

  @Test func `gives up at the limit`() async {
    let order = Order(clock: clock) { false }
    let outcome = await clock.whileAdvancing { await order.place(limit: .seconds(10)) }
    #expect(outcome == .timedOut)
    #expect(clock.elapsed == .seconds(10))
    #expect(clock.sleeperCount == 0)
  }
}
