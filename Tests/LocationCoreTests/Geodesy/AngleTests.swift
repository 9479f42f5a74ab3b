import LocationCore
import Testing

@Suite struct `Angles of any size` {
  @Test(
    arguments: [
      (0, 0, 1), (90, 1, 0), (180, 0, -1), (270, -1, 0), (360, 0, 1), (-90, -1, 0), (-180, 0, -1),
      (450, 1, 0), (3.6e20, 0, 1), (-3.6e20, 0, 1),
    ] as [(Double, Double, Double)])
  func `have an exact sine and cosine at right angles`(
    degrees: Double, sine: Double, cosine: Double
  ) {
    #expect(sineAndCosine(ofDegrees: degrees) == (sine, cosine))
  }

  @Test(arguments: [30.0, 45, 60, 89, 91, 135, 150, 225, 300, 359])
  func `have the sine and cosine of their rest`(degrees: Double) {
    let (sine, cosine) = sineAndCosine(ofDegrees: degrees)
    #expect(abs(sine * sine + cosine * cosine - 1) < 1e-15)
    #expect((sine > 0) == (degrees < 180) && (cosine > 0) == (degrees < 90 || degrees > 270))
    for turn in [-7200.0, -360, 360, 7200] {
      #expect(sineAndCosine(ofDegrees: degrees + turn) == (sine, cosine))
    }
    let mirrored = sineAndCosine(ofDegrees: -degrees)
    #expect(mirrored == (-sine, cosine))
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity])
  func `are not a number if they are not finite`(number: Double) {
    let (sine, cosine) = sineAndCosine(ofDegrees: number)
    #expect(sine.isNaN && cosine.isNaN)
    let place = Coordinate(latitude: 48, longitude: 11.5)!
    #expect(place.moved(by: 10, bearing: number) == place)
    #expect(place.moved(by: number, bearing: 10) == place)
  }

  @Test func `may be any number of turns`() {
    let place = Coordinate(latitude: 48, longitude: 11.5)!
    #expect(place.moved(by: 1000, bearing: 1e22 + 1) == place.moved(by: 1000, bearing: 280))
    #expect(place.moved(by: 1000, bearing: 450) == place.moved(by: 1000, bearing: 90))
    #expect(place.moved(by: 1e300, bearing: 90) != place)
  }
}
