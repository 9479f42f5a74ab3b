import LocationCore
import LocationTestKit
import Testing

/// Attacks, and how many seconds each takes to be noticed: of twenty receivers at rest with errors of their
/// own, the first and the last one. What JSON alone cannot show is `nil`.
///
/// Fault 133.
@Suite struct `An attack is noticed` {
  /// When it begins, in seconds.
  private static let begin = 300

  /// Returns when the doubt was first told, in seconds after the beginning: the least and the most of twenty
  /// seeds; `nil` if one did not notice it.
  private func seconds(
    _ doubt: Doubt, within limit: Int = 300,
    _ attack: (inout LocationFix, Double) -> Void,
    sky: (Double) -> [Satellite]? = { _ in nil }, isClockRight: Bool = false
  ) -> ClosedRange<Double>? {
    var noticed: [Double] = []
    for seed in 1...20 {
      var random = SeededRandom(seed: UInt64(seed))
      var machine = DoubtMachine(clockError: { isClockRight ? 0 : nil })
      var error = (0.0, 0.0)
      let origin = Coordinate(latitude: 47.37, longitude: 8.54)!
      for second in 0..<(Self.begin + limit) {
        // Errors of 3 m that last for a minute.
        error.0 += Double.random(in: -1...1, using: &random) - error.0 / 30
        error.1 += Double.random(in: -1...1, using: &random) - error.1 / 30
        var fix = LocationFix(
          coordinate: origin.moved(by: error.0, bearing: 0).moved(by: error.1, bearing: 90),
          mode: .fix3D, time: Reports.time(Double(second)), accuracy: 6)
        fix.received = fix.time?.advanced(by: .seconds(0.2))
        fix.speed = Double.random(in: 0...0.2, using: &random)
        fix.climb = 0
        fix.altHAE = 500
        let elapsed = Double(second - Self.begin)
        if elapsed >= 0 { attack(&fix, elapsed) }
        let moment = Reports.moment(Double(second))
        if let satellites = sky(elapsed) {
          machine.handle(SkyView(satellites: satellites), at: moment)
        }
        _ = machine.handle(fix, at: moment)
        if elapsed < 0 { #expect(machine.doubts.isEmpty, "\(seed): \(second)") }
        if machine.doubts.contains(doubt) {
          noticed.append(elapsed)
          break
        }
      }
    }
    guard noticed.count == 20, let least = noticed.min(), let most = noticed.max() else {
      return nil
    }
    return least...most
  }

  @Test(
    arguments: [
      (0.5, nil), (1.0, nil), (2.0, 35.0...42.0), (3.0, 21.0...24.0), (5.0, 12.0...13.0),
      (10.0, 6.0...6.0), (20.0, 3.0...3.0), (30.0, 2.0...2.0),
    ] as [(Double, ClosedRange<Double>?)])
  func `that drags the position off while Doppler stays`(
    speed: Double, expected: ClosedRange<Double>?
  ) {
    let found = seconds(.jump) { fix, elapsed in
      fix.coordinate = fix.coordinate.moved(by: speed * elapsed, bearing: 60)
    }
    #expect(found == expected)
  }

  @Test func `unless it drags the Doppler along, which nothing in JSON shows`() {
    let found = seconds(.jump) { fix, elapsed in
      fix.coordinate = fix.coordinate.moved(by: 5 * elapsed, bearing: 60)
      fix.speed = 5
    }
    #expect(found == nil)
  }

  @Test(arguments: [60.0, 100, 1000, 20_000, 6_000_000])
  func `that jumps`(metres: Double) {
    let found = seconds(.jump) { fix, _ in
      fix.coordinate = fix.coordinate.moved(by: metres, bearing: 200)
    }
    #expect(found == 0...0)
  }

  @Test(arguments: [(500.0, false), (20_000, true), (6_000_000, true)])
  func `that jams for 30 s and then jumps, if no car comes so far`(metres: Double, isSeen: Bool) {
    var machine = DoubtMachine()
    for second in 0..<300 {
      _ = machine.handle(Self.still(second), at: Reports.moment(Double(second)))
    }
    var fix = Self.still(330)
    fix.coordinate = fix.coordinate.moved(by: metres, bearing: 10)
    _ = machine.handle(fix, at: Reports.moment(330))
    #expect(machine.doubts.contains(.jump) == isSeen)
  }

  private static func still(_ second: Int) -> LocationFix {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 47.37, longitude: 8.54)!, mode: .fix3D,
      time: Reports.time(Double(second)), accuracy: 6)
    fix.speed = 0
    return fix
  }

  @Test func `that freezes the module`() {
    let found = seconds(.frozen) { fix, _ in
      fix.coordinate = Coordinate(latitude: 47.37, longitude: 8.54)!
      fix.speed = 8
    }
    #expect(found == 10...10)
  }

  @Test(arguments: [300.0, 4000]) func `that jumps in height`(metres: Double) {
    #expect(seconds(.height) { fix, _ in fix.altHAE = 500 + metres } == 0...0)
  }

  @Test func `that replays an hour, by the clock and by the place`() {
    func replayed(_ fix: inout LocationFix, _ elapsed: Double) {
      fix.time = fix.time?.advanced(by: .seconds(-3600))
      if elapsed == 0 { fix.timeJump = .seconds(-3600) }
    }
    #expect(seconds(.time, replayed, isClockRight: true) == 2...2)
    #expect(seconds(.time, replayed) == nil)
    let elsewhere = seconds(.jump) { fix, elapsed in
      replayed(&fix, elapsed)
      fix.coordinate = fix.coordinate.moved(by: 300, bearing: 0)
    }
    #expect(elsewhere == 0...0)
  }

  @Test func `that repeats the sky a millisecond late, which nothing in JSON shows`() {
    let found = seconds(
      .time, { fix, _ in fix.time = fix.time?.advanced(by: .milliseconds(-1)) }, isClockRight: true)
    #expect(found == nil)
  }

  @Test func `that comes from one transmitter`() {
    func satellites(_ elapsed: Double) -> [Satellite] {
      (0..<10).map { number in
        Satellite(
          prn: number, elevation: 8 + 8 * Double(number), azimuth: 40,
          signalStrength: elapsed < 0 ? 34 + Double(number) : 45 + 0.1 * Double(number),
          isUsed: true)
      }
    }
    #expect(seconds(.sky, { _, _ in }, sky: { satellites($0) }) == 5...5)
  }
}
