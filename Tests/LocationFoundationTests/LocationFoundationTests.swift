import Foundation
import LocationCore
import LocationFoundation
import Testing

@Suite struct `Location for Foundation` {
  @Test(
    arguments: [
      (0, 0), (1_795_158_290_120_000_000, 1_795_158_290.12), (-1_500_000_000, -1.5),
    ] as [(Int64, Double)])
  func `a date is the same instant as a timestamp, there and back`(
    nanoseconds: Int64, seconds: Double
  ) {
    let timestamp = Timestamp(nanosecondsSince1970: nanoseconds)
    #expect(Date(timestamp) == Date(timeIntervalSince1970: seconds))
    let back = Timestamp(Date(timestamp))
    #expect(back.map { abs($0.nanosecondsSince1970 - nanoseconds) <= 250 } == true)
  }

  @Test(arguments: [-1e10, 1e10, .infinity, .nan])
  func `a date that 64 bits of nanoseconds cannot hold is no timestamp`(seconds: Double) {
    #expect(Timestamp(Date(timeIntervalSince1970: seconds)) == nil)
  }

  @Test func `measurements have the units of the fix, and none where it is unknown`() throws {
    let place = try #require(Coordinate(latitude: 47.37, longitude: 8.54))
    var fix = LocationFix(coordinate: place, mode: .fix3D)
    #expect(fix.speedMeasurement == nil)
    fix.speed = 10
    fix.altMSL = 408
    fix.track = 180
    fix.eph = 5
    #expect(fix.speedMeasurement == Measurement(value: 10, unit: .metersPerSecond))
    #expect(fix.altitudeMeasurement == Measurement(value: 408, unit: .meters))
    #expect(fix.trackMeasurement == Measurement(value: 180, unit: .degrees))
    #expect(fix.accuracyMeasurement == Measurement(value: 5, unit: .meters))
    #expect(place.distanceMeasurement(to: place) == Measurement(value: 0, unit: .meters))
  }

  @Test func `an error's own words are its localized description`() {
    let error: any Error = LocationError(.silent, "gpsd has been silent for 20 s")
    #expect(error.localizedDescription == "gpsd has been silent for 20 s")
  }
}
