import LocationCore

/// When the disk has to take what was written: so early that it is there within 10 s.
///
/// A line is written within a second, and the recorder looks at this at least once a second.
struct SyncSchedule {
  private static let delay = Duration.seconds(5)

  /// When the first bytes were written that the disk need not have.
  private var oldest: Moment?

  mutating func recordWrite(at moment: Moment) { oldest = oldest ?? moment }

  /// Records that the disk is given all that was written.
  mutating func recordSync() { oldest = nil }

  func isDue(at moment: Moment) -> Bool {
    oldest.map { $0.duration(to: moment) >= Self.delay } ?? false
  }
}
