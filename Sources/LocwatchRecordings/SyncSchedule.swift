import LocationCore

/// When written bytes have to be synced, so that they are on the disk within 10 s.
///
/// A line is written within a second, and the recorder checks the schedule at least once a second.
struct SyncSchedule {
  private static let delay = Duration.seconds(5)

  /// When the first bytes since the last sync were written; `nil` if there are none.
  private var oldest: Moment?

  mutating func recordWrite(at moment: Moment) { oldest = oldest ?? moment }

  /// Records that all written bytes are being synced.
  mutating func recordSync() { oldest = nil }

  func isDue(at moment: Moment) -> Bool {
    oldest.map { $0.duration(to: moment) >= Self.delay } ?? false
  }
}
