import LocationCore
import Testing

@Suite struct `Coordinates` {
  private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinate {
    try #require(Coordinate(latitude: latitude, longitude: longitude))
  }

  @Test(arguments: [
    (90.1, 0.0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
  ])
  func `are in range, or none`(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }

  /// By the mean radius of 6,371,008.8 m a degree of a great circle is 111,195.08 m.
  @Test(arguments: [
    ((0.0, 0.0), (1.0, 0.0), 111_195.08), ((0, 179.5), (0, -179.5), 111_195.08),
    ((90, 0), (-90, 0), 20_015_114.44), ((60, 0), (60, 1), 55_597.01), ((47, 8), (47, 8), 0),
  ])
  func `are apart along the great circle`(
    from: (Double, Double), to: (Double, Double), metres: Double
  ) throws {
    let distance = try place(from.0, from.1).distance(to: place(to.0, to.1))
    #expect(abs(distance - metres) < 0.01)
    #expect(try place(to.0, to.1).distance(to: place(from.0, from.1)) == distance)
  }

  @Test func `a metre is a metre`() throws {
    let distance = try place(47, 8).distance(to: place(47 + 1 / 111_195.08, 8))
    #expect(abs(distance - 1) < 1e-6)
  }
}
