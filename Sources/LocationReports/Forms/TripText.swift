import LocationCore
import LocationFormats

/// What a report says of stops and legs.
enum TripText {
  /// The most rows of a table for people.
  static let maximumRows = 200

  /// What a person wants to know first of a receiver that moved: the way, its time, the stops and the
  /// speed, and for how much of the time there was a fix.
  static func sentence(about receiver: ReceiverReport, _ units: ReportUnits) -> String {
    let trips = receiver.trips
    var parts = [
      "\(units.way(trips.distance)) in \(ReportText.people(trips.duration)) under way, "
        + stops(trips.stops)
        + (trips.speedTop.map { ", top speed \(units.speed($0))" } ?? "")
    ]
    if let availability = receiver.availability {
      parts.append("a fix for \(Text.rounded(availability * 100, places: 1)) % of the time")
    }
    if receiver.outageCount > 0 { parts.append(ReportText.outages(of: receiver)) }
    return parts.joined(separator: "; ") + "."
  }

  /// How widely the fixes of the stops scatter; `nil` if there are none.
  static func rest(of receiver: ReceiverReport, _ units: ReportUnits) -> String? {
    guard let scatter = receiver.scatter, let cep50 = scatter.cep50 else { return nil }
    let fixes = "\(scatter.positions) fixes"
    let half =
      scatter.isAboutReference
      ? "Half of \(fixes) lie within \(units.length(cep50)) of the reference"
      : "In the stops, half of \(fixes) lie within \(units.length(cep50)) of the mean of their stop"
    return half + (scatter.r95.map { ", 95 % within \(units.length($0))" } ?? "") + "."
  }

  static let header = ["", "from", "time", "way", "moving at", "top speed", "up", "down", "where"]

  /// Legs and stops in their order, as many as people read.
  static func rows(of receiver: ReceiverReport, _ units: ReportUnits) -> [[String]] {
    let legs = receiver.legs.prefix(maximumRows).enumerated().map { number, leg in
      (leg.fixes.lowerBound, 1, row(leg, number + 1, units))
    }
    let stops = receiver.stops.prefix(maximumRows).enumerated().map { number, stop in
      (stop.fixes.lowerBound, 0, row(stop, number + 1))
    }
    return (legs + stops).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(maximumRows).map(\.2)
  }

  /// How many legs and stops are not among the rows.
  static func rest(of receiver: ReceiverReport) -> Int {
    max(0, receiver.legCount + receiver.stopCount - maximumRows)
  }

  private static func row(_ leg: Leg, _ number: Int, _ units: ReportUnits) -> [String] {
    func height(_ metres: Double?) -> String {
      metres.map { "\(units.height.text($0, places: 0)) \(units.height.symbol)" } ?? "–"
    }
    func speed(_ speed: Double?) -> String { speed.map(units.speed) ?? "–" }
    return [
      "leg \(number)", time(leg.from.time), ReportText.people(leg.duration),
      units.way(leg.distance), speed(leg.speedMoving), speed(leg.speedTop), height(leg.ascent),
      height(leg.descent), place(leg.from.coordinate),
    ]
  }

  private static func row(_ stop: Stop, _ number: Int) -> [String] {
    [
      "stop \(number)", time(stop.from), ReportText.people(stop.duration), "", "", "", "", "",
      place(stop.coordinate),
    ]
  }

  private static func stops(_ count: Int) -> String {
    switch count {
    case 0: "no stop"
    case 1: "1 stop"
    case let count: "\(count) stops"
    }
  }

  /// `2026-11-20 07:05:12`
  private static func time(_ time: Timestamp?) -> String {
    guard let text = time?.nearestSecond.description else { return "–" }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(8))"
  }

  /// To a metre.
  private static func place(_ coordinate: Coordinate) -> String {
    "\(Text.rounded(coordinate.latitude, places: 5)), "
      + Text.rounded(coordinate.longitude, places: 5)
  }
}
