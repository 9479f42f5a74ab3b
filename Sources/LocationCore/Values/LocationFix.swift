/// A position that a receiver reported, with all that came with it in one epoch.
///
/// Names are those of gpsd_json(5). A quantity that the receiver did not give is `nil`; none is
/// ever NaN, infinite or made up.
///
/// It is a value like any other, and as small as a reference: what it holds is shared by its copies
/// until one of them is changed.
public struct LocationFix: Hashable, Sendable {
  /// Always one element: an array is shared until it is changed, checked by the compiler, and used
  /// again in place by whoever has the only copy.
  private var shared: [FixValues]

  package var values: FixValues {
    _read { yield shared[0] }
    _modify { yield &shared[0] }
  }

  /// A fix of which only so much is known; the rest is `nil` until it is set.
  ///
  /// - Parameters:
  ///   - coordinate: Where the receiver is.
  ///   - mode: ``FixMode/twoD`` or ``FixMode/threeD``.
  ///   - device: The receiver's path; empty where none is named.
  ///   - time: The instant of the fix by the receiver's clock.
  public init(
    coordinate: Coordinate, mode: FixMode, device: String = "", time: Timestamp? = nil
  ) {
    shared = [FixValues(coordinate: coordinate, mode: mode, device: device, time: time)]
  }

  package init(_ values: FixValues) { shared = [values] }

  /// Becomes the fix of another report, in the same place where nobody else holds it.
  ///
  /// - Parameters:
  ///   - quantities: Finite ones, in the order of ``Quantity``; the rest is unknown.
  ///   - known: Which of them are known, as in ``known``.
  package mutating func replace(
    _ coordinate: Coordinate, mode: FixMode, device: String, time: Timestamp?,
    received: Timestamp?, quantities: Span<Double>, known: UInt32
  ) {
    shared[0].coordinate = coordinate
    shared[0].mode = mode
    shared[0].device = device
    shared[0].time = time
    shared[0].received = received
    shared[0].replaceQuantities(with: quantities, known: known)
  }

  /// Becomes a copy of another one, in the same way.
  package mutating func replace(with other: LocationFix) { shared[0] = other.shared.span[0] }

  /// A fix that is yet to be filled.
  package static var blank: LocationFix {
    LocationFix(coordinate: .nullIsland, mode: .unknown)
  }

  /// Latitude and longitude, always there and in range.
  public var coordinate: Coordinate {
    get { values.coordinate }
    set { values.coordinate = newValue }
  }

  /// ``FixMode/twoD`` or ``FixMode/threeD``.
  public var mode: FixMode {
    get { values.mode }
    set { values.mode = newValue }
  }

  /// The receiver's path on gpsd's machine, such as `/dev/ttyACM0`; empty where gpsd names none.
  public var device: String {
    get { shared.span[0].device }
    set { values.device = newValue }
  }

  /// The instant of the fix by the receiver's clock. `nil` until the receiver knows the time.
  public var time: Timestamp? {
    get { values.time }
    set { values.time = newValue }
  }

  /// When this machine received the fix, by its own clock. `nil` in a replay of a recording
  /// without receive times.
  public var received: Timestamp? {
    get { values.received }
    set { values.received = newValue }
  }

  /// Whether the fix describes now. A fix that was held up on its way (a backlog that drains after
  /// a pause) is reported with its true time, and is not current.
  public var isCurrent: Bool {
    get { values.isCurrent }
    set { values.isCurrent = newValue }
  }

  /// How far the receiver's clock jumped at this fix, against this machine's: negative is
  /// backward. `nil` where it ran on evenly.
  public var timeJump: Duration? {
    get { values.timeJump }
    set { values.timeJump = newValue }
  }

  /// How many satellites the position was computed from, 0 to 255; `nil` where that is not known.
  public var satellitesUsed: Int? {
    get { values.satellitesUsed.map(Int.init) }
    set { values.satellitesUsed = newValue.map { UInt8(clamping: $0) } }
  }

  /// How many satellites were in view, 0 to 255; `nil` where that is not known.
  public var satellitesSeen: Int? {
    get { values.satellitesSeen.map(Int.init) }
    set { values.satellitesSeen = newValue.map { UInt8(clamping: $0) } }
  }

  /// Estimated horizontal error in metres: ``eph``, else the root of the squares of ``epx`` and
  /// ``epy``; `nil` where the receiver estimates none.
  public var accuracy: Double? {
    if let eph { return eph }
    guard let epx, let epy else { return nil }
    return (epx * epx + epy * epy).squareRoot()
  }

  /// How old the fix was when it was received, in seconds: ``received`` less ``time``. It is
  /// negative where this machine's clock is behind the receiver's, and `nil` where one of them is
  /// not known.
  public var age: Double? {
    guard let time, let received else { return nil }
    return time.nanoseconds(to: received).inSeconds
  }
}
