import LocationCore
import Testing

@testable import CoreLocationBridge

/// What becomes of an update of Core Location. The negative numbers are those that its documentation calls invalid.
@Suite struct `An update of Core Location` {
  private static let place = CoreLocationReading.Place(
    latitude: 52.5, longitude: 13.5, horizontalAccuracy: 5, altitude: 40, ellipsoidalAltitude: 80,
    verticalAccuracy: 8, speed: 2, speedAccuracy: 0.5, course: 90, courseAccuracy: 10,
    secondsSince1970: 1_795_158_000.25, isSimulated: false)

  private func fix(_ change: (inout CoreLocationReading.Place) -> Void) throws -> LocationFix? {
    var place = Self.place
    change(&place)
    guard case .fix(let fix) = try CoreLocationReading(place: place).event else { return nil }
    return fix
  }

  @Test func `is a fix with all its values`() throws {
    var expected = LocationFix(
      coordinate: Coordinate(latitude: 52.5, longitude: 13.5)!, mode: .fix3D,
      time: Timestamp(secondsSince1970: 1_795_158_000, nanoseconds: 250_000_000), accuracy: 5)
    (expected.altMSL, expected.altHAE, expected.epv) = (40, 80, 8)
    (expected.speed, expected[.eps], expected.track, expected[.epd]) = (2, 0.5, 90, 10)
    #expect(try fix { _ in } == expected)
    expected.quality = .simulated
    #expect(try fix { $0.isSimulated = true } == expected)
  }

  @Test(arguments: [-1, -0.5, -Double.infinity, .nan])
  func `without a valid position is no fix`(accuracy: Double) throws {
    #expect(try fix { $0.horizontalAccuracy = accuracy } == nil)
    var place = Self.place
    place.horizontalAccuracy = accuracy
    #expect(try CoreLocationReading(place: place).event == .noFix(NoFix()))
    #expect(try CoreLocationReading(place: nil).event == .noFix(NoFix()))
    #expect(try fix { $0.latitude = 90.5 } == nil)
  }

  @Test(arguments: [-1, 0, -Double.infinity, .nan])
  func `without a valid height is in 2D`(accuracy: Double) throws {
    let fix = try #require(try fix { $0.verticalAccuracy = accuracy })
    #expect(fix.mode == .fix2D && fix.altMSL == nil && fix.altHAE == nil && fix.epv == nil)
    #expect(fix.accuracy == 5 && fix.speed == 2 && fix.track == 90)
  }

  @Test(arguments: [-1, -Double.infinity, .nan])
  func `without a valid speed or course has none`(number: Double) throws {
    for change in [\CoreLocationReading.Place.speed, \.speedAccuracy] {
      let fix = try #require(try fix { $0[keyPath: change] = number })
      #expect(fix.speed == nil && fix[.eps] == nil && fix.track == 90)
    }
    for change in [\CoreLocationReading.Place.course, \.courseAccuracy] {
      let fix = try #require(try fix { $0[keyPath: change] = number })
      #expect(fix.track == nil && fix[.epd] == nil && fix.speed == 2)
    }
  }

  @Test(arguments: [1e300, -1e300, .infinity, .nan])
  func `has no impossible time`(seconds: Double) throws {
    #expect(try #require(try fix { $0.secondsSince1970 = seconds }).time == nil)
  }

  @Test func `without access is an error, even with a location`() {
    for place in [nil, Self.place] {
      let denied = CoreLocationReading(place: place, isDenied: true)
      let restricted = CoreLocationReading(place: place, isDenied: true, isRestricted: true)
      #expect { try denied.event } throws: { ($0 as? LocationError)?.code == .denied }
      #expect { try restricted.event } throws: { ($0 as? LocationError)?.code == .restricted }
    }
  }
}
