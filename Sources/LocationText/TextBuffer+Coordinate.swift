package import LocationCore

extension TextBuffer {
  /// Appends latitude and longitude, separated by a space, or the grid reference.
  ///
  /// - Parameter degree: The text for the degree sign.
  package mutating func append(
    _ coordinate: Coordinate, style: CoordinateStyle, degree: String = "°"
  ) {
    switch style {
    case .maidenhead: append(maidenhead: coordinate)
    case .utm: append(utm: coordinate)
    case .mgrs: append(text: UTMCoordinate(coordinate).mgrs)
    case .decimal, .minutes, .seconds:
      append(latitude: coordinate.latitude, style: style, degree: degree)
      append(character: " ")
      append(longitude: coordinate.longitude, style: style, degree: degree)
    }
  }

  package mutating func append(latitude: Double, style: CoordinateStyle, degree: String = "°") {
    append(angle: latitude, style: style, degree: degree, directions: ("N", "S"))
  }

  package mutating func append(longitude: Double, style: CoordinateStyle, degree: String = "°") {
    append(angle: longitude, style: style, degree: degree, directions: ("E", "W"))
  }

  /// Appends the Maidenhead locator with four pairs, such as `JN58sc28`, which is exact to about
  /// half a kilometre.
  package mutating func append(maidenhead coordinate: Coordinate) {
    let east = Swift.min(Int((coordinate.longitude + 180) * 120), 43_199)
    let north = Swift.min(Int((coordinate.latitude + 90) * 240), 43_199)
    for number in [east, north] { append(UInt8(ascii: "A") + UInt8(number / 2400)) }
    for number in [east, north] { append(UInt8(ascii: "0") + UInt8(number / 240 % 10)) }
    for number in [east, north] { append(UInt8(ascii: "a") + UInt8(number / 10 % 24)) }
    for number in [east, north] { append(UInt8(ascii: "0") + UInt8(number % 10)) }
  }

  /// Appends zone and band, easting and northing to the millimetre, separated by spaces.
  package mutating func append(utm coordinate: Coordinate) {
    let grid = UTMCoordinate(coordinate)
    append(text: grid.zoneAndBand)
    for metres in [grid.easting, grid.northing] {
      append(character: " ")
      append(metres, places: 3)
    }
  }

  private mutating func append(
    angle: Double, style: CoordinateStyle, degree: String,
    directions: (positive: Unicode.Scalar, negative: Unicode.Scalar)
  ) {
    switch style {
    case .decimal, .maidenhead, .utm, .mgrs:
      return append(number: angle)
    case .minutes:
      // Hundred thousandths of a minute: 2 cm.
      let parts = Int((angle.magnitude * 6_000_000).rounded())
      append(integer: parts / 6_000_000)
      append(text: degree)
      append(integer: parts % 6_000_000 / 100_000, digits: 2)
      append(character: ".")
      append(integer: parts % 100_000, digits: 5)
      append(character: "'")
    case .seconds:
      // Thousandths of a second: 3 cm.
      let parts = Int((angle.magnitude * 3_600_000).rounded())
      append(integer: parts / 3_600_000)
      append(text: degree)
      append(integer: parts % 3_600_000 / 60_000, digits: 2)
      append(character: "'")
      append(integer: parts % 60_000 / 1000, digits: 2)
      append(character: ".")
      append(integer: parts % 1000, digits: 3)
      append(character: "\"")
    }
    append(character: angle < 0 ? directions.negative : directions.positive)
  }
}
