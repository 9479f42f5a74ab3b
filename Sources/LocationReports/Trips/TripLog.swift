import LocationCore

/// The legs and stops of a receiver. Of each, the first 1,000 are kept.
struct TripLog: Sendable {
  private static let maximumCount = 1000

  private var machine = TripMachine()
  private(set) var legs: [Leg] = []
  private(set) var stops: [Stop] = []
  private(set) var summary = TripSummary()
  /// How far the receiver came, in metres. It never decreases.
  private(set) var way = 0.0

  /// The speed of the receiver by its way, in metres per second; `nil` if it is unknown.
  var pace: Double? { machine.pace }

  mutating func add(_ fix: LocationFix, at moment: Moment) {
    record(machine.handle(fix, at: moment))
    way = max(way, summary.distance + machine.way)
  }

  /// Ends what goes on.
  mutating func finish() { record(machine.finish()) }

  private mutating func record(_ events: [TripEvent]) {
    for event in events {
      switch event {
      case .legBegan, .legWithdrawn: break
      case .legEnded(let leg):
        summary.add(leg)
        if legs.count < Self.maximumCount { legs.append(leg) }
      case .stopEnded(let stop):
        summary.stops += 1
        if stops.count < Self.maximumCount { stops.append(stop) }
      }
    }
  }
}

/// What the legs of a receiver come to, also those that are not kept.
struct TripSummary: Hashable, Sendable, Codable {
  /// How many there were.
  fileprivate(set) var legs = 0
  /// How many there were.
  fileprivate(set) var stops = 0
  /// The length of all legs, in metres.
  private(set) var distance = 0.0
  /// The time in legs, and the part of it in which the receiver moved.
  private(set) var duration = Duration.zero
  private(set) var moving = Duration.zero
  /// The highest speed that lasted 3 s, in metres per second; `nil` if it is unknown.
  private(set) var speedTop: Double?

  fileprivate mutating func add(_ leg: Leg) {
    legs += 1
    distance += leg.distance
    duration += leg.duration
    moving += leg.moving
    if let top = leg.speedTop { speedTop = max(speedTop ?? 0, top) }
  }
}
