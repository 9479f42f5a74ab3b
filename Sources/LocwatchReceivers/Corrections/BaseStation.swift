import Glibc
import LocationCore

/// Where the base station is whose corrections come, as messages 1005 and 1006 of RTCM 3 say.
struct BaseStation: Equatable, Sendable {
  /// The station's number, 0 to 4095.
  var number: Int
  var coordinate: Coordinate

  init(number: Int, coordinate: Coordinate) {
    self.number = number
    self.coordinate = coordinate
  }

  /// Reads a frame; `nil` if it has another message, or a position that is not on the Earth.
  init?(frame: [UInt8]) {
    let message = frame.dropFirst(3).dropLast(3)
    guard message.count >= 19, [1005, 1006].contains(message.unsigned(0, 12)) else { return nil }
    // In units of 0.1 mm.
    let x = Double(message.signed(34, 38)) / 10_000
    let y = Double(message.signed(74, 38)) / 10_000
    let z = Double(message.signed(114, 38)) / 10_000
    guard let coordinate = Coordinate(x: x, y: y, z: z) else { return nil }
    self.init(number: Int(message.unsigned(12, 12)), coordinate: coordinate)
  }
}

extension Coordinate {
  /// A base station's maximum distance from the ellipsoid, in metres.
  private static let maximumHeight = 100_000.0

  /// Creates the position of a point near the ground from its Cartesian coordinates, Earth-centred and
  /// Earth-fixed, in metres; `nil` for any other point.
  ///
  /// The latitude is that of Bowring, Transformation from spatial to geographical coordinates, Survey
  /// Review 23 (1976), which is exact to a nanometre near the ground.
  init?(x: Double, y: Double, z: Double) {
    let radius = (x * x + y * y + z * z).squareRoot()
    let major = WGS84.equatorialRadius
    guard abs(radius - major) < Self.maximumHeight else { return nil }
    let minor = major * (1 - WGS84.flattening)
    let square = WGS84.flattening * (2 - WGS84.flattening)
    let otherSquare = square / (1 - square)
    let distance = (x * x + y * y).squareRoot()
    let angle = atan2(z * major, distance * minor)
    let (sine, cosine) = (sin(angle), cos(angle))
    let latitude = atan2(
      z + otherSquare * minor * sine * sine * sine,
      distance - square * major * cosine * cosine * cosine)
    self.init(latitude: latitude * 180 / .pi, longitude: atan2(y, x) * 180 / .pi)
  }
}

extension ArraySlice<UInt8> {
  /// Returns bits, which must be there, as an unsigned number.
  fileprivate func unsigned(_ first: Int, _ count: Int) -> UInt64 {
    (first..<first + count).reduce(0) { value, bit in
      let byte = self[startIndex + bit / 8]
      let isSet = byte >> (7 - bit % 8) & 1 == 1
      return value << 1 | (isSet ? 1 : 0)
    }
  }

  /// Returns bits as a number in two's complement.
  fileprivate func signed(_ first: Int, _ count: Int) -> Int64 {
    let value = Int64(unsigned(first, count))
    return value >> Int64(count - 1) == 1 ? value - 1 << Int64(count) : value
  }
}
