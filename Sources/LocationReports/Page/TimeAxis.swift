import LocationCore
import LocationText

/// The scale of time. It shows times of day in UTC, or in the zone of the page. If the receiver reported no
/// time, it shows the time since the beginning. If summer time begins or ends, the ticks keep their distance, and those
/// after the change have the time of day that was valid then.
struct TimeAxis: HorizontalAxis {
  private static let steps: [Int] = [
    1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
  ]

  /// The length, in seconds; more than zero.
  let length: Double
  var longestSilence: Double { 5 }
  let start: Double
  private(set) var end: Double
  private let beginning: Timestamp?
  private let step: Int
  private let zone: PageZone

  init(
    length: Double, beginning: Timestamp?, in zone: PageZone = .utc, from start: Double,
    to end: Double
  ) {
    self.length = max(length, 0.001)
    self.beginning = beginning
    self.zone = zone
    (self.start, self.end) = (start, end)
    let least = self.length / 5
    let days = Int((least / 86_400).rounded(.up))
    step = Self.steps.first { Double($0) >= least } ?? days * 86_400
  }

  /// The same time on a shorter scale.
  init(_ other: TimeAxis, to end: Double) {
    self = other
    self.end = end
  }

  func place(_ seconds: Double) -> Double {
    start + min(max(seconds / length, 0), 1) * (end - start)
  }

  /// Seconds since the beginning, with their labels.
  var ticks: [(seconds: Double, label: String)] {
    let origin = beginning.map { Double(zone.local($0).nanosecondsSince1970) / 1e9 } ?? 0
    let step = Double(step)
    var ticks: [(seconds: Double, label: String)] = []
    var tick = (origin / step - 1e-6).rounded(.up) * step
    // Later times cannot be represented.
    let last = beginning == nil ? length : min(origin + length, Double(Int64.max / 1_000_000_000))
    while tick <= last {
      ticks.append((tick - origin, label(tick, after: tick - origin)))
      tick += step
    }
    return ticks
  }

  /// The time as text, for tables.
  func text(_ seconds: Double) -> String {
    guard let time = local(seconds) else { return ReportText.people(seconds: seconds) }
    return String(time.dropFirst(11).prefix(8))
  }

  /// The date and time in the zone, some seconds after the beginning; `nil` without a time.
  private func local(_ seconds: Double) -> String? {
    beginning.map {
      zone.local($0.later(by: Nanoseconds(nearestTo: seconds * 1e9))).nearestSecond.description
    }
  }

  /// - Parameters:
  ///   - tick: In the zone, with the offset of the beginning.
  ///   - seconds: Since the beginning.
  private func label(_ tick: Double, after seconds: Double) -> String {
    guard let time = local(seconds) else { return ReportText.people(seconds: tick) }
    if step >= 86_400 {
      return String(
        Timestamp(secondsSince1970: Int64(tick.rounded())).description.dropFirst(5).prefix(5))
    }
    return String(time.dropFirst(11).prefix(step < 60 ? 8 : 5))
  }

  /// The reference of the labels: the zone and the days of the first and the last tick, or the beginning.
  var unit: String {
    guard beginning != nil else { return "since the beginning" }
    if step >= 86_400 { return "month and day, \(zone.name)" }
    let ticks = ticks
    func day(_ seconds: Double?) -> Substring { (local(seconds ?? 0) ?? "").prefix(10) }
    let (first, last) = (day(ticks.first?.seconds), day(ticks.last?.seconds))
    return "\(zone.name), \(first)" + (last == first ? "" : " to \(last)")
  }
}

extension Timestamp {
  /// The nearest whole second, as times are shown to people. The moment at which a recording begins is known
  /// only to a fraction of a second, and may be just before the second of its first fix.
  var nearestSecond: Timestamp {
    Timestamp(secondsSince1970: later(by: .milliseconds(500)).secondsSince1970)
  }
}
