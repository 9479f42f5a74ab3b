import GPSDProtocol
import LocationCore

/// The last position of a receiver, which gpsd keeps and sends at once when it is polled.
///
/// gpsd keeps it even if the receiver has become silent or was unplugged, and still counts the receiver as active. So
/// only its time shows how old it is, and only if a clock is right by which to judge it. Otherwise, the next
/// report decides, as it does for every reader.
///
/// If a receiver begins an epoch with a sentence that has a time and no position, such as ZDA, gpsd 3.22 answers with that
/// time and the position of the epoch before until the next sentence arrives. The position is then one interval older
/// than its time. gpsd 3.25 and later answer without a position.
enum LastPosition {
  /// The longest age, in seconds: a receiver that reports once a second, whose report takes a second. Any reader
  /// of its reports would call the position current for 3 s more.
  private static let longestAge = 2.0
  /// By how much the clock can be wrong, in seconds.
  private static let largestError = 1.0

  /// Returns whether a report has a position that is current.
  ///
  /// - Parameters:
  ///   - now: When it arrived, by the local clock.
  ///   - clock: The local clock.
  static func isCurrent(_ report: TPV, at now: Timestamp?, by clock: LocationClock) -> Bool {
    guard report.mode == .fix2D || report.mode == .fix3D, let time = report.time, let now,
      let error = clock.wallError(), error <= largestError
    else { return false }
    let age = time.nanoseconds(to: now).inSeconds
    return -error <= age && age <= longestAge
  }
}
