import LocationCore

@testable import LocationReports

#if canImport(Glibc)
  import Glibc
#endif

/// The fixes of a receiver whose way is known.
struct SyntheticTrack {
  /// Where a receiver is, in metres from the origin, and how fast.
  typealias Place = (east: Double, north: Double, speed: Double)

  var origin = Coordinate(latitude: 48, longitude: 11.5)!
  /// Fixes in a second.
  var rate = 1.0
  /// The deviation of the positions along each axis, in metres, correlated over 60 s.
  var noise = 0.0
  var seed: UInt64 = 1
  var hasSpeed = true
  var hasTime = true
  /// Whether the receiver claims the error that 95 % of its positions have.
  var claims = true

  /// - Parameters:
  ///   - seconds: How long it takes.
  ///   - way: Where the receiver is after some seconds.
  func fixes(_ seconds: Double, _ way: (Double) -> Place) -> [(fix: LocationFix, moment: Moment)] {
    var random = Gauss(seed: seed)
    let keep = exp(-1 / rate / 60)
    let change = noise * (1 - keep * keep).squareRoot()
    var (east, north) = (noise * random.next(), noise * random.next())
    return (0...Int((seconds * rate).rounded())).map { number in
      let second = Double(number) / rate
      let place = way(second)
      defer {
        east = keep * east + change * random.next()
        north = keep * north + change * random.next()
      }
      let (e, n) = (place.east + east, place.north + north)
      var fix = LocationFix(
        coordinate: origin.moved(by: hypot(e, n), bearing: atan2(e, n) * 180 / .pi), mode: .fix3D,
        time: hasTime ? Self.start.advanced(by: .seconds(second)) : nil)
      if hasSpeed { fix.speed = place.speed }
      if claims { fix[.eph] = 2.4477 * noise }
      return (fix, Moment(uptime: .seconds(1000 + second)))
    }
  }

  static let start = TruthReceiver.start

  /// Around a circle once.
  static func circle(radius: Double, speed: Double) -> (Double) -> Place {
    { (radius * sin($0 * speed / radius), radius * cos($0 * speed / radius), speed) }
  }

  static func straight(speed: Double, bearing: Double = 30) -> (Double) -> Place {
    let angle = bearing * .pi / 180
    return { ($0 * speed * sin(angle), $0 * speed * cos(angle), speed) }
  }

  /// Around a square, with a stop at each corner, also at the beginning and at the end.
  static func square(side: Double, speed: Double, stop: Double) -> (Double) -> Place {
    { second in
      let drive = side / speed
      let corner = min((second / (stop + drive)).rounded(.down), 4)
      let rest = second - corner * (stop + drive)
      let isDriving = rest > stop && corner < 4
      let way = isDriving ? (rest - stop) * speed : 0
      let place =
        switch Int(corner) % 4 {
        case 0: (way, 0.0)
        case 1: (side, way)
        case 2: (side - way, side)
        default: (0.0, side - way)
        }
      return (place.0, place.1, isDriving ? speed : 0)
    }
  }
}

extension TripLog {
  /// The legs and stops of fixes.
  init(
    _ fixes: [(fix: LocationFix, moment: Moment)], _ criteria: StopCriteria = StopCriteria()
  ) {
    self.init(criteria)
    for (fix, moment) in fixes { add(fix, at: moment) }
    finish()
  }
}
