import LocationCore
import Testing

@testable import LocationReports

/// What is observed of the errors of a receiver.
@Suite struct `Noise of a receiver` {
  /// Records fixes, one after the other.
  ///
  /// - Parameters:
  ///   - speeds: The speeds of the fixes, which repeat.
  ///   - place: Where the receiver is after some seconds: metres to the east, to the north and up.
  private static func noise(
    _ seconds: [Double], speeds: [Double?] = [nil], _ place: (Double) -> TruthPlace
  ) -> TripNoise {
    var noise = TripNoise()
    var fixes: [TripFix] = []
    for (number, second) in seconds.enumerated() {
      let (east, north, up) = place(second)
      let speed = speeds[number % speeds.count]
      fixes.append(.at(second, east: east, north: north, altitude: up, speed: speed))
      noise.record(Array(fixes.suffix(400)))
    }
    return noise
  }

  private static func every(_ interval: Double, until end: Double) -> [Double] {
    Array(stride(from: 0, through: end, by: interval))
  }

  /// To and fro, with the second difference over a lag always twice as large.
  private static func wave(_ second: Double, lag: Double) -> Double {
    Int((second / lag).rounded(.down)).isMultiple(of: 2) ? 0 : 1
  }

  private static func isNear(_ value: Double, _ expected: Double) -> Bool {
    abs(value / expected - 1) < 1e-3
  }

  @Test func `is assumed until sixteen differences were observed`() {
    func places(until end: Double) -> TripNoise {
      Self.noise(Self.every(1, until: end)) {
        (2 * $0 + Self.wave($0, lag: 4), Self.wave($0, lag: 4), 0)
      }
    }
    let before = places(until: 22)
    #expect(before.diffusion == 0.1 && !before.knowsPlaces)
    let after = places(until: 23)
    #expect(after.knowsPlaces)
    #expect(after.deviation == (after.diffusion * 90).squareRoot())
    func heights(until end: Double) -> TripNoise {
      Self.noise(Self.every(1, until: end)) { (0, 0, Self.wave($0, lag: 15)) }
    }
    #expect(heights(until: 104).heightDeviation == 2 && !heights(until: 104).knowsHeights)
    #expect(heights(until: 105).knowsHeights)
  }

  @Test func `follows from the second differences of the model`() {
    let places = Self.noise(Self.every(1, until: 300)) { second in
      (2 * second + Self.wave(second, lag: 4), Self.wave(second, lag: 4), 0)
    }
    #expect(Self.isNear(places.diffusion, 1.77418), "\(places.diffusion)")
    let heights = Self.noise(Self.every(1, until: 300)) { (0, 0, Self.wave($0, lag: 15)) }
    #expect(Self.isNear(heights.heightDeviation, 3.64652), "\(heights.heightDeviation)")
  }

  @Test func `is computed from the last 128 differences`() {
    func diffusion(until end: Double) -> Double {
      Self.noise(Self.every(1, until: end)) { second in
        let place = Self.wave(second, lag: 4) * (second < 200 ? 1 : 2)
        return (2 * second + place, place, 0)
      }.diffusion
    }
    let (before, after) = (diffusion(until: 199), diffusion(until: 287))
    #expect(Self.isNear(before * 4, after))
    // Those of before are more than half.
    #expect(Self.isNear(diffusion(until: 255), before))
  }

  @Test func `is at most 15 m²/s`() {
    let noise = Self.noise(Self.every(1, until: 60)) { second in
      (9 * second + 5 * Self.wave(second, lag: 4), 5 * Self.wave(second, lag: 4), 0)
    }
    #expect(noise.diffusion == 15)
  }

  @Test(arguments: [1.0, 5, 10, 0.2])
  func `of heights does not include a constant climb`(interval: Double) {
    func deviation(climb: Double) -> Double {
      var gauss = Gauss(seed: 3)
      let noise = Self.noise(Self.every(interval, until: 600)) { second in
        (0, 0, climb * second + gauss.next())
      }
      #expect(noise.knowsHeights)
      return noise.heightDeviation
    }
    #expect(Self.isNear(deviation(climb: 5), deviation(climb: 0)), "\(deviation(climb: 5))")
  }

  @Test func `of positions does not include steady motion, a turn or braking`() {
    func diffusion(_ place: (Double) -> TruthPlace) -> Double {
      Self.noise(Self.every(1, until: 200), place).diffusion
    }
    #expect(diffusion { (20 * $0, 10 * $0, 0) } < 1e-9)
    #expect(diffusion { (0.05 * $0 * $0, 0, 0) } < 1e-4)
  }

  @Test func `of fixes that are far apart is observed unless a speed contradicts`() {
    func knows(_ interval: Double, speed: Double?) -> Bool {
      Self.noise(Self.every(interval, until: 40 * interval), speeds: [speed]) { _ in (0, 0, 0) }
        .knowsPlaces
    }
    #expect(knows(5, speed: 1) && !knows(6, speed: 1))
    #expect(knows(6, speed: 0.29) && !knows(6, speed: 0.3) && knows(6, speed: nil))
    #expect(knows(400, speed: 0) && !knows(401, speed: 0))
  }

  @Test func `of a receiver that stands counts along and across`() {
    func diffusion(_ interval: Double, speeds: [Double?]) -> Double {
      Self.noise(Self.every(interval, until: 400), speeds: speeds) { second in
        (Self.wave(second, lag: interval), 0, 0)
      }.diffusion
    }
    #expect(Self.isNear(diffusion(10, speeds: [0.2]), 0.072410))
    // Three of five differences have a fix without a speed, which may have moved: the first, the middle or the last.
    #expect(diffusion(10, speeds: [nil, 0.2, 0.2, 0.2, 0.2]) == 0)
    #expect(diffusion(10, speeds: [nil, 0.2, 0.2, 0.2, 0.2, 0.2, 0.2]) > 0)
    #expect(diffusion(10, speeds: [nil]) == 0)
    // Over a shorter time, a movement is steady, and the smaller of both counts.
    #expect(diffusion(5, speeds: [0.2]) == 0 && diffusion(6, speeds: [0.2]) > 0)
  }

  /// The noise of errors with a deviation of 10 m that are independent, or correlated over some seconds.
  private static func noise(
    every interval: Double, over correlation: Double, until end: Double, speed: Double? = nil
  ) -> TripNoise {
    var receiver = TruthReceiver(
      noise: 10, correlation: correlation, doppler: nil, interval: interval)
    receiver.mode = .fix2D
    var noise = TripNoise()
    var fixes: [TripFix] = []
    for (number, element) in receiver.fixes(end, seed: 4, { _ in (0, 0, 0) }).enumerated() {
      var fix = element.fix
      fix.speed = speed
      var trip = TripFix(fix, number: number, at: element.moment)
      trip.seconds = interval * Double(number)
      fixes.append(trip)
      noise.record(Array(fixes.suffix(300)))
    }
    return noise
  }

  @Test(arguments: [1.0, 5, 10, 30])
  func `distinguishes independent errors from correlated ones`(interval: Double) {
    let end = max(3600, 200 * interval)
    let independent = Self.noise(every: interval, over: 0, until: end)
    #expect(independent.white > 25, "\(independent.white)")
    #expect(independent.deviation > 7 && independent.deviation < 20, "\(independent.deviation)")
    let correlated = Self.noise(every: interval, over: 90, until: end)
    #expect(correlated.white < 20, "\(correlated.white)")
    #expect(correlated.deviation > 6 && correlated.deviation < 14, "\(correlated.deviation)")
  }

  /// Each third fix is 10 m to the north and to the east, so that differences over 60 s, or over three fixes, are 0.
  @Test(arguments: [(1.0, 13.906), (30, 100.12)])
  func `over a minute, or over three fixes, shows correlated errors`(
    interval: Double, white: Double
  ) {
    let noise = Self.noise(Self.every(interval, until: max(600, 120 * interval))) { second in
      let wave = Int((second / interval).rounded()) % 3 == 2 ? 10.0 : 0
      return (2 * second + wave, wave, 0)
    }
    #expect(Self.isNear(noise.white, white), "\(noise.white)")
    #expect(noise.diffusion < 1e-3, "\(noise.diffusion)")
  }

  @Test func `has no independent errors of less than a metre`() {
    func white(_ wave: Double) -> Double {
      // The second differences of neighbours are four times the wave, and those of 4 s are nothing.
      Self.noise(Self.every(1, until: 300)) { second in
        let place = Int(second).isMultiple(of: 2) ? 0 : wave
        return (2 * second + place, place, 0)
      }.white
    }
    let bound = 0.3755 * 6.0.squareRoot() / 2
    #expect(white(bound * 0.99) == 0 && white(bound * 1.01) > 1)
  }

  @Test func `needs evenly spaced fixes`() {
    // A lag of 4 s, and before that none of about 4 s.
    let seconds = (0..<40).map { 10 * Double($0) }.flatMap { [$0, $0 + 4] }
    #expect(!Self.noise(seconds) { _ in (0, 0, 0) }.knowsPlaces)
  }

  @Test func `of heights needs heights`() {
    var noise = TripNoise()
    var fixes: [TripFix] = []
    for second in 0..<200 {
      fixes.append(.at(Double(second), altitude: second.isMultiple(of: 15) ? 5 : nil))
      noise.record(fixes)
    }
    #expect(!noise.knowsHeights)
    noise.record([])
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
