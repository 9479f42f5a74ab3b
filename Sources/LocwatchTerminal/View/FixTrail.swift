import LocationCore
import LocationReports

/// The positions of a receiver in the last minutes, at most one for each second.
struct FixTrail: Sendable {
  static let duration = Duration.seconds(600)
  private static let interval = Duration.milliseconds(900)
  /// How many positions are removed together, because the removal of one moves all others.
  private static let removed = 60

  private var positions: [(moment: Moment, coordinate: Coordinate)] = []
  private var height: Double?
  private var trips = TripMonitor()
  private var isUnderWay = false
  private var endOfLeg: Moment?

  var isEmpty: Bool { positions.isEmpty }

  mutating func add(_ fix: LocationFix, at moment: Moment) {
    guard fix.isCurrent else { return }
    if let last = positions.last, last.moment.duration(to: moment) < Self.interval { return }
    positions.append((moment, fix.coordinate))
    height = fix.ellipsoidalAltitude ?? fix.altitude ?? height
    for event in trips.handle(fix, at: moment) { record(event) }
    let start = moment.advanced(by: .zero - Self.duration)
    if positions.count > Self.removed, positions[Self.removed].moment <= start {
      positions.removeFirst(Self.removed)
    }
  }

  private mutating func record(_ event: TripEvent) {
    switch event {
    case .legBegan: isUnderWay = true
    case .legEnded(let leg): (isUnderWay, endOfLeg) = (false, leg.end.moment)
    case .gapEnded(let gap): endOfLeg = gap.end.moment
    case .stopBegan, .stopEnded: break
    }
  }

  /// Returns the positions, in metres to the east and to the north of their mean; `nil` if there are none.
  var deviations: Deviations? {
    let start = positions.last?.moment.advanced(by: .zero - Self.duration) ?? .past
    let positions = positions.drop { $0.moment <= start }
    guard let first = positions.first, let last = positions.last else { return nil }
    let plane = LocalPlane(at: first.coordinate, height: height)
    let points = positions.map { plane.project($0.coordinate) }
    let count = Double(points.count)
    let (east, north) = points.reduce((0.0, 0.0)) { ($0.0 + $1.east, $0.1 + $1.north) }
    return Deviations(
      points: points.map { ($0.east - east / count, $0.north - north / count) },
      duration: first.moment.duration(to: last.moment),
      isTrack: isUnderWay || endOfLeg.map { $0 > first.moment } ?? false)
  }
}

/// Positions about their mean.
struct Deviations: Sendable {
  /// The positions in metres to the east and to the north, in the order of their times; at least one.
  let points: [(east: Double, north: Double)]
  /// The time from the first position to the last.
  let duration: Duration
  /// Whether the receiver moved in that time, by the same rule as the legs of a report.
  var isTrack = false

  private var distances: [Double] {
    points.map { ($0.east * $0.east + $0.north * $0.north).squareRoot() }
  }

  /// The largest distance from the mean, in metres.
  var maximum: Double { distances.max() ?? 0 }

  /// Half of the positions are within this distance of their mean, by nearest rank.
  var median: Double { distances.sorted()[(points.count - 1) / 2] }
}
