import LocationCore

/// A receiver's movement on a day.
package struct TripDay: Hashable, Sendable {
  /// The day by the receiver's clock, in UTC, such as `2026-05-01`.
  package var date: String
  /// The length of the day's legs, in metres.
  package var distance: Double
  /// The duration of the day's legs, and the part of it in which the receiver moved.
  package var duration, movingTime: Duration
  /// The sums of climbs and descents, in metres; `nil` without heights.
  package var ascent, descent: Double?

  /// Creates the sums of a day.
  ///
  /// - Parameters:
  ///   - date: The day in UTC, such as `2026-05-01`.
  ///   - distance: The length of the day's legs, in metres.
  ///   - duration: The duration of the day's legs.
  ///   - movingTime: The part of it in which the receiver moved.
  ///   - ascent: The sum of all climbs, in metres; `nil` without heights.
  ///   - descent: The sum of all descents, in metres; `nil` without heights.
  package init(
    date: String, distance: Double, duration: Duration, movingTime: Duration,
    ascent: Double? = nil, descent: Double? = nil
  ) {
    self.date = date
    self.distance = distance
    self.duration = duration
    self.movingTime = movingTime
    self.ascent = ascent
    self.descent = descent
  }
}

/// The daily sums of legs. A leg over midnight is divided by its time on each day. The first 400 days are
/// kept.
struct TripDays: Hashable, Sendable {
  /// The maximum number of days.
  private static let maximumCount = 400
  private static let day = 86_400.0

  private(set) var days: [TripDay] = []

  mutating func add(_ leg: Leg) {
    guard let end = leg.end.time else { return }
    let begin = leg.begin(before: end)
    let length = begin.duration(to: end).inSeconds
    var start = begin
    for _ in 0..<Self.maximumCount {
      let seconds = start.duration(to: end).inSeconds
      let part = min(seconds, Self.day - start.secondsOfDay)
      add(leg, share: length > 0 ? part / length : 1, on: String(start.description.prefix(10)))
      guard part < seconds else { return }
      start = start.advanced(by: .seconds(part))
    }
  }

  private mutating func add(_ leg: Leg, share: Double, on date: String) {
    if days.last?.date != date {
      guard days.count < Self.maximumCount else { return }
      days.append(TripDay(date: date, distance: 0, duration: .zero, movingTime: .zero))
    }
    let last = days.count - 1
    days[last].distance += leg.distance * share
    days[last].duration += leg.duration * share
    days[last].movingTime += leg.movingTime * share
    if let up = leg.ascent { days[last].ascent = (days[last].ascent ?? 0) + up * share }
    if let down = leg.descent { days[last].descent = (days[last].descent ?? 0) + down * share }
  }
}

extension Leg {
  /// Returns when the leg began, by the clock that measured its end. The clock may have been set in between.
  fileprivate func begin(before end: Timestamp) -> Timestamp {
    let begin = end.advanced(by: .zero - duration)
    guard let told = start.time, told <= end else { return begin }
    return abs(begin.duration(to: told).inSeconds) <= 60 ? told : begin
  }
}

extension Timestamp {
  /// The seconds since midnight, UTC.
  fileprivate var secondsOfDay: Double {
    let day: Int64 = 86_400_000_000_000
    let rest = nanosecondsSince1970 % day
    return Double(rest < 0 ? rest + day : rest) / 1e9
  }
}
