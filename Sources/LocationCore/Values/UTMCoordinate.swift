/// A position on the grids that maps use: Universal Transverse Mercator (UTM) from 80 degrees south to 84 degrees
/// north, Universal Polar Stereographic (UPS) at the poles, both on WGS 84.
///
/// The zones have their usual exceptions: in the south-west of Norway, zone 32 is widened to the
/// west; around Svalbard, zones 31, 33, 35 and 37 are widened, and 32, 34 and 36 are not used.
///
/// ```swift
/// let place = Coordinate(latitude: 48.118633333, longitude: 11.517333333)!
/// print(UTMCoordinate(place).mgrs)  // 32UPU8734432551
/// ```
package struct UTMCoordinate: Hashable, Sendable {
  /// The UTM zone, 1 to 60; `nil` on the UPS grid.
  package let zone: Int?
  /// The latitude band.
  ///
  /// With a zone, this is `C` to `X` from south to north, without `I` and `O`; `N` is the first band
  /// north of the equator. On the UPS grid, `A` and `B` are the western and eastern halves of
  /// Antarctica, `Y` and `Z` those of the Arctic.
  package let band: Character
  /// Metres east of the grid's origin, which lies 500 km west of the zone's central meridian, or, on
  /// the UPS grid, 2,000 km west of the pole.
  package let easting: Double
  /// Metres north of the grid's origin. This is the equator in the northern hemisphere, 10,000 km south of the
  /// equator in the southern hemisphere, and, on the UPS grid, 2,000 km below the pole.
  package let northing: Double

  /// Converts a position. The error is below a micrometre.
  ///
  /// UTM follows the series of Krüger to the sixth order, as in C. F. F. Karney, "Transverse Mercator
  /// with an accuracy of a few nanometers", Journal of Geodesy 85, 2011. Zones, bands and the UPS grid
  /// are those of NGA.SIG.0012, "The Universal Grids and the Transverse Mercator and Polar Stereographic
  /// Map Projections", 2014.
  package init(_ coordinate: Coordinate) {
    let (latitude, longitude) = (coordinate.latitude, coordinate.longitude)
    guard let zone = Self.zone(of: coordinate) else {
      let offset = GridProjection.polarStereographic(
        latitude: latitude, longitude: longitude, scale: 0.994)
      self.zone = nil
      easting = 2_000_000 + offset.east
      northing = 2_000_000 + offset.north
      band = (latitude < 0 ? ["A", "B"] : ["Y", "Z"])[easting < 2_000_000 ? 0 : 1]
      return
    }
    let meridian = Double(6 * zone - 183)
    let offset = GridProjection.transverseMercator(
      latitude: latitude, longitude: longitude == 180 ? -180 - meridian : longitude - meridian,
      scale: 0.9996)
    self.zone = zone
    band = Self.bands[Self.bandIndex(of: latitude)]
    easting = 500_000 + offset.east
    northing = (latitude < 0 ? 10_000_000 : 0) + offset.north
  }

  /// Returns the zone; `nil` where the UPS grid is used.
  private static func zone(of coordinate: Coordinate) -> Int? {
    guard (-80..<84).contains(coordinate.latitude) else { return nil }
    let degree = coordinate.longitude == 180 ? -180 : Int(coordinate.longitude.rounded(.down))
    return switch (bands[bandIndex(of: coordinate.latitude)], degree) {
    case ("V", 3..<12): 32
    case ("X", 0..<42): (degree + 3) / 12 * 2 + 31
    default: (degree + 180) / 6 + 1
    }
  }

  private static let bands = Array("CDEFGHJKLMNPQRSTUVWX")

  /// Returns the index of the band: each has 8 degrees, the northernmost 12.
  private static func bandIndex(of latitude: Double) -> Int {
    min((Int(latitude.rounded(.down)) + 80) / 8, bands.count - 1)
  }
}

extension UTMCoordinate {
  /// The reference in the Military Grid Reference System, to the metre and without spaces, such as
  /// `32UPU8734432551`.
  ///
  /// It names the square metre that contains the position: the digits are cut off, not rounded. A zone
  /// below 10 has a leading zero; on the UPS grid there is no zone, as in `ZAH0000000000` for the North
  /// Pole.
  package var mgrs: String {
    // South of the equator by less than a nanometre, the northing is rounded to that of the equator.
    let (east, north) = (Int(easting), min(Int(northing), isSouthern ? 9_999_999 : .max))
    let (column, row) = (east / 100_000, north / 100_000)
    let square: [Character] =
      if let zone {
        [
          Self.columns[zone % 3][column - 1],
          Self.rows[(row + (zone.isMultiple(of: 2) ? 5 : 0)) % 20],
        ]
      } else {
        [
          Self.polarColumns[column < 20 ? 0 : 1][column < 20 ? 19 - column : column - 20],
          Self.polarRows[row - (isSouthern ? 8 : 13)],
        ]
      }
    return zoneAndBand + String(square) + Self.fiveDigits(east) + Self.fiveDigits(north)
  }

  private var isSouthern: Bool { band < "N" }

  /// The zone with two digits, and the band; only the band on the UPS grid.
  package var zoneAndBand: String {
    guard let zone else { return String(band) }
    return (zone < 10 ? "0" : "") + "\(zone)\(band)"
  }

  /// The letters of the columns, by the zone modulo 3.
  private static let columns = ["STUVWXYZ", "ABCDEFGH", "JKLMNPQR"].map(Array.init)
  private static let rows = Array("ABCDEFGHJKLMNPQRSTUV")
  /// The letters of the polar columns: from the pole to the west, and from the pole to the east.
  private static let polarColumns = ["ZYXUTSRQPLKJ", "ABCFGHJKLPQR"].map(Array.init)
  private static let polarRows = Array("ABCDEFGHJKLMNPQRSTUVWXYZ")

  /// Returns the last five digits.
  private static func fiveDigits(_ metres: Int) -> String {
    let digits = String(metres % 100_000)
    return String(repeating: "0", count: 5 - digits.count) + digits
  }
}

extension UTMCoordinate: CustomStringConvertible {
  /// The zone and band, the easting and the northing, such as `32U 687344.337 5332551.051`.
  package var description: String { "\(zoneAndBand) \(easting) \(northing)" }
}
