import GPSDProtocol
import LocationCore

/// The headings of the last `ATT` reports, with which fixes of the same device are completed.
struct RecentHeadings: Sendable {
  /// How long a heading is added to fixes. The heading of an epoch arrives within this time.
  private static let maximumAge = Nanoseconds.seconds(3)

  private struct Heading {
    /// Degrees from true and from magnetic north; `nil` if the report has none, or an impossible one.
    var fromTrue, fromMagnetic: Double?
    var moment: Moment
  }

  private var headings = ReceiverTable<Heading>()

  /// Records the heading in a report.
  mutating func record(_ report: borrowing ATT, at moment: Moment) {
    let fromTrue = Self.normalized(report[.heading])
    let fromMagnetic = Self.normalized(report[.mheading])
    guard fromTrue != nil || fromMagnetic != nil else { return }
    headings[report.device] = Heading(
      fromTrue: fromTrue, fromMagnetic: fromMagnetic, moment: moment)
  }

  /// Adds a recent heading of the fix's device. A true heading that was not reported is computed with
  /// the magnetic variation of the fix.
  func complete(_ fix: inout LocationFix, at moment: Moment) {
    // Most receivers have no compass.
    guard !headings.isEmpty, let heading = headings[fix.device],
      heading.moment.nanoseconds(to: moment) <= Self.maximumAge
    else { return }
    fix[.heading] = heading.fromTrue ?? Self.sum(heading.fromMagnetic, fix[.magvar])
    fix[.mheading] = heading.fromMagnetic
  }

  /// Returns the heading from 0 to less than 360; `nil` for an impossible one.
  private static func normalized(_ heading: Double?) -> Double? {
    guard let heading = heading.within(.azimuth) else { return nil }
    return heading == 360 ? 0 : heading
  }

  /// Returns the true heading of a magnetic one; `nil` if one of the two numbers is unknown.
  private static func sum(_ heading: Double?, _ variation: Double?) -> Double? {
    guard let heading, let variation else { return nil }
    let sum = (heading + variation).truncatingRemainder(dividingBy: 360)
    return normalized(sum < 0 ? sum + 360 : sum)
  }
}
