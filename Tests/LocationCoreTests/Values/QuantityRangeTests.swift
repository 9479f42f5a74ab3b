import TestSupport
import Testing

@testable import LocationCore

/// What no receiver measures is unknown, whoever says it.
@Suite struct `A number that cannot be` {
  private static let hostile = [
    Double.nan, -.nan, .signalingNaN, .infinity, -.infinity, 1e300, -1e300, 1e15, -1e15,
  ]

  private var fix: LocationFix { Reports.locationFix(0, isThin: true) }

  @Test(arguments: FieldCase.all)
  func `is not set`(field: FieldCase) {
    for number in Self.hostile {
      var fix = fix
      fix[field.quantity] = 1
      fix[field.quantity] = number
      #expect(fix[field.quantity] == nil, "\(number)")
    }
    var fix = fix
    fix[field.quantity] = -1.5
    #expect(fix[field.quantity] == (field.allows(-1.5) ? -1.5 : nil))
  }

  @Test(arguments: FieldCase.all)
  func `is one beyond either end of the range`(field: FieldCase) {
    var fix = fix
    let (lowest, highest) = (field.range.lowerBound, field.range.upperBound)
    for number in [lowest, highest] {
      fix[field.quantity] = number
      #expect(fix[field.quantity] == number)
    }
    for number in [lowest.nextDown, highest.nextUp] {
      fix[field.quantity] = number
      #expect(fix[field.quantity] == nil, "\(number)")
    }
  }

  @Test func `is outside of the range of its kind`() {
    let limit = 1e15.nextDown
    let ranges: [(QuantityRange, Double, Double)] = [
      (.signed, -limit, limit), (.magnitude, 0, limit), (.latitude, -90, 90),
      (.longitude, -180, 180), (.azimuth, 0, 360), (.direction, -180, 360),
      (.variation, -180, 180), (.elevation, -90, 90), (.geoidSeparation, -200, 200),
      (.count, 0, 65_535), (.signalStrength, 0, 254), (.health, 0, 2), (.frequencyNumber, 0, 13),
      (.trackingQuality, 0, 7), (.code, 0, 255), (.leapSeconds, -128, 127),
      (.temperature, -273.15, limit),
    ]
    let whole: [QuantityRange] = [
      .count, .health, .frequencyNumber, .trackingQuality, .code, .leapSeconds,
    ]
    let station = QuantityRange.station
    #expect(station.isWhole && station.minimum == 0 && station.maximum == nil)
    #expect(station.contains(0) && station.contains(1e15 - 1) && !station.contains(1.5))
    let cyclic: [QuantityRange] = [.longitude, .azimuth, .direction, .variation]
    for (range, lowest, highest) in ranges {
      #expect(range.lowest == lowest && range.highest == highest)
      #expect(range.contains(lowest) && range.contains(highest))
      #expect(!range.contains(lowest.nextDown) && !range.contains(highest.nextUp))
      #expect(range.minimum == (lowest == -limit ? nil : lowest))
      #expect(range.maximum == (highest == limit ? nil : highest))
      #expect(range.isCyclic == cyclic.contains(range))
      #expect(range.isWhole == whole.contains(range) && range.contains(1))
      #expect(range.contains(1.5) == !range.isWhole)
    }
  }

  /// Core Location's -1 is invalid, and not the best of all accuracies.
  @Test(arguments: [-1, -0.001, -Double.infinity, .nan, .infinity, 1e300])
  func `is no accuracy that a request is content with`(accuracy: Double) {
    let fix = LocationFix(coordinate: .nullIsland, mode: .fix3D, horizontalError: accuracy)
    #expect(fix.horizontalError == nil && fix[.eph] == nil)
    #expect(!fix.satisfies(LocationRequest(desiredAccuracy: 20)))
    #expect(fix.satisfies(LocationRequest()))
  }

  @Test(arguments: [-1, 70_000, Int.min, Int.max])
  func `is no number of satellites, signals, or of a level`(number: Int) {
    var fix = fix
    let counts: [WritableKeyPath<LocationFix, Int?>] = [
      \.satellitesUsed, \.satellitesSeen, \.signalsUsed, \.signalsSeen, \.interference,
    ]
    for count in counts {
      fix[keyPath: count] = 7
      fix[keyPath: count] = number
      #expect(fix[keyPath: count] == nil)
    }
    #expect(NoFix(isStated: true, interference: number).interference == nil)
    var sky = SkyView(seen: number, used: number, signalsSeen: number, signalsUsed: number)
    let empty = SkyView()
    #expect(sky == empty)
    for count in [\SkyView.seen, \.used, \.signalsSeen, \.signalsUsed] {
      sky[keyPath: count] = number
      #expect(sky == empty)
    }
  }

  @Test(arguments: [-1.5, Double.nan, .infinity, 1e300])
  func `is none of the sky`(number: Double) {
    var sky = SkyView(hdop: number, vdop: number, pdop: number)
    let empty = SkyView()
    #expect(sky == empty)
    for dilution in [\SkyView.hdop, \.vdop, \.pdop] {
      sky[keyPath: dilution] = number
      #expect(sky == empty)
    }
  }

  @Test func `is none of a satellite`() {
    let bare = Satellite(prn: 5, isUsed: true)
    let odd = Satellite(
      prn: 5, elevation: -91, azimuth: 360.5, signalStrength: -1,
      isUsed: true, health: 3, freqID: 14, trackingQuality: 8, pseudorange: 1e300,
      pseudorangeRate: .nan, pseudorangeResidual: .infinity)
    #expect(odd == bare)
    var satellite = bare
    satellite.elevation = 90.5
    satellite.azimuth = -0.5
    satellite.signalStrength = 255
    satellite.health = -1
    satellite.freqID = -1
    satellite.trackingQuality = -1
    satellite.pseudorange = -.infinity
    satellite.pseudorangeRate = -1e300
    satellite.pseudorangeResidual = .nan
    #expect(satellite == bare)
    satellite.elevation = 1
    satellite.azimuth = 2
    satellite.signalStrength = 3
    satellite.health = 1
    satellite.freqID = 5
    satellite.trackingQuality = 6
    satellite.pseudorange = 7
    satellite.pseudorangeRate = 8
    satellite.pseudorangeResidual = 9
    #expect(
      satellite
        == Satellite(
          prn: 5, elevation: 1, azimuth: 2, signalStrength: 3, isUsed: true, health: 1, freqID: 5,
          trackingQuality: 6, pseudorange: 7, pseudorangeRate: 8, pseudorangeResidual: 9))
  }

  /// There is no unknown to turn to: the nearest valid number lets no fix through that was not asked for.
  @Test(arguments: [-4, -Double.infinity, .nan])
  func `counts as 0 in what a program asks for`(number: Double) {
    var request = LocationRequest(desiredAccuracy: number, distanceFilter: number)
    #expect(request == LocationRequest(desiredAccuracy: 0, distanceFilter: 0))
    (request.desiredAccuracy, request.distanceFilter) = (5, 5)
    (request.desiredAccuracy, request.distanceFilter) = (number, number)
    #expect(request == LocationRequest(desiredAccuracy: 0, distanceFilter: 0))
    let fix = LocationFix(coordinate: .nullIsland, mode: .fix3D, horizontalError: 4)
    #expect(!fix.satisfies(request))
    let regions = RegionMonitor(
      [], maximumAccuracy: number, grace: .seconds(-1), dwell: .seconds(-1))
    #expect((regions.maximumAccuracy, regions.grace, regions.dwell) == (0, .zero, .zero))
  }
}
