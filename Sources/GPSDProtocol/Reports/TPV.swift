package import LocationCore

/// gpsd's `TPV` report: the time, position and velocity of a receiver.
///
/// All numbers except the position and its mode are read by their names in gpsd_json(5). A value that is not reported
/// is `nil`, and so is an impossible one, such as a latitude of 91, a negative error or any number of 1e15 or more.
/// `alt` is omitted because gpsd does not define its reference surface: a `GPSDLocationSource` uses it as the height
/// above mean sea level if gpsd has reported neither `altMSL` nor `altHAE`.
///
/// ```swift
/// var report = TPV()
/// report.mode = .fix3D
/// report.lat = 48.15
/// report.lon = 11.58
/// report[.speed] = 2.5
/// let fix = LocationFix(report)
/// ```
package struct TPV: Hashable, Sendable {
  /// The mode of a report, with gpsd's numbers.
  package enum Mode: UInt8, Hashable, Sendable, CaseIterable {
    /// The receiver has not reported a mode yet.
    case unknown = 0
    /// The receiver reports that it has no position.
    case noFix = 1
    /// The position consists of latitude and longitude.
    case fix2D = 2
    /// The position consists of latitude, longitude and height.
    case fix3D = 3
  }

  /// The receiver's path on gpsd's machine, such as `/dev/ttyACM0`.
  package var device: String?
  /// The instant of the report by the receiver's clock.
  package var time: Timestamp?
  /// The map datum, such as `WGS84`.
  package var datum: String?

  /// The number of the ``mode``, even if gpsd does not define it.
  package private(set) var modeNumber: Double?

  /// Degrees north of the equator, -90 to 90.
  package var lat: Double?
  /// Degrees east of Greenwich, -180 to 180.
  package var lon: Double?

  var quantities = Quantities(LocationFix.Quantity.zeros)

  /// Creates an empty report, which a test can fill.
  package init() {}

  /// The kind of position; ``Mode/unknown`` also for a mode that gpsd does not define.
  package var mode: Mode {
    get { modeNumber.flatMap { UInt8(exactly: $0) }.flatMap(Mode.init) ?? .unknown }
    set { modeNumber = Double(newValue.rawValue) }
  }

  /// A number by its name in gpsd_json(5); `nil` if it is not reported.
  ///
  /// ```swift
  /// if let speed = report[.wspeedt] { print("\(speed) m/s of wind") }
  /// ```
  package subscript(quantity: LocationFix.Quantity) -> Double? {
    get { quantities[Int(quantity.rawValue)] }
    set {
      let place = Int(quantity.rawValue)
      quantities[place] = newValue.within(Self.ranges[place])
    }
  }
}

extension TPV: JSONRecord {
  /// The members of the report, besides its quantities. Those before `mode` are not numbers.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time, datum
    case mode, lat, lon
  }

  /// The quantities that gpsd reports here, and not in another report.
  package static let reported = LocationFix.Quantity.allCases.filter {
    ![.sky, .attitude].contains($0.row.group)
  }

  static var otherMembers: [(name: String, number: Int)] {
    reported.map { ($0.row.wireName, firstQuantity + Int($0.rawValue)) }
  }

  private static let ranges = NumberRanges(LocationFix.Quantity.ranges)

  static var firstNumber: Int { Field.mode.rawValue }
  private static var firstQuantity: Int { Field.lon.rawValue + 1 }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    if member >= Self.firstQuantity {
      quantities[member &- Self.firstQuantity] = number
    } else {
      setPosition(number, at: member)
    }
  }

  private mutating func setPosition(_ number: Double?, at member: Int) {
    switch member {
    case Field.lat.rawValue: lat = number
    case Field.lon.rawValue: lon = number
    default: modeNumber = number
    }
  }

  mutating func removeAll() {
    device = nil
    time = nil
    datum = nil
    modeNumber = nil
    lat = nil
    lon = nil
    quantities.removeAll()
  }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    case Field.datum.rawValue: datum = try line.textValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }

  static func isPossible(_ number: Double, at member: Int) -> Bool {
    let range = member < firstQuantity ? .signed : ranges[member &- firstQuantity]
    return range.contains(number)
  }

  mutating func finish() throws(MalformedReport) -> Int {
    var removed = quantities.removeImpossible(Self.ranges)
    if let number = lat, !QuantityRange.latitude.contains(number) {
      lat = nil
      removed += 1
    }
    if let number = lon, !QuantityRange.longitude.contains(number) {
      lon = nil
      removed += 1
    }
    return removed
  }
}
