@testable import LocationCore
import Testing

@Suite struct `UTM and MGRS` {
  private func grid(_ latitude: Double, _ longitude: Double) throws -> UTMCoordinate {
    UTMCoordinate(try #require(Coordinate(latitude: latitude, longitude: longitude)))
  }

  /// The known values of the tests of utm, a package of PyPI, rounded to a metre.
  @Test(
    arguments: [
      (50.77535, 6.08389, 32, "U", 294_409, 5_628_898),
      (40.71435, -74.00597, 18, "T", 583_960, 4_507_523),
      (-41.28646, 174.77624, 60, "G", 313_784, 5_427_057),
      (-33.92487, 18.42406, 34, "H", 261_878, 6_243_186),
      (-32.89018, -68.84405, 19, "H", 514_586, 6_360_877),
      (64.83778, -147.71639, 6, "W", 466_013, 7_190_568),
      (56.79680, -5.00601, 30, "V", 377_486, 6_296_562),
    ] as [(Double, Double, Int, Character, Double, Double)])
  func `agree with published coordinates of cities`(
    latitude: Double, longitude: Double, zone: Int, band: Character, easting: Double,
    northing: Double
  ) throws {
    let grid = try grid(latitude, longitude)
    #expect(grid.zone == zone)
    #expect(grid.band == band)
    #expect(grid.easting.rounded() == easting)
    #expect(grid.northing.rounded() == northing)
  }

  /// IOGP, Geomatics Guidance Note 7-2, "Polar Stereographic (variant A)", the example of UPS North.
  @Test func `project onto the polar plane as the published example`() {
    let offset = GridProjection.polarStereographic(latitude: 73, longitude: 44, scale: 0.994)
    #expect(abs(2_000_000 + offset.east - 3_320_416.75) < 0.005)
    #expect(abs(2_000_000 + offset.north - 632_668.43) < 0.005)
  }

  /// Written by GeoConvert, of GeographicLib 2.1.2: `GeoConvert -m -p 0`. The third is the example of
  /// its manual page.
  @Test(
    arguments: [
      (0, 0, "31NAA6602100000"), (-0.000_000_1, 0, "31MAV6602199999"),
      (33.3, 44.4, "38SMB4414084706"), (48.118633333, 11.517333333, "32UPU8734432551"),
      (0, 180, "01NAA6602100000"), (0, -180, "01NAA6602100000"),
      (-79.99, 170, "59CMM8059619363"), (-80, 3, "31CEM0000018414"),
    ] as [(Double, Double, String)])
  func `have the letters of their square`(latitude: Double, longitude: Double, mgrs: String) throws
  {
    #expect(try grid(latitude, longitude).mgrs == mgrs)
  }

  @Test(
    arguments: [
      (60, 4, "32VKM2128861953"), (60, 2.999_999, "31VDG9999951411"),
      (55.999_999, 4, "31UEC6236606530"), (64, 5.9, "31WFM4180800240"),
    ] as [(Double, Double, String)])
  func `widen zone 32 in the south-west of Norway`(
    latitude: Double, longitude: Double, mgrs: String
  ) throws {
    #expect(try grid(latitude, longitude).mgrs == mgrs)
  }

  @Test(
    arguments: [
      (72, 8.999, "31XGV0660299230"), (72, 9, "33XTV9336399233"), (78.2, 15.6, "33XWG1369680760"),
      (83.9, 21, "35XMP2894320633"), (80, 33, "37XCJ8388587579"),
      (80, 41.999_99, "37XEJ5813283084"),
      (80, 42, "38XMP4186783084"), (71.999, 15, "33WWV0000088820"),
    ] as [(Double, Double, String)])
  func `use four zones of seven around Svalbard`(
    latitude: Double, longitude: Double, mgrs: String
  ) throws {
    #expect(try grid(latitude, longitude).mgrs == mgrs)
  }

  @Test(
    arguments: [
      (90, 0, "ZAH0000000000"), (-90, 0, "BAN0000000000"), (85, -45, "YUD0723207232"),
      (84, 0, "ZAA0000033272"), (84, 180, "ZAP0000066727"), (-80.001, -90, "AJN8716000000"),
      (-88, 135, "BBL5702642973"), (-89, -179.5, "AZL9903188977"),
    ] as [(Double, Double, String)])
  func `have no zone at the poles`(latitude: Double, longitude: Double, mgrs: String) throws {
    let grid = try grid(latitude, longitude)
    #expect(grid.zone == nil)
    #expect(grid.mgrs == mgrs)
  }

  @Test func `stay south of the equator however near it is`() throws {
    #expect(try grid(-1e-300, 0).mgrs == "31MAV6602199999")
  }

  @Test func `are printed with zone, band and metres`() throws {
    #expect("\(try grid(0, 3))" == "31N 500000.0 0.0")
    #expect("\(try grid(90, 0))" == "Z 2000000.0 2000000.0")
  }
}
