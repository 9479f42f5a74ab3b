import LocationCore
import LocationTestKit
import Synchronization

extension RetryPolicy {
  /// The usual delays, which vary in the same way for the same seed.
  static func repeatable(seed: UInt64) -> RetryPolicy {
    let random = Chance(seed: seed)
    var policy = RetryPolicy()
    policy.random = { random.next() }
    return policy
  }

  private final class Chance: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) { random = Mutex(SeededRandom(seed: seed)) }

    func next() -> Double { random.withLock { .random(in: 0..<1, using: &$0) } }
  }
}
