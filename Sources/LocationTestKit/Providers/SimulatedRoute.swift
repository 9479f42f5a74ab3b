public import LocationCore

/// A provider that reports the fixes of a receiver on a route, for tests, demonstrations and design.
///
/// ```swift
/// let route = SimulatedRoute([marina, buoy, marina], speed: 3)  // m/s
/// for try await update in route.updates() { … }
/// ```
///
/// The receiver moves along geodesics from one waypoint to the next at a constant speed, and each connection starts
/// at the first waypoint. The connection ends after a fix at the last waypoint. On a clock that a test advances, a
/// route of an hour takes milliseconds.
public struct SimulatedRoute: LocationProvider {
  /// The clock of the route.
  public let clock: LocationClock
  /// The length of the route in metres.
  public let length: Double
  private let legs: [Leg]
  private let speed: Double
  private let interval: Duration
  private let horizontalError: Double?
  private let device: String?

  /// A part of the route between two waypoints.
  fileprivate struct Leg: Sendable {
    var start: Coordinate
    var bearing: Double
    /// How far along the route it begins and ends, in metres.
    var range: ClosedRange<Double>
  }

  /// Creates a route.
  ///
  /// - Parameters:
  ///   - waypoints: The waypoints. A route with one waypoint is a single fix, and a route without waypoints is empty.
  ///   - speed: The speed in metres per second. With 0, or a number that is negative or not finite, the
  ///     receiver stands at the first waypoint.
  ///   - interval: The time between two fixes. If it is less than 1 ms, 1 ms is used.
  ///   - horizontalError: The estimated horizontal error of the fixes, in metres; `nil` for none.
  ///   - device: The path of the receiver; `nil` for an unnamed receiver.
  ///   - clock: The clock of the route.
  public init(
    _ waypoints: [Coordinate], speed: Double, interval: Duration = .seconds(1),
    horizontalError: Double? = 5, device: String? = nil, clock: LocationClock = .live
  ) {
    var legs: [Leg] = []
    var length = 0.0
    for (start, end) in zip(waypoints, waypoints.dropFirst()) where start != end {
      let distance = start.distance(to: end)
      legs.append(
        Leg(start: start, bearing: start.bearing(to: end), range: length...(length + distance)))
      length += distance
    }
    if legs.isEmpty, let only = waypoints.first {
      legs = [Leg(start: only, bearing: 0, range: 0...0)]
    }
    self.legs = legs
    self.length = length
    self.speed = speed > 0 && speed.isFinite ? speed : 0
    self.interval = max(interval, .milliseconds(1))
    self.horizontalError = horizontalError
    self.device = device
    self.clock = clock
  }

  /// Always `true`: the times of the fixes are of the ``clock``.
  public var receiversShareClock: Bool { true }

  /// Returns a connection that starts at the first waypoint.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    RouteConnection(route: self)
  }

  /// Returns the distance from the start of a fix, in metres; `nil` after the one at the end.
  private func distance(ofFix number: Int) -> Double? {
    // The product of a long interval and a high speed can be infinite, so it is not multiplied by zero.
    func distance(_ number: Int) -> Double {
      number > 0 ? interval / .seconds(1) * speed * Double(number) : 0
    }
    guard number == 0 || distance(number - 1) < length else { return nil }
    return min(distance(number), length)
  }

  /// Returns the fix at a distance from the start; `nil` if there are no waypoints.
  private func fix(at distance: Double, time: Timestamp?) -> LocationFix? {
    guard let leg = legs.first(where: { distance <= $0.range.upperBound }) else { return nil }
    let rest = distance - leg.range.lowerBound
    let place = rest > 0 ? leg.start.moved(by: rest, bearing: leg.bearing) : leg.start
    var fix = LocationFix(coordinate: place, mode: .fix3D, device: device, time: time)
    fix.received = time
    fix.quality = .simulated
    fix.speed = length > 0 ? speed : 0
    fix.course = leg.bearing
    fix.horizontalError = horizontalError
    fix.verticalError = horizontalError.map { $0 * 2 }
    fix.ellipsoidalAltitude = 0
    fix.altitude = 0
    fix.climbRate = 0
    return fix
  }

  /// A connection to a route.
  struct RouteConnection: LocationConnection {
    private let route: SimulatedRoute
    private var start: Moment?
    private var count = 0
    private var isOver = false

    init(route: SimulatedRoute) { self.route = route }

    /// Returns the next fix.
    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      start = start ?? now
      guard !isOver, let due else { return .ended }
      guard due <= now else { return .quiet(at: now) }
      guard let distance = route.distance(ofFix: count),
        let fix = route.fix(at: distance, time: due.wall)
      else {
        isOver = true
        return .ended
      }
      count += 1
      return .event(.fix(fix), at: due)
    }

    mutating func wait() -> Wait { Wait(until: due) }

    /// Ends the connection.
    mutating func close() { isOver = true }

    /// When the next fix is due; `nil` before the first poll.
    private var due: Moment? { start?.later(by: Nanoseconds(route.interval) * Int64(count)) }
  }
}
