import LocationCore
import Testing

@testable import LocationReports

/// Which fixes are of a receiver that moves.
@Suite struct `Motion, fix by fix` {
  /// Returns whether the receiver moved at each fix.
  ///
  /// - Parameters:
  ///   - warmUp: How many seconds the receiver went straight before, without noise, so that its noise is known.
  ///   - east: Where the receiver is after some seconds, in metres.
  ///   - speed: What it measures.
  private static func motion(
    _ seconds: [Double], knowsNoise: Bool = true, east: (Double) -> Double = { _ in 0 },
    speed: (Double) -> Double?
  ) -> [Bool] {
    var window = MotionWindow()
    if knowsNoise {
      for second in 0..<40 { window.add(.at(Double(second) - 1000, speed: 0)) }
      window.removeAll()
    }
    for second in seconds { window.add(.at(second, east: east(second), speed: speed(second))) }
    var motion: [Bool] = []
    while let next = window.next(isLast: true) { motion.append(next.isMoving) }
    return motion
  }

  private static func every(_ interval: Double = 1, until end: Double = 60) -> [Double] {
    Array(stride(from: 0, through: end, by: interval))
  }

  /// Whether the receiver moved in the middle of a minute at one speed.
  private static func moves(
    at way: Double, measuring speed: Double?, knowsNoise: Bool = true, every interval: Double = 1
  ) -> Bool {
    let seconds = every(interval, until: 60 * interval)
    let motion = motion(seconds, knowsNoise: knowsNoise, east: { way * $0 }) { _ in speed }
    return motion[motion.count / 2]
  }

  @Test(arguments: [(0.29, false), (0.31, false), (0.59, false), (0.6, true), (9, true)])
  func `The measured speed decides if the position stays`(speed: Double, isMoving: Bool) {
    #expect(Self.moves(at: 0, measuring: speed) == isMoving)
  }

  @Test(arguments: [(0.3, 0.14, false), (0.3, 0.16, true), (0.5, 0.14, false), (0.5, 0.16, true)])
  func `At speeds in between, the position decides`(speed: Double, way: Double, isMoving: Bool) {
    #expect(Self.moves(at: way, measuring: speed) == isMoving)
  }

  @Test(arguments: [(0.24, false), (0.26, true)])
  func `Without a speed, a position faster than 25 cm/s is a movement`(way: Double, isMoving: Bool)
  {
    #expect(Self.moves(at: way, measuring: nil) == isMoving)
  }

  /// Some receivers measure none, and say 0.
  @Test(arguments: [
    (0.99, true, false), (1.01, true, true), (1.01, false, false), (5, false, false),
  ])
  func `A position that keeps moving faster than 1 m/s contradicts a speed of 0`(
    way: Double, knowsNoise: Bool, isMoving: Bool
  ) {
    let seconds = Self.every(until: knowsNoise ? 60 : 20)
    let motion = Self.motion(seconds, knowsNoise: knowsNoise, east: { way * $0 }) { _ in 0 }
    #expect(motion[10] == isMoving)
  }

  @Test func `Eight of fifteen speeds decide`() {
    func moves(_ fast: Range<Double>) -> Bool {
      Self.motion(Self.every()) { fast.contains($0) ? 2 : 0 }[30]
    }
    #expect(moves(23..<31) && !moves(23..<30))
    #expect(moves(30..<38) && !moves(31..<38))
    // What is more than 7.6 s away does not count.
    #expect(!moves(0..<30) && !moves(31..<61))
  }

  @Test func `If speeds are far apart in time, only the neighbours count`() {
    func moves(_ fast: Set<Double>) -> Bool {
      Self.motion(Self.every(20, until: 200)) { fast.contains($0) ? 2 : 0 }[5]
    }
    #expect(moves([80, 100]) && moves([100, 120]) && moves([80, 120]))
    #expect(!moves([100]) && !moves([60, 80]) && !moves([120, 140]))
  }

  @Test func `Near the ends, the same number of speeds counts on both sides`() {
    let first = Self.motion(Self.every()) { $0 == 0 ? 2 : 0 }
    #expect(first[0] == false && first[1] == false)
    let begins = Self.motion(Self.every()) { $0 <= 1 ? 2 : 0 }
    #expect(begins.prefix(4) == [false, true, false, false])
  }

  @Test func `Speeds of only half of the fixes do not count`() {
    func moves(_ lacks: @escaping (Int) -> Bool) -> Bool {
      Self.motion(Self.every()) { lacks(Int($0)) ? nil : 2 }[30]
    }
    // Of 23 to 37, seven or eight.
    #expect(moves { $0.isMultiple(of: 2) })
    #expect(!moves { !$0.isMultiple(of: 2) })
  }

  @Test func `A position is compared with the positions five seconds before and after`() {
    // It is a metre away in one fix before, and in one after.
    func moves(_ before: Double, _ after: Double) -> Bool {
      let far = [30 - before: -1.0, 30 + after: 1.0]
      return Self.motion(Self.every(), east: { far[$0] ?? 0 }) { _ in 0.4 }[30]
    }
    #expect(moves(5, 5))
    #expect(!moves(4, 5) && !moves(6, 5) && !moves(5, 4) && !moves(5, 6))
  }

  @Test func `A fix with a speed is judged fifteen seconds later, or at the end`() {
    var window = MotionWindow()
    for second in 0..<15 {
      window.add(.at(Double(second), speed: 0, number: second))
      #expect(window.next(isLast: false) == nil)
    }
    #expect(window.undecided?.number == 0)
    window.add(.at(15, speed: 0, number: 15))
    #expect(window.next(isLast: false)?.fix.number == 0)
    #expect(window.next(isLast: false) == nil)
    #expect(window.undecided?.number == 1 && window.newest?.number == 15)
    #expect(window.next(isLast: true)?.fix.number == 1)
    window.removeAll()
    #expect(window.undecided == nil && window.newest == nil && window.next(isLast: true) == nil)
  }

  @Test func `A fix without a speed waits until the noise is known, or for sixty more fixes`() {
    /// Returns when the first one is judged, by the number of the newest.
    func judged(_ seconds: [Double]) -> Int? {
      var window = MotionWindow()
      for (number, second) in seconds.enumerated() {
        window.add(.at(second, number: number))
        if window.next(isLast: false) != nil { return number }
      }
      return nil
    }
    // The noise is known from second differences of 4 s: the first one at 8 s, the sixteenth at 23 s.
    #expect(judged(Self.every()) == 23)
    #expect(judged(Self.every(60, until: 3600)) == 17)
    // Of fixes that are not evenly apart there are no second differences.
    let uneven = (0..<60).map { 10 * Double($0) }.flatMap { [$0, $0 + 4] }
    #expect(judged(uneven) == 60)
  }

  @Test(arguments: [1.0, 10])
  func `Means of groups show a movement that is smaller than independent errors`(
    interval: Double
  ) {
    func moving(_ speed: Double) -> Double {
      let receiver = TruthReceiver(noise: 10, correlation: 0, doppler: nil, interval: interval)
      var window = MotionWindow()
      for (fix, moment) in receiver.fixes(900 * interval, seed: 3, { (speed * $0, 0, 0) }) {
        var trip = TripFix(fix, number: 0, at: moment)
        trip.seconds = Moment(uptime: .seconds(1000)).duration(to: moment).inSeconds
        window.add(trip)
      }
      var motion: [Bool] = []
      while let next = window.next(isLast: true) { motion.append(next.isMoving) }
      return Double(motion.count { $0 }) / Double(motion.count)
    }
    #expect(moving(0) < 0.1 && moving(1.2) > 0.9)
  }

  /// Each second fix, of one every 10 s, is 6 m to the north and to the east.
  ///
  /// So w² = (2 · 6 m / 0.3755)² / 6 = 170.2 m², the lag 6 · 13.05 s, and a group the three fixes within a quarter of
  /// that. A movement over 80 s has √(2 · 2 · 170.2 · (1/3 + 1/3)) m = 21.3 m, or 0.2663 m/s.
  @Test(arguments: [(0.262, false), (0.271, true)])
  func `A group has the fixes within a quarter of the lag before and after`(
    speed: Double, isMoving: Bool
  ) {
    var window = MotionWindow()
    func add(_ count: Int, from start: Double, speed: Double) {
      for number in 0..<count {
        let (second, wave) = (10 * Double(number), number.isMultiple(of: 2) ? 0.0 : 6)
        window.add(.at(start + second, east: speed * second + wave, north: wave))
      }
    }
    add(100, from: -2000, speed: 2)
    window.removeAll()
    add(61, from: 0, speed: speed)
    var motion: [Bool] = []
    while let next = window.next(isLast: true) { motion.append(next.isMoving) }
    #expect(abs(window.noise.white - 170.2) < 0.1 && motion.count == 61)
    #expect(motion[30] == isMoving)
  }

  @Test func `Only the fixes that are needed to judge a movement are kept`() {
    var window = MotionWindow()
    var counts: [Int] = []
    for second in 0..<1000 {
      window.add(.at(Double(second), speed: 0))
      while window.next(isLast: false) != nil {}
      counts.append(window.fixes.count)
    }
    #expect(counts.max() == 264, "\(counts.max() ?? 0)")
    #expect(counts.suffix(100).min() == 201, "\(counts.suffix(100).min() ?? 0)")
  }

  @Test func `Two fixes a second apart can be a movement, and two of one moment cannot`() {
    func motion(_ seconds: Double) -> [Bool] {
      var window = MotionWindow()
      window.add(.at(0))
      window.add(.at(seconds, east: 100))
      var motion: [Bool] = []
      while let next = window.next(isLast: true) { motion.append(next.isMoving) }
      return motion
    }
    #expect(motion(0) == [false, false])
    #expect(motion(1) == [true, true])
  }

  @Test func `A receiver that came from afar and stays does not move`() {
    let motion = Self.motion(Self.every(), east: { min($0, 30) }) { _ in nil }
    #expect(motion[20] && motion[28] && !motion[29] && !motion[31] && !motion[40] && !motion[60])
    let begins = Self.motion(Self.every(), east: { max(0, $0 - 30) }) { _ in nil }
    #expect(!begins[0] && !begins[20] && !begins[31] && begins[32] && begins[60])
  }
}
