import LocationCore

/// The legs and stops of a receiver, and the gaps between them. The first 1,000 of each are kept.
struct TripLog: Sendable {
  /// The maximum number of legs, of stops and of gaps. Further ones are only counted.
  private static let maximumCount = 1000

  private var monitor: TripMonitor
  private(set) var legs: [Leg] = []
  private(set) var stops: [Stop] = []
  private(set) var gaps: [Gap] = []
  private(set) var summary = TripSummary()
  private(set) var days = TripDays()
  private(set) var progress = TripProgress()

  let criteria: StopCriteria

  init(_ criteria: StopCriteria = StopCriteria()) {
    self.criteria = criteria
    monitor = TripMonitor(criteria)
  }

  mutating func add(_ fix: LocationFix, at moment: Moment) {
    record(monitor.handle(fix, at: moment))
    let way = summary.distance + monitor.way
    progress.pace = monitor.pace
    progress.ifLeft = monitor.lastOfStop.map { ($0, max(progress.way, way)) }
    progress.way = max(progress.way, progress.ifLeft == nil ? way : summary.distance)
  }

  /// Ends the current leg or stop.
  mutating func finish() {
    record(monitor.finish())
    progress.ifLeft = nil
    progress.way = max(progress.way, summary.distance)
  }

  private mutating func record(_ events: [TripEvent]) {
    for event in events {
      switch event {
      case .legBegan, .stopBegan: break
      case .legEnded(let leg):
        summary.add(leg)
        days.add(leg)
        if legs.count < Self.maximumCount { legs.append(leg) }
      case .stopEnded(let stop):
        summary.add(stop)
        if stops.count < Self.maximumCount { stops.append(stop) }
      case .gapEnded(let gap):
        summary.add(gap)
        if gaps.count < Self.maximumCount { gaps.append(gap) }
      }
    }
  }
}

/// How far a receiver has come.
struct TripProgress: Sendable {
  /// The distance that it has certainly covered, in metres. It never decreases.
  fileprivate(set) var way = 0.0
  /// The last fix of the current stop, and how far the receiver has come if it left the stop there; `nil` if it is not in
  /// a stop.
  fileprivate(set) var ifLeft: (since: Moment, way: Double)?
  /// The speed of the receiver according to its positions, in metres per second; `nil` if it is unknown.
  fileprivate(set) var pace: Double?
}

/// The sums of a receiver's legs, including legs that are not kept.
struct TripSummary: Hashable, Sendable {
  /// The number of legs.
  fileprivate(set) var legs = 0
  /// The number of stops.
  fileprivate(set) var stops = 0
  /// The number of gaps, and below it the sums of their straight distances, in metres, and of their
  /// durations.
  private(set) var gaps = 0
  private(set) var gapDistance = 0.0
  private(set) var gapDuration = Duration.zero
  /// The length of all legs, in metres.
  private(set) var distance = 0.0
  /// The time in legs, and the part of it in which the receiver moved.
  private(set) var duration = Duration.zero
  private(set) var moving = Duration.zero
  /// The highest top speed and the highest mean speed of a leg, in metres per second; `nil` without any.
  private var highestTop: Double?
  private var highestMean: Double?
  /// The sums of all climbs and descents, including those on the spot, in metres; `nil` without heights.
  private(set) var ascent: Double?
  private(set) var descent: Double?

  /// The highest speed that lasted 3 s, in metres per second; `nil` if it is unknown, for example because the receiver
  /// was faster where its speed was not measured.
  var speedTop: Double? {
    highestTop.flatMap { $0 >= highestMean ?? 0 ? $0 : nil }
  }

  /// Whether the receiver was at more than one place.
  var hasMoved: Bool { legs + gaps > 0 }

  mutating func add(_ leg: Leg) {
    legs += 1
    distance += leg.distance
    duration += leg.duration
    moving += leg.movingTime
    if let top = leg.topSpeed { highestTop = max(highestTop ?? 0, top) }
    if let mean = leg.meanSpeed { highestMean = max(highestMean ?? 0, mean) }
    addClimbs(leg.ascent, leg.descent)
  }

  mutating func add(_ stop: Stop) {
    stops += 1
    addClimbs(stop.ascent, stop.descent)
  }

  mutating func add(_ gap: Gap) {
    gaps += 1
    gapDistance += gap.distance
    gapDuration += gap.duration
  }

  private mutating func addClimbs(_ up: Double?, _ down: Double?) {
    if let up { ascent = (ascent ?? 0) + up }
    if let down { descent = (descent ?? 0) + down }
  }
}
