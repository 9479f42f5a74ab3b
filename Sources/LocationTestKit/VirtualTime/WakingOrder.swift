import Synchronization

/// The order in which a ``ManualClock`` wakes those that sleep until the same moment.
///
/// Scripts come first, in the order in which they were made: which of their tasks slept first depends on the machine.
package enum WakingOrder {
  /// The place of what the current task sleeps for.
  @TaskLocal package static var place = Int.max

  private static let count = Atomic(0)

  /// Returns a place after all others so far.
  package static func nextPlace() -> Int {
    count.add(1, ordering: .relaxed).newValue
  }
}
