import LocationCore
import Testing

@testable import LocationReports

#if canImport(Glibc)
  import Glibc
#endif

/// What is observed of the errors of a receiver.
@Suite struct `Noise of a receiver` {
  /// The noise after fixes that are an interval apart.
  ///
  /// - Parameter place: Where the receiver is after some seconds: metres to the east, to the north and up.
  private static func noise(
    every interval: Double = 1, count: Int = 300, speed: Double? = nil,
    _ place: (Double) -> TruthPlace
  ) -> TripNoise {
    var noise = NoiseObserver()
    for number in 0..<count {
      let second = interval * Double(number)
      let (east, north, up) = place(second)
      noise.record(.at(second, east: east, north: north, altitude: up, speed: speed))
    }
    return noise.noise
  }

  /// The noise of errors with a deviation of 10 m, independent or correlated over some seconds.
  private static func noise(every interval: Double, over correlation: Double) -> TripNoise {
    var receiver = TruthReceiver(
      noise: 10, correlation: correlation, doppler: nil, interval: interval)
    receiver.mode = .fix2D
    var noise = NoiseObserver()
    let fixes = receiver.fixes(max(3600, 300 * interval), seed: 4) { _ in (0, 0, 0) }
    for (number, element) in fixes.enumerated() {
      var fix = TripFix(element.fix, number: number, at: element.moment)
      fix.seconds = interval * Double(number)
      noise.record(fix)
    }
    return noise.noise
  }

  @Test func `is that of an error of 3 m until differences over four steps were observed`() {
    // √(12 · 4 · 0.1 · 90) m, and √(12 · 4 · 0.1 · 4) m
    let usual = TripNoise()
    #expect(abs(usual.reach - 20.785) < 0.001 && abs(usual.reach(over: 4) - 4.382) < 0.001)
    #expect(usual.reach(over: 90) == usual.reach && usual.heightDeviation == 2)
    #expect(!Self.noise(count: 23) { _ in (0, 0, 0) }.isKnown)
    let known = Self.noise(count: 24) { _ in (0, 0, 0) }
    #expect(known.isKnown && known.reach == 0)
  }

  /// On the way, positions that are farther apart than 5 s show nothing, so there are none over four steps.
  @Test func `is known without differences over four steps if there are none`() {
    #expect(!Self.noise(every: 5, count: 17, speed: 10) { (10 * $0, 0, 0) }.isKnown)
    #expect(Self.noise(every: 5, count: 18, speed: 10) { (10 * $0, 0, 0) }.isKnown)
  }

  /// Differences over one step do not show which errors are slow. If all were, those of 1 m would reach 80 m, beyond a stop.
  @Test func `is not taken for slow as soon as it is known`() {
    for seed: UInt64 in 1...100 {
      for count in [18, 24, 34, 60] {
        var errors = Gauss(seed: seed)
        let noise = Self.noise(count: count) { _ in (errors.next(), errors.next(), 0) }
        #expect(noise.reach < 75, "seed \(seed), \(count) fixes: \(noise.reach)")
      }
    }
  }

  @Test(arguments: [1.0, 5])
  func `distinguishes errors that are independent from others`(interval: Double) {
    let independent = Self.noise(every: interval, over: 0)
    // After a second, a position with independent errors is as far away as after a minute.
    #expect(independent.reach(over: 1) > 0.5 * independent.reach)
    #expect((60...130).contains(independent.reach), "\(independent.reach)")
    let correlated = Self.noise(every: interval, over: 90)
    #expect(correlated.reach(over: 1) < 0.3 * correlated.reach)
    #expect((35...100).contains(correlated.reach), "\(correlated.reach)")
  }

  /// Four steps take 5 s, in which a movement is steady.
  @Test func `distinguishes them on the way, too`() {
    var gauss = Gauss(seed: 2)
    let noise = Self.noise(every: 1.25, speed: 10) {
      (10 * $0 + 5 * gauss.next(), 5 * gauss.next(), 0)
    }
    #expect(noise.reach(over: 1) > 0.25 * noise.reach)
  }

  @Test func `does not include steady motion, braking or a bend`() {
    #expect(Self.noise { (20 * $0, 10 * $0, 0) }.reach < 1e-3)
    #expect(Self.noise { (0.05 * $0 * $0, 0, 0) }.reach < 4)
    #expect(Self.noise { (100 * cos($0 / 10), 100 * sin($0 / 10), 0) }.reach < 4)
  }

  @Test(
    arguments: [
      (5.0, 1.0, true), (6, 1, false), (6, 0.29, true), (6, 0.3, false), (400, 0, true),
      (401, 0, false), (6, nil, true),
    ] as [(Double, Double?, Bool)])
  func `of fixes that are far apart is observed unless a speed contradicts`(
    interval: Double, speed: Double?, isKnown: Bool
  ) {
    let noise = Self.noise(every: interval, count: 40, speed: speed) { _ in (0, 0, 0) }
    #expect(noise.isKnown == isKnown)
  }

  @Test func `needs evenly spaced fixes, and heights for that of heights`() {
    var noise = NoiseObserver()
    for number in 0..<80 {
      let second = 10 * Double(number / 2) + (number.isMultiple(of: 2) ? 0 : 4)
      noise.record(.at(second, altitude: number.isMultiple(of: 15) ? 5 : nil))
    }
    #expect(!noise.noise.isKnown && !noise.noise.knowsHeights)
  }

  @Test(arguments: [1.0, 5, 0.2])
  func `of heights does not include a constant climb`(interval: Double) {
    func deviation(climb: Double) -> Double {
      var gauss = Gauss(seed: 3)
      let noise = Self.noise(every: interval, count: Int(600 / interval)) { second in
        (0, 0, climb * second + gauss.next())
      }
      #expect(noise.knowsHeights)
      return noise.heightDeviation
    }
    let level = deviation(climb: 0)
    #expect(abs(deviation(climb: 5) / level - 1) < 1e-3 && level > 1 && level < 5)
  }
}

extension TripFix {
  /// A fix some metres from an origin.
  static func at(
    _ seconds: Double, east: Double = 0, north: Double = 0, altitude: Double? = nil,
    speed: Double? = nil, number: Int = 0
  ) -> TripFix {
    let origin = Coordinate(latitude: 48, longitude: 11.5)!
    let place = origin.moved(by: north, bearing: 0).moved(by: east, bearing: 90)
    var fix = LocationFix(coordinate: place, mode: .fix3D)
    fix.altitude = altitude
    fix.speed = speed
    var trip = TripFix(fix, number: number, at: Moment(uptime: .seconds(seconds)))
    trip.seconds = seconds
    return trip
  }
}
