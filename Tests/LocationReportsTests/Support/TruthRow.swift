import LocationCore

@testable import LocationReports

#if canImport(Glibc)
  import Glibc
#endif

/// A row of a table of truth: a receiver, where it is, and what a report must say of it.
struct TruthRow: Sendable {
  /// What rows have in common, and how the row differs.
  var kind, name: String
  var fixes: @Sendable (_ seed: Int) -> [(fix: LocationFix, moment: Moment)]
  var isTrue: @Sendable (TripLog) -> Bool

  /// - Parameters:
  ///   - seconds: How long it takes.
  ///   - place: Where the receiver is after some seconds.
  init(
    _ kind: String, _ receiver: TruthReceiver, _ seconds: Double,
    _ place: @escaping @Sendable (Double) -> TruthPlace,
    isTrue: @escaping @Sendable (TripLog) -> Bool
  ) {
    self.init(
      kind: kind, name: receiver.name,
      fixes: { receiver.fixes(seconds, seed: $0, place) }, isTrue: isTrue)
  }

  init(
    kind: String, name: String,
    fixes: @escaping @Sendable (_ seed: Int) -> [(fix: LocationFix, moment: Moment)],
    isTrue: @escaping @Sendable (TripLog) -> Bool
  ) {
    (self.kind, self.name, self.fixes, self.isTrue) = (kind, name, fixes, isTrue)
  }

  private static func receivers(
    _ intervals: [Double], _ noises: [(noise: Double, correlation: Double)], claims: [Double?]
  ) -> [TruthReceiver] {
    intervals.flatMap { interval in
      noises.flatMap { noise, correlation in
        claims.flatMap { claim in
          [nil, 0.08].map { doppler in
            TruthReceiver(
              name: "\(interval) s, \(noise) m over \(correlation) s, "
                + "claim \(claim.map { "\($0)" } ?? "none"), \(doppler == nil ? "no speed" : "speed")",
              noise: noise, correlation: correlation, claim: claim.map { $0 * noise },
              doppler: doppler, interval: interval)
          }
        }
      }
    }
  }

  /// What stands for 5 to 12 hours makes a way of 50 m at most.
  static let still = receivers(
    [1, 5, 10, 30, 60, 120], [(4, 0), (8, 0), (20, 0), (8, 60), (20, 60), (12, 300)],
    claims: [nil, 1, 3]
  ).map { receiver in
    let hours = receiver.interval < 10 ? 5.0 : receiver.interval < 60 ? 8 : 12
    return TruthRow(
      "still, \(receiver.doppler == nil ? "no speed" : "speed")", receiver, 3600 * hours,
      { _ in (0, 0, 0) }, isTrue: { $0.summary.distance <= 50 })
  }

  /// 6 km are one leg between two stops, to 8 %.
  static let moving = receivers(
    [1, 5, 10, 30], [(3, 60), (8, 60), (4, 0), (12, 0)], claims: [nil, 2.5]
  ).flatMap { receiver in
    [1.2, 5, 15].map { speed in
      let way = TruthWay(
        [(0, 0, 0), (2000, 0, 0), (2000, 1500, 0), (3500, 2000, 0), (4000, 2854, 0)],
        speed: speed, rest: 900)
      var row = TruthRow(
        "moving \(speed) m/s, \(receiver.doppler == nil ? "no speed" : "speed")", receiver,
        way.seconds, way.place,
        isTrue: {
          $0.legs.count == 1 && abs($0.summary.distance / way.length - 1) <= 0.08
        })
      row.name += ", \(speed) m/s"
      return row
    }
  }

  /// At home for 8 hours, a fix a minute; a third of them are 3 km off, and claim an error of 800 m.
  static let atHome = [1, 5, 20].map { run in
    TruthRow(
      kind: "at home", name: "at home, \(run) fixes off at a time",
      fixes: { seed in
        var random = Gauss(seed: UInt64(seed) &+ 1000)
        var isOff: [Bool] = []
        while isOff.count < 500 {
          let isNext = random.next() < -0.43
          isOff += Array(repeating: isNext, count: run)
        }
        let receiver = TruthReceiver(
          noise: 8, correlation: 0, claim: 20, doppler: nil, interval: 60)
        return receiver.fixes(
          28_800, seed: seed, jump: { isOff[Int($0 / 60)] ? 3000 : 0 }
        ) { _ in (0, 0, 0) }.enumerated().map { number, element in
          var fix = element.fix
          if isOff[number] { fix[.eph] = 800 }
          return (fix, element.moment)
        }
      }, isTrue: { $0.summary.distance <= 500 })
  }

  /// A car that is parked for 10 hours is one stop of 10 hours.
  static let parked = receivers(
    [1, 10, 60], [(3, 60), (8, 0), (8, 60), (20, 0)], claims: [nil, 2.5]
  ).map { receiver in
    TruthRow(
      "parked, \(receiver.doppler == nil ? "no speed" : "speed")", receiver, 36_000,
      { _ in (0, 0, 0) },
      isTrue: { $0.stops.count == 1 && $0.legs.isEmpty && $0.stops[0].duration >= .seconds(35_940) }
    )
  }

  /// Returns the rows of ways that had to be true before there was a table of what stands.
  private static func ways(
    _ kind: String, _ way: TruthWay, _ receivers: [TruthReceiver], within percent: Double,
    up: Double? = nil, within climb: Double = 12, stops: Int = 2
  ) -> [TruthRow] {
    receivers.flatMap { receiver in
      [nil, 5, 17, 27, 40].map { claim in
        var receiver = receiver
        receiver.claim = claim
        receiver.name += ", claim \(claim.map { "\($0)" } ?? "none")"
        return TruthRow(
          kind + (receiver.doppler == nil ? ", no speed" : ", speed"), receiver, way.seconds,
          way.place,
          isTrue: { log in
            log.legs.count == 1 && log.stops.count == stops
              && abs(log.summary.distance / way.length - 1) <= percent / 100
              && up.map { abs(log.legs[0].ascent! / $0 - 1) <= climb / 100 } ?? true
          })
      }
    }
  }

  static let trips: [TruthRow] = {
    let (doppler, none) = (TruthReceiver(), TruthReceiver(name: "no speed", doppler: nil))
    let slow = [5, 10, 60].map { TruthReceiver(name: "\($0) s", interval: $0) }
    let sparse = [5, 10, 60].map { TruthReceiver(name: "\($0) s", doppler: nil, interval: $0) }
    var rows: [TruthRow] = []
    for speed in [0.4, 0.6, 0.8, 1, 1.2, 1.4] {
      let limit = speed < 0.8 ? 5.0 : 3.5
      rows += ways("walk \(speed)", .walk(speed), [doppler] + slow, within: limit)
      if speed > 0.4 { rows += ways("walk \(speed)", .walk(speed), [none] + sparse, within: limit) }
      if speed >= 1 {
        rows += ways(
          "walk 12 m \(speed)", .walk(speed),
          [TruthReceiver(name: "12 m", noise: 12, doppler: nil)],
          within: 5)
      }
    }
    rows += ways("laps", .laps, [doppler, none], within: 6)
    for noise in [0.01, 0.015] {
      for doppler in [0.02, 0.08, nil] {
        let rtk = TruthReceiver(
          name: "\(noise) m, \(doppler ?? -1)", noise: noise, doppler: doppler)
        rows += ways("lawn", .lawn(rest: 300), [rtk], within: 6)
        rows += ways("lawn", .lawn(rest: 0), [rtk], within: 6, stops: 0)
      }
    }
    rows += ways("hairpins", .hairpins, [doppler, none], within: 6, up: 300)
    return rows
  }()

  /// A drive in a town: blocks of 200 m, with a light of 30 s at each third corner, 8 km, without a speed.
  static let town = receivers([1, 5, 10, 30, 60], [(4, 0), (4, 60), (8, 60)], claims: [nil, 2.5])
    .filter { $0.doppler == nil }.flatMap { receiver in
      [false, true].map { loop in
        var corners: [TruthPlace] = [(0, 0, 0)]
        var (east, north) = (0.0, 0.0)
        for block in 0..<40 {
          switch (block * 7919 % 5, loop) {
          case (0, _), (1, _): east += 200
          case (2, _), (3, _): north += 200
          case (_, true): north += block < 20 ? 200 : -200
          case (_, false): east -= 200
          }
          corners.append((east, north, 0))
        }
        let way = TruthWay(corners, speed: 10, rest: 1800)
        @Sendable func place(_ second: Double) -> TruthPlace {
          // Of each 90 s, 30 at a light.
          let s = second - 1800
          let drive =
            s <= 0
            ? s : (s / 90).rounded(.down) * 60 + min(s.truncatingRemainder(dividingBy: 90), 60)
          return way.place(1800 + drive)
        }
        return TruthRow(
          "town \(receiver.interval) s", receiver, 3600 + 1200, place,
          isTrue: {
            $0.legs.count == 1 && $0.stops.count == 2
              && abs($0.summary.distance / 8000 - 1) <= (receiver.interval < 30 ? 0.15 : 0.4)
          })
      }
    }

  /// A hiker, with and without a rest at both ends, and a lift. The means of seven minutes each that are below and above
  /// a lift differ by as much as the heights err, so that a larger error cannot be seen through.
  static let climbs: [TruthRow] = [1.0, 2].flatMap { noise in
    [nil, 0.08].flatMap { doppler in
      [0.0, 300].map { rest in
        let receiver = TruthReceiver(name: "\(noise) m", noise: noise, doppler: doppler)
        let way = TruthWay([(0, 0, 0), (0, 3000, 360)], speed: 0.83, rest: rest)
        return TruthRow("hiker", receiver, way.seconds, way.place) { isNear($0, 360) }
      } + [
        TruthRow(
          "lift", TruthReceiver(name: "\(noise / 2) m", noise: noise / 2, doppler: doppler), 900,
          { second in (0, 0, min(max(second - 400, 0), 40)) }, isTrue: { isNear($0, 40) })
      ]
    }
  }

  /// Whether the climbs and descents of all differ from the truth by 4 % of a climb at most.
  private static func isNear(_ log: TripLog, _ climb: Double) -> Bool {
    guard let up = log.summary.ascent, let down = log.summary.descent else { return false }
    return abs(up - climb) <= 0.04 * climb && down <= 0.04 * climb
  }
}
