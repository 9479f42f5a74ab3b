import LocationCore
import LocationText

/// The texts of a report about stops and legs.
enum TripText {
  /// The maximum number of rows of a table in text and on a page.
  static let maximumRows = 200

  /// The most important sentence about a receiver that moved: the distance, its time, the stops and the
  /// speed, and for how much of the time there was a fix.
  static func sentence(about receiver: ReceiverReport, _ units: ReportUnits) -> String {
    let trips = receiver.trips
    var parts = [
      "\(units.way(trips.distance)) in \(ReportText.people(trips.duration)) under way, "
        + stops(trips.stops)
        + (trips.speedTop.map { ", top speed \(units.speed($0))" } ?? "")
        + climbs(trips, units)
    ]
    if trips.gaps > 0 {
      let straight = "\(units.way(trips.gapDistance)) straight"
      parts.append("not seen for \(ReportText.people(trips.gapDuration)), \(straight)")
    }
    if let availability = receiver.availability {
      parts.append("a fix for \(Text.rounded(availability * 100, places: 1)) % of the time")
    }
    if receiver.outageCount > 0 { parts.append(ReportText.outages(of: receiver)) }
    return parts.joined(separator: "; ") + "."
  }

  /// How widely the fixes of the stops scatter; `nil` if there are none.
  static func rest(of receiver: ReceiverReport, _ units: ReportUnits) -> String? {
    guard let scatter = receiver.scatter, let cep50 = scatter.cep50 else { return nil }
    let fixes = "\(scatter.positionCount) fixes"
    let half =
      scatter.isAboutReference
      ? "Half of \(fixes) lie within \(units.length(cep50)) of the reference"
      : "At rest, half of \(fixes) lie within \(units.length(cep50)) of the mean of their stop"
    return half + (scatter.r95.map { ", 95 % within \(units.length($0))" } ?? "") + "."
  }

  static let header = [
    "", "start", "duration", "distance", "average speed", "top speed", "up", "down", "position",
  ]

  /// Legs, stops and gaps in their order, up to the maximum number of rows.
  static func rows(
    of receiver: ReceiverReport, _ units: ReportUnits, in zone: PageZone = .utc
  ) -> [[String]] {
    let legs = receiver.legs.prefix(maximumRows).enumerated().map { number, leg in
      (leg.fixes.lowerBound, 1, row(leg, number + 1, units, zone))
    }
    let stops = receiver.stops.prefix(maximumRows).enumerated().map { number, stop in
      (stop.fixes.lowerBound, 0, row(stop, number + 1, units, zone))
    }
    // A leg or stop that begins with the first fix after a gap follows the gap.
    let gaps = receiver.gaps.prefix(maximumRows).map { ($0.fix, -1, row($0, units, zone)) }
    return (legs + stops + gaps).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.prefix(maximumRows).map(\.2)
  }

  /// The number of legs, stops and gaps that are not among the rows.
  static func rest(of receiver: ReceiverReport) -> Int {
    max(0, receiver.legCount + receiver.stopCount + receiver.gapCount - maximumRows)
  }

  static let dayHeader = ["day", "duration", "distance", "moving", "up", "down"]

  /// The daily sums; empty unless there are several days.
  static func days(of receiver: ReceiverReport, _ units: ReportUnits) -> [[String]] {
    guard receiver.lastsLongerThanADay else { return [] }
    return receiver.days.map { day in
      [
        day.date, ReportText.people(day.duration), units.way(day.distance),
        ReportText.people(day.movingTime), height(day.ascent, units), height(day.descent, units),
      ]
    }
  }

  /// `, 120 m up, 80 m down`; empty without climbs and descents.
  private static func climbs(_ trips: TripSummary, _ units: ReportUnits) -> String {
    guard let up = trips.ascent, let down = trips.descent, up + down > 0 else { return "" }
    return ", \(height(up, units)) up, \(height(down, units)) down"
  }

  private static func height(_ metres: Double?, _ units: ReportUnits) -> String {
    metres.map { "\(units.height.text($0, places: 0)) \(units.height.symbol)" } ?? "–"
  }

  private static func row(_ gap: Gap, _ units: ReportUnits, _ zone: PageZone) -> [String] {
    [
      "not seen", gap.start.time.map(zone.text) ?? "–", ReportText.people(gap.duration),
      "\(units.way(gap.distance)) straight", "", "", "", "", place(gap.start.coordinate),
    ]
  }

  private static func row(
    _ leg: Leg, _ number: Int, _ units: ReportUnits, _ zone: PageZone
  ) -> [String] {
    func speed(_ speed: Double?) -> String { speed.map(units.speed) ?? "–" }
    return [
      "leg \(number)", leg.start.time.map(zone.text) ?? "–", ReportText.people(leg.duration),
      units.way(leg.distance), speed(leg.meanMovingSpeed), speed(leg.topSpeed),
      height(leg.ascent, units), height(leg.descent, units), place(leg.start.coordinate),
    ]
  }

  private static func row(
    _ stop: Stop, _ number: Int, _ units: ReportUnits, _ zone: PageZone
  ) -> [String] {
    [
      "stop \(number)", stop.start.time.map(zone.text) ?? "–", ReportText.people(stop.duration),
      "", "", "",
      stop.climbs ? height(stop.ascent, units) : "", stop.climbs ? height(stop.descent, units) : "",
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

  /// The coordinate, to about a metre.
  private static func place(_ coordinate: Coordinate) -> String {
    "\(Text.rounded(coordinate.latitude, places: 5)), "
      + Text.rounded(coordinate.longitude, places: 5)
  }
}
