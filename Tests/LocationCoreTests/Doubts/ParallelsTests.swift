import Testing

@testable import LocationCore

@Suite struct `A bound that needs no sine` {
  @Test(arguments: [0.0, 0.04, -33, 48, 71.5, 84, 89.93, -89.97])
  func `is never shorter than the distance, and little longer`(latitude: Double) {
    let parallels = Parallels(around: latitude)
    let start = Coordinate(latitude: latitude, longitude: 179)!
    for bearing in stride(from: 0.0, to: 360, by: 15) {
      for metres in [0.5, 30, 700, 3_000] {
        let end = start.moved(by: metres, bearing: bearing)
        // Another way round a pole is far longer.
        guard abs(end.longitude - start.longitude) < 90 else { continue }
        let bound = parallels.longestWay(from: start, to: end)
        let chord = EarthPoint(start).distance(to: EarthPoint(end))
        #expect(bound >= chord * (1 - 1e-6), "\(bearing)°, \(metres) m")
        if abs(latitude) < 50 { #expect(bound <= chord * 1.01, "\(bearing)°, \(metres) m") }
      }
    }
  }

  @Test func `is infinite outside, and huge across the date line`() {
    let parallels = Parallels(around: 48)
    let start = Coordinate(latitude: 48, longitude: 179.999)!
    let south = Coordinate(latitude: 47.89, longitude: 179.999)!
    let east = Coordinate(latitude: 48, longitude: -179.999)!
    #expect(parallels.longestWay(from: start, to: south) == .infinity)
    #expect(parallels.longestWay(from: start, to: east) > 2e7)
    #expect(!parallels.contains(47.89))
    #expect(parallels.contains(47.91))
  }
}
