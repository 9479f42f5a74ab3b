package import LocationCore
import Synchronization

/// Truncates moments to those that a recording can represent: in whole milliseconds, with a time of
/// day that advances with the uptime. The state machines then see live what a replay will repeat.
package final class RecordableTime: Sendable {
  /// If time of day and uptime diverge by more than this, the machine's clock was set.
  private static let tolerance = Nanoseconds.milliseconds(100)
  private static let millisecond: Int64 = 1_000_000

  /// How far the time of day is ahead of the uptime; `nil` until first read.
  private let lead = Mutex<Nanoseconds?>(nil)

  package init() {}

  /// Returns a moment truncated to whole milliseconds.
  package func cut(_ moment: Moment) -> Moment {
    let uptime = Self.wholeMilliseconds(moment.uptimeNanoseconds)
    guard let wall = moment.wall?.nanosecondsSince1970 else {
      return Moment(uptimeNanoseconds: uptime, wall: nil)
    }
    let fresh = Nanoseconds(Self.wholeMilliseconds(wall)) - Nanoseconds(uptime)
    let lead = lead.withLock { lead in
      if let known = lead, known - fresh <= Self.tolerance, fresh - known <= Self.tolerance {
        return known
      }
      lead = fresh
      return fresh
    }
    return Moment(
      uptimeNanoseconds: uptime,
      wall: Timestamp(nanosecondsSince1970: (Nanoseconds(uptime) + lead).count))
  }

  private static func wholeMilliseconds(_ nanoseconds: Int64) -> Int64 {
    let rest = nanoseconds % millisecond
    return nanoseconds.clampedDifference(rest < 0 ? rest + millisecond : rest)
  }
}
