import LocationCore

/// The time zone of a page: one offset from UTC for the whole page, even if summer time begins or ends during the
/// observation.
package struct PageZone: Equatable, Sendable {
  package static let utc = PageZone(name: "UTC", secondsFromUTC: 0)

  /// `CET`, or `UTC+03` if the zone has no letters.
  package let name: String
  package let secondsFromUTC: Int

  /// - Parameters:
  ///   - name: The abbreviation of the zone, such as `CET` or `+03`.
  ///   - secondsFromUTC: Positive in the east.
  package init(name: String, secondsFromUTC: Int) {
    self.name = name.first.map { "+-".contains($0) } == true ? "UTC\(name)" : name
    self.secondsFromUTC = secondsFromUTC
  }

  /// Returns a timestamp whose date and time in UTC are those of this zone.
  func local(_ time: Timestamp) -> Timestamp { time.advanced(by: .seconds(secondsFromUTC)) }

  /// `2026-11-20 08:05 to 09:05 CET (07:05 to 08:05 UTC)`, with the date in UTC if it differs.
  func span(from: Timestamp, to: Timestamp) -> String {
    let utc = Self.minutes(from, to)
    guard secondsFromUTC != 0 else { return "\(utc) UTC" }
    let local = Self.minutes(local(from), local(to))
    let rest = utc.prefix(11) == local.prefix(11) ? utc.dropFirst(11) : utc[...]
    return "\(local) \(name) (\(rest) UTC)"
  }

  /// `2026-11-20 07:05 to 08:05`, or `2026-11-20 07:05:12 to 07:05:40` within a minute.
  private static func minutes(_ from: Timestamp, _ to: Timestamp) -> String {
    let (first, last) = (from.nearestSecond.description, to.nearestSecond.description)
    let length = first.prefix(16) == last.prefix(16) ? 8 : 5
    func time(_ text: String) -> Substring { text.dropFirst(11).prefix(length) }
    let isOneDay = first.prefix(10) == last.prefix(10)
    return "\(first.prefix(10)) \(time(first)) to "
      + (isOneDay ? "" : "\(last.prefix(10)) ") + time(last)
  }
}
