package import LocationCore

/// gpsd's `GST` report: statistics of the receiver's pseudorange noise.
///
/// A value that is not reported is `nil`, and so is an impossible one, such as a negative deviation.
package struct GST: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  package var device: String?
  /// The instant of the report by the receiver's clock.
  package var time: Timestamp?

  var quantities = QuantitiesOfReport()

  /// Creates an empty report.
  package init() {}

  /// A number of the report, by its name in gpsd_json(5): a standard deviation, unless it says otherwise.
  package enum Quantity: Int, CaseIterable, Sendable {
    /// The error of the pseudoranges that the position is computed from, in metres.
    case rms
    /// The semi-major and the semi-minor axis of the error ellipse, in metres.
    case major, minor
    /// The orientation of the semi-major axis, in degrees from true north.
    case orient
    /// The errors of the latitude, the longitude and the height, in metres. They are not a position.
    case lat, lon, alt
    /// The errors of the velocity to the east, to the north and upward, in metres per second.
    case ve, vn, vu
  }

  /// A number by its name in gpsd_json(5); `nil` if it is not reported.
  package subscript(quantity: Quantity) -> Double? {
    get { quantities[quantity.rawValue] }
    set { quantities[quantity.rawValue] = newValue.within(Quantity.ranges[quantity.rawValue]) }
  }
}

extension GST: JSONRecord {
  /// The members of the report that are not numbers.
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device, time
  }

  static var firstNumber: Int { Field.time.rawValue + 1 }
  static var otherMembers: [(name: String, number: Int)] {
    members(
      "rms", "major", "minor", "orient", "lat", "lon", "alt", "ve", "vn", "vu")
  }

  @inline(__always)
  mutating func set(_ number: Double?, at member: Int) {
    quantities[member &- Self.firstNumber] = number
  }

  static func isPossible(_ number: Double, at member: Int) -> Bool {
    Quantity.ranges[member &- firstNumber].contains(number)
  }

  mutating func finish() throws(MalformedReport) -> Int {
    quantities.removeImpossible(Quantity.ranges)
  }

  mutating func removeAll() { self = GST() }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    switch member {
    case Field.device.rawValue: device = try names.read(line, &index)
    case Field.time.rawValue: time = try line.timeValue(&index)
    default: try line.skipValue(&index, depth: 1)
    }
  }
}
