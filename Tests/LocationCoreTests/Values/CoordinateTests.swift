import LocationCore
import Testing

@Suite struct `Coordinates` {
  @Test(arguments: [
    (90.1, 0.0), (-90.1, 0), (0, 180.1), (0, -180.1), (.nan, 0), (0, .nan), (.infinity, 0),
  ])
  func `are in range, or none`(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude) == nil)
  }
}
