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
    let heading = LocationHeading(
      trueHeading: report[.heading], magneticHeading: report[.mheading])
    guard let heading else { return }
    headings[report.device] = Heading(
      fromTrue: heading.trueHeading, fromMagnetic: heading.magneticHeading, moment: moment)
  }

  /// Adds a recent heading of the fix's device. A true heading that was not reported is computed with
  /// the magnetic variation of the fix.
  func complete(_ fix: inout LocationFix, at moment: Moment) {
    // Most receivers have no compass.
    guard !headings.isEmpty, let heading = headings[fix.device],
      heading.moment.nanoseconds(to: moment) <= Self.maximumAge
    else { return }
    let completed = LocationHeading(
      trueHeading: heading.fromTrue, magneticHeading: heading.fromMagnetic, variation: fix.magvar)
    fix[.heading] = completed?.trueHeading
    fix[.mheading] = heading.fromMagnetic
  }
}
