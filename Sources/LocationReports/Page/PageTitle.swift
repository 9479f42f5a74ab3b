import LocationCore
import LocationText

/// The title of a page, as people would say it: `Trip of 20 Nov 2026, 9.4 km`.
enum PageTitle {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// - Parameter source: The name of what was observed; `nil` if it has none.
  static func text(
    of receivers: [ReceiverReport], source: String?, _ units: ReportUnits, in zone: PageZone = .utc
  ) -> String {
    let name = source.map { "\($0): " } ?? ""
    guard let only = receivers.first else {
      return source == nil ? "No receiver reported" : "\(name)no receiver reported"
    }
    let days = days(of: receivers, in: zone)
    guard receivers.count == 1 else {
      return name
        + ["\(receivers.count) receivers", days].compactMap(\.self).joined(separator: ", ")
    }
    let kind = only.hasMoved ? "Trip" : "Observation"
    let length =
      only.hasMoved
      ? units.way(only.trips.distance + only.trips.gapDistance) : ReportText.people(only.observed)
    return "\(name)\(kind)\(days.map { " of \($0)" } ?? ""), \(length)"
  }

  /// `20 Nov 2026`, `31 Dec 2026 to 1 Jan 2027`; `nil` if no receiver reported the time.
  private static func days(of receivers: [ReceiverReport], in zone: PageZone) -> String? {
    guard let from = receivers.compactMap(\.from).min(), let to = receivers.compactMap(\.to).max()
    else { return nil }
    let (first, last) = (day(zone.local(from)), day(zone.local(to)))
    return first == last ? first : "\(first) to \(last)"
  }

  /// `3 Jan 2027`
  private static func day(_ time: Timestamp) -> String {
    let parts = time.nearestSecond.description.prefix(10).split(separator: "-")
    guard parts.count == 3, let month = Int(parts[1]), let day = Int(parts[2]),
      months.indices.contains(month - 1)
    else { return String(time.description.prefix(10)) }
    return "\(day) \(months[month - 1]) \(parts[0])"
  }
}
