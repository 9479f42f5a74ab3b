import LocationCore

#if canImport(Glibc)
  import Glibc
#endif

/// A receiver with errors as real ones have them: correlated over a time, and with a measured speed that errs too.
struct TruthReceiver: Sendable {
  var name = "1 Hz"
  /// The deviation of positions along each axis, in metres; that of heights is half as much again.
  var noise = 3.0
  /// The time over which they are correlated, in seconds; 0 if they are not.
  var correlation = 90.0
  /// The error that it claims (eph), in metres; `nil` if it claims none.
  var claim: Double?
  /// The deviation of the measured velocity along each axis, in metres per second; `nil` if it measures none.
  var doppler: Double? = 0.08
  /// Seconds between fixes.
  var interval = 1.0
  var mode = FixMode.fix3D

  static let start = Timestamp(secondsSince1970: 1_795_158_000)
  static let rtk = TruthReceiver(name: "RTK", noise: 0.015, doppler: 0.02)

  /// Returns the fixes of a way.
  ///
  /// - Parameters:
  ///   - place: Where the receiver is after some seconds: metres to the east, to the north and up.
  ///   - isHidden: Whether there is no fix at a time.
  ///   - jump: How far off a fix is at a time, in metres.
  func fixes(
    _ seconds: Double, seed: Int, hidden isHidden: (Double) -> Bool = { _ in false },
    jump: (Double) -> Double = { _ in 0 }, _ place: (Double) -> TruthPlace
  ) -> [(fix: LocationFix, moment: Moment)] {
    var random = Gauss(seed: UInt64(seed))
    let origin = Coordinate(latitude: 48, longitude: 11.5)!
    let keep = correlation > 0 ? exp(-interval / correlation) : 0
    let change = (1 - keep * keep).squareRoot()
    var error = (random.next(), random.next(), random.next())
    return (0...Int((seconds / interval).rounded())).compactMap { number in
      let second = Double(number) * interval
      let (here, before, after) = (place(second), place(second - 0.05), place(second + 0.05))
      defer {
        error = (
          keep * error.0 + change * random.next(), keep * error.1 + change * random.next(),
          keep * error.2 + change * random.next()
        )
      }
      guard !isHidden(second) else { return nil }
      let (e, n) = (here.east + noise * error.0 + jump(second), here.north + noise * error.1)
      var fix = LocationFix(
        coordinate: origin.moved(by: hypot(e, n), bearing: atan2(e, n) * 180 / .pi), mode: mode,
        time: Self.start.advanced(by: .seconds(second)))
      fix[.eph] = claim
      if mode == .fix3D { fix.altitude = 500 + here.up + 1.5 * noise * error.2 }
      if let doppler {
        fix.speed = hypot(
          (after.east - before.east) / 0.1 + doppler * random.next(),
          (after.north - before.north) / 0.1 + doppler * random.next())
      }
      return (fix, Moment(uptime: .seconds(1000 + second)))
    }
  }
}

typealias TruthPlace = (east: Double, north: Double, up: Double)

/// A way along corners at one speed, with a rest before and after.
struct TruthWay: Sendable {
  var corners: [TruthPlace]
  var speed: Double
  var rest = 300.0

  private let lengths: [Double]

  init(_ corners: [TruthPlace], speed: Double, rest: Double = 300) {
    self.corners = corners
    self.speed = speed
    self.rest = rest
    var sum = 0.0
    lengths =
      [0]
      + zip(corners, corners.dropFirst()).map {
        sum += hypot($1.east - $0.east, $1.north - $0.north)
        return sum
      }
  }

  var length: Double { lengths[lengths.count - 1] }
  var seconds: Double { 2 * rest + length / speed }

  func place(_ second: Double) -> TruthPlace {
    let way = min(max((second - rest) * speed, 0), length)
    var (low, high) = (0, lengths.count - 1)
    while high - low > 1 {
      let middle = (low + high) / 2
      if lengths[middle] <= way { low = middle } else { high = middle }
    }
    let part = (way - lengths[low]) / (lengths[high] - lengths[low])
    let (a, b) = (corners[low], corners[high])
    return (
      a.east + part * (b.east - a.east), a.north + part * (b.north - a.north),
      a.up + part * (b.up - a.up)
    )
  }

  static func walk(_ speed: Double) -> TruthWay {
    TruthWay([(0, 0, 0), (750, 1299.04, 0)], speed: speed)
  }

  static let laps = TruthWay(
    (0...(25 * 120)).map {
      let angle = Double($0) * 2 * .pi / 120
      return (63.66 * sin(angle), 63.66 * cos(angle), 0)
    }, speed: 3.5)

  static func lawn(rest: Double) -> TruthWay {
    TruthWay(
      (0...28).flatMap { lane -> [TruthPlace] in
        let east = Double(lane) * 15 / 28
        return lane % 2 == 0 ? [(east, 0, 0), (east, 20, 0)] : [(east, 20, 0), (east, 0, 0)]
      }, speed: 0.5, rest: rest)
  }

  static let hairpins = hairpins(wide: 150, deep: 20)

  /// Twenty of them, 300 m up.
  static func hairpins(wide: Double, deep: Double) -> TruthWay {
    TruthWay(
      [(0, 0, 0)]
        + (0..<20).flatMap { turn -> [TruthPlace] in
          let (north, up) = (deep * Double(turn), 15 * Double(turn))
          let east = turn % 2 == 0 ? wide : 0
          return [(east, north, up + 14), (east, north + deep, up + 15)]
        }, speed: 0.6)
  }
}
