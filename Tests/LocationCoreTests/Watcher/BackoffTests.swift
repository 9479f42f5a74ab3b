import LocationTestKit
import Synchronization
import Testing

@testable import LocationCore

/// Fault 1.
@Suite struct `Backoff of retries` {
  private func delays(_ count: Int, _ policy: RetryPolicy) -> [Duration?] {
    var backoff = Backoff(policy)
    return (0..<count).map { _ in backoff.nextDelay() }
  }

  @Test(arguments: [(nil, 4), (2, 2), (0, 0), (-1, 0)] as [(Int?, Int)])
  func `gives up after a number of retries in a row`(limit: Int?, count: Int) {
    let policy = RetryPolicy(delays: [.seconds(1)], maximumRetries: limit, jitter: 0)
    var backoff = Backoff(policy)
    #expect((1...4).compactMap { _ in backoff.nextDelay() }.count == count)
    if let limit, limit > 0 {
      #expect("\(policy)" == "at most 2 retries after 1.0 seconds, jitter 0.0")
    }
  }

  @Test func `counts retries again after a connection that worked`() {
    var backoff = Backoff(RetryPolicy(delays: [.seconds(1)], maximumRetries: 1, jitter: 0))
    #expect(backoff.nextDelay() == .seconds(1))
    backoff.recordReport(at: Moment(uptime: .seconds(10)))
    backoff.recordReport(at: Moment(uptime: .seconds(40)))
    #expect(backoff.nextDelay() == .seconds(1))
    #expect(backoff.nextDelay() == nil)
  }

  @Test func `waits 1, 2, 4, 8, 16, 30 s, and 30 s from then on`() {
    #expect(
      delays(8, RetryPolicy(jitter: 0)) == [1, 2, 4, 8, 16, 30, 30, 30].map { .seconds($0) })
  }

  @Test(arguments: [(0.0, 800), (0.5, 1000), (0.75, 1100)])
  func `each wait is up to 20 % shorter or longer`(random: Double, milliseconds: Int64) {
    let delay = delays(1, RetryPolicy(random: { random }))[0]
    #expect(delay.map { $0.nanoseconds / 1000 } == milliseconds * 1000)
  }

  @Test(
    arguments: [
      (.seconds(30), 0.2, 7, 36), (.seconds(30), 0.2, -7, 24), (.seconds(30), 0.2, .nan, 30),
      (.seconds(30), .nan, 0, 30), (.seconds(30), .infinity, 1, 60), (.seconds(30), -3, 0, 30),
      (.seconds(30), 9, 0, 0), (.seconds(-30), 0.2, 0, 0), (.seconds(-30), 0, 0, 0),
    ] as [(Duration, Double, Double, Int64)])
  func `what is out of range counts as the nearest that is not`(
    delay: Duration, jitter: Double, random: Double, seconds: Int64
  ) {
    let policy = RetryPolicy(delays: [delay], jitter: jitter, random: { random })
    #expect(delays(2, policy) == [.seconds(seconds), .seconds(seconds)])
  }

  @Test(arguments: [0, 0.2, 1])
  func `the longest wait is 292 years`(jitter: Double) {
    for delay in [Duration.seconds(Int64.max), .seconds(Int64.max) * 10, .nanoseconds(Int64.max)] {
      let policy = RetryPolicy(delays: [delay], jitter: jitter, random: { 1 })
      #expect(delays(1, policy) == [.nanoseconds(Int64.max)])
      #expect(delays(1, RetryPolicy(delays: [.zero - delay], jitter: jitter)) == [.zero])
    }
  }

  @Test func `seeded waits stay within 20 % and differ`() {
    let random = Mutex(SeededRandom(seed: 1))
    let policy = RetryPolicy(random: { random.withLock { .random(in: 0..<1, using: &$0) } })
    let all = delays(106, policy).compactMap { $0?.inSeconds }
    for (delay, nominal) in zip(all, [1, 2, 4, 8, 16] + Array(repeating: 30.0, count: 101)) {
      #expect((nominal * 0.8...nominal * 1.2).contains(delay))
    }
    #expect(Set(all).count == 106)
  }

  @Test func `starts again after 30 s of health, and no earlier`() {
    for (health, expected) in [(29.9, 4), (30, 1)] {
      var backoff = Backoff(RetryPolicy(jitter: 0))
      _ = backoff.nextDelay()
      _ = backoff.nextDelay()
      backoff.recordReport(at: Reports.moment(100))
      backoff.recordReport(at: Reports.moment(100 + health))
      #expect(backoff.nextDelay() == .seconds(expected))
    }
  }

  @Test func `health does not add up over connections`() {
    var backoff = Backoff(RetryPolicy(jitter: 0))
    for expected in [1, 2, 4] {
      backoff.recordReport(at: Reports.moment(Double(expected) * 100))
      backoff.recordReport(at: Reports.moment(Double(expected) * 100 + 20))
      #expect(backoff.nextDelay() == .seconds(expected))
    }
  }

  @Test func `never is never`() { #expect(delays(2, .never) == [nil, nil]) }
}

extension RetryPolicy {
  fileprivate init(
    delays: [Duration] = RetryPolicy().delays, jitter: Double = 0.2,
    random: @escaping @Sendable () -> Double
  ) {
    self.init(delays: delays, jitter: jitter)
    self.random = random
  }
}
