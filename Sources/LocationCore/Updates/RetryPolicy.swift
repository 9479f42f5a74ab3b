/// The delays between attempts to connect to a service that failed.
public struct RetryPolicy: Sendable {
  /// The delays after the first, second, ... failure in a row; the last one repeats.
  ///
  /// If the array is empty, there are no retries. Negative delays count as zero, and delays are
  /// clamped to 292 years.
  package var delays: [Duration]
  /// The maximum number of retries in a row before the policy gives up; `nil` for any number. The first attempt is
  /// not a retry. Negative numbers count as 0.
  package var maximumRetries: Int?
  /// The fraction by which each delay varies at random, so that many clients do not reconnect at
  /// the same time. Clamped to 0...1; NaN counts as 0.
  package var jitter: Double
  /// How long a connection must work before the delays start again with the first one.
  package var healthyAfter: Duration
  /// Returns random numbers in 0..<1. Results are clamped to 0...1; NaN counts as 0.5.
  package var random: @Sendable () -> Double = { .random(in: 0..<1) }

  /// Creates a policy. The default one retries forever, after 1, 2, 4, 8, 16 and then every 30 s,
  /// each delay ±20 %.
  ///
  /// - Parameters:
  ///   - delays: The delays after consecutive failures; the last one repeats. Empty for no retries.
  ///   - maximumRetries: The maximum number of retries in a row; `nil` for any number.
  ///   - jitter: The fraction by which each delay varies at random, 0 to 1.
  ///   - healthyAfter: How long a connection must work before the delays start again with the first one.
  public init(
    delays: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }, maximumRetries: Int? = nil,
    jitter: Double = 0.2, healthyAfter: Duration = .seconds(30)
  ) {
    self.delays = delays
    self.maximumRetries = maximumRetries
    self.jitter = jitter
    self.healthyAfter = healthyAfter
  }

  /// A policy without retries: the first error is thrown.
  public static let never = RetryPolicy(delays: [])
}

extension RetryPolicy: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `retries after 1.0 seconds, 30.0 seconds, jitter 0.2`, or `no retries`. Its format may change.
  public var description: String {
    if delays.isEmpty { return "no retries" }
    let limit = maximumRetries.map { "at most \(max(0, $0)) " } ?? ""
    let list = delays.map { "\($0)" }.joined(separator: ", ")
    return "\(limit)retries after \(list), jitter \(jitter)"
  }
}

/// The delay before the next attempt, by a ``RetryPolicy``.
package struct Backoff: Sendable {
  private let policy: RetryPolicy
  private var failures = 0
  private var healthySince: Moment?

  package init(_ policy: RetryPolicy) { self.policy = policy }

  /// Records that the service reported something.
  mutating func recordReport(at moment: Moment) {
    guard failures > 0 else { return }
    guard let healthySince else {
      healthySince = moment
      return
    }
    if healthySince.duration(to: moment) >= policy.healthyAfter { failures = 0 }
  }

  /// Returns the delay after a failure; `nil` if there are no retries.
  package mutating func nextDelay() -> Duration? {
    guard let last = policy.delays.last, failures < policy.maximumRetries ?? .max else {
      return nil
    }
    let delay = failures < policy.delays.count ? policy.delays[failures] : last
    failures += 1
    healthySince = nil
    let jitter = policy.jitter.clamped(nan: 0) * (2 * policy.random().clamped(nan: 0.5) - 1)
    let nominal = max(0, delay.nanoseconds)
    guard jitter != 0 else { return .nanoseconds(nominal) }
    return Nanoseconds(nearestTo: Double(nominal) * (1 + jitter)).duration
  }
}

extension Double {
  /// Returns the number clamped to 0...1; `nan` for NaN.
  fileprivate func clamped(nan: Double) -> Double {
    isNaN ? nan : Swift.min(Swift.max(self, 0), 1)
  }
}
