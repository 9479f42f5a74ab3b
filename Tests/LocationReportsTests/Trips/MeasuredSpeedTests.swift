import LocationCore
import TestSupport
import Testing

@testable import LocationReports

/// What a leg says if its positions show less than its speeds, or the other way around.
@Suite struct `What the measured speed shows` {
  /// 400 m in 5 minutes, 5 km in 8 minutes in which it is not seen, and 400 m.
  private static func metro(doppler: Double?, noise: Double = 1) -> TripLog {
    TripLog(
      TruthReceiver(noise: noise, doppler: doppler).fixes(
        1080, seed: 5, hidden: { $0 > 300 && $0 < 780 }
      ) { second in
        let (walk, ride) = (min(second, 300) + max(second - 780, 0), min(max(second - 300, 0), 480))
        // It stands at both ends of the ride.
        return (walk * 4 / 3 + 5000 * (ride / 480).rounded(), 0, 0)
      })
  }

  /// A straight way at one speed, with another that is measured.
  private static func straight(_ seconds: Double, at pace: Double, reported: Double) -> TripLog {
    TripLog(
      TruthReceiver(noise: 0, doppler: 0).fixes(seconds, seed: 1) { (pace * $0, 0, 0) }
        .map { fix, moment in
          var fix = fix
          fix.speed = reported
          return (fix: fix, moment: moment)
        })
  }

  @Test(arguments: [0.05, nil])
  func `A top speed below the average is unknown`(doppler: Double?) throws {
    let log = Self.metro(doppler: doppler)
    let leg = try #require(log.legs.first)
    #expect(log.legs.count == 1 && abs(leg.distance - 5800) < 20)
    #expect(leg.topSpeed == nil && log.summary.speedTop == nil)
    let (mean, moving) = (try #require(leg.meanSpeed), try #require(leg.meanMovingSpeed))
    #expect(abs(mean - 5.37) < 0.05 && moving >= mean)
  }

  @Test func `A top speed of several legs is not below the average of one`() {
    func leg(_ distance: Double, top: Double?) -> Leg {
      let place = Coordinate(latitude: 48, longitude: 11.5)!
      return Leg(
        from: Leg.End(place, at: Moment(uptime: .seconds(0))),
        to: Leg.End(place, at: Moment(uptime: .seconds(100))), distance: distance, topSpeed: top)
    }
    func top(_ legs: [Leg]) -> Double? {
      var summary = TripSummary()
      for leg in legs { summary.add(leg) }
      return summary.speedTop
    }
    #expect(top([leg(1000, top: 12), leg(900, top: nil)]) == 12)
    #expect(top([leg(1000, top: 12), leg(1300, top: nil)]) == nil)
    #expect(top([leg(1300, top: nil), leg(1000, top: 14)]) == 14)
    #expect(top([leg(10, top: nil)]) == nil && top([]) == nil)
  }

  @Test(
    arguments: [
      (1000, 100, 20, 16, 10, 16), (1000, 100, 20, 12, 10, 12),
      // It hardly moved when its speed was measured: the positions jumped.
      (2500, 266, 1, nil, 2500 / 266, 2500 / 266),
      (35_000, 100, 1, nil, 350, 350), (35_100, 100, 100, nil, nil, nil),
      (1000, 0, 0, nil, nil, nil), (1000, 100, 0, 16, 10, nil),
    ] as [(Double, Double, Double, Double?, Double?, Double?)])
  func `A mean speed is possible, or unknown`(
    distance: Double, seconds: Double, moving: Double, top: Double?, mean: Double?,
    meanMoving: Double?
  ) {
    func end(_ seconds: Double) -> Leg.End {
      Leg.End(.nullIsland, at: Moment(uptime: .seconds(seconds)))
    }
    let leg = Leg(
      from: end(0), to: end(seconds), distance: distance, movingTime: .seconds(moving),
      topSpeed: top)
    #expect(leg.meanSpeed == mean && leg.meanMovingSpeed == meanMoving)
  }

  @Test(arguments: [(1.04, true), (1.06, false)])
  func `A top speed may be below the average by errors of both`(factor: Double, isKnown: Bool)
    throws
  {
    let leg = try #require(Self.straight(100, at: 10, reported: 10 / factor).legs.first)
    #expect((leg.topSpeed != nil) == isKnown)
    if let top = leg.topSpeed { #expect(top == leg.meanSpeed) }
  }

  @Test(arguments: [(49.0, 0), (51, 1)])
  func `A way that stays within the radius is no leg, even if the speed shows it`(
    way: Double, legs: Int
  ) {
    #expect(Self.straight(way / 1.5, at: 1.5, reported: 1.5).legs.count == legs)
  }

  @Test(arguments: [40.0, 60, 150])
  func `Hairpins are as long as the speed says`(wide: Double) {
    let way = TruthWay.hairpins(wide: wide, deep: 20)
    for seed in isReleaseBuild ? Array(1...20) : [1, 2] {
      let log = TripLog(TruthReceiver().fixes(way.seconds, seed: seed, way.place))
      #expect(log.legs.count == 1 && log.stops.count == 2, "\(seed)")
      #expect(
        abs(log.summary.distance / way.length - 1) < 0.04, "\(log.summary.distance / way.length)")
    }
  }

  @Test func `A speed that is much too high does not count`() throws {
    for (factor, way) in [(1.2, 1440.0), (1.3, 1200), (0.9, 1200)] {
      let leg = try #require(Self.straight(600, at: 2, reported: 2 * factor).legs.first)
      #expect(abs(leg.distance - way) < 1, "\(factor)")
    }
  }
}
