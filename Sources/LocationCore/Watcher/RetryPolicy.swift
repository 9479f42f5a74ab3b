/// When a service that failed is tried again.
public struct RetryPolicy: Sendable {
  /// The waits, one failure after the other; the last one repeats. Empty where nothing is tried
  /// again. A negative one is none, and none is longer than 292 years.
  public var delays: [Duration]
  /// Each wait is longer or shorter by up to this share of it, so that many clients do not come
  /// back at once. 0 to 1; what is beyond counts as the nearer of them, and NaN as 0.
  public var jitter: Double
  /// After a connection has worked for so long, the waits start from the beginning.
  public var healthyAfter: Duration
  /// Gives numbers in 0..<1. What is beyond counts as the nearer end, and NaN as the middle.
  public var random: @Sendable () -> Double

  /// By default it waits 1, 2, 4, 8, 16, then every 30 s, each time 20 % more or less, and for
  /// ever.
  ///
  /// - Parameters:
  ///   - delays: The waits; the last one repeats. Empty tries nothing again.
  ///   - jitter: The share by which each wait is longer or shorter at the most, 0 to 1.
  ///   - healthyAfter: How long a connection has to work for the waits to start from the beginning.
  ///   - random: Gives numbers in 0..<1; a test gives a constant.
  public init(
    delays: [Duration] = [1, 2, 4, 8, 16, 30].map { .seconds($0) }, jitter: Double = 0.2,
    healthyAfter: Duration = .seconds(30),
    random: @escaping @Sendable () -> Double = { .random(in: 0..<1) }
  ) {
    self.delays = delays
    self.jitter = jitter
    self.healthyAfter = healthyAfter
    self.random = random
  }

  /// Tries once, and fails with the first error.
  public static let never = RetryPolicy(delays: [])
}

/// Which wait comes next.
struct Backoff: Sendable {
  private let policy: RetryPolicy
  private var failures = 0
  private var healthySince: Moment?

  init(_ policy: RetryPolicy) { self.policy = policy }

  /// Something came from the service.
  mutating func noteReport(at moment: Moment) {
    guard failures > 0 else { return }
    guard let healthySince else {
      healthySince = moment
      return
    }
    if healthySince.duration(to: moment) >= policy.healthyAfter { failures = 0 }
  }

  /// The wait after a failure; `nil` where nothing is tried again.
  mutating func nextDelay() -> Duration? {
    guard let last = policy.delays.last else { return nil }
    let delay = failures < policy.delays.count ? policy.delays[failures] : last
    failures += 1
    healthySince = nil
    let share = policy.jitter.limited(or: 0) * (2 * policy.random().limited(or: 0.5) - 1)
    let nominal = max(0, delay.nanoseconds)
    guard share != 0 else { return .nanoseconds(nominal) }
    return Nanoseconds(nearestTo: Double(nominal) * (1 + share)).duration
  }
}

extension Double {
  /// The nearest number from 0 to 1; `middle` for NaN.
  fileprivate func limited(or middle: Double) -> Double {
    isNaN ? middle : Swift.min(Swift.max(self, 0), 1)
  }
}
