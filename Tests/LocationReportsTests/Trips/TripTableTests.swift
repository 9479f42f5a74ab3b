import LocationCore
import TestSupport
import Testing

@testable import LocationReports

#if canImport(Glibc)
  import Glibc
#endif

extension TruthReceiver: CustomTestStringConvertible {
  var testDescription: String { name }

  static let walkers =
    [
      TruthReceiver(), TruthReceiver(name: "no speed", doppler: nil),
      TruthReceiver(name: "2D", mode: .fix2D), TruthReceiver(name: "5 s", interval: 5),
    ]
    + (isReleaseBuild
      ? [TruthReceiver(name: "10 s", interval: 10), TruthReceiver(name: "10 Hz", interval: 0.1)]
      : [])
}

/// The table of truth: who moves, and who does not.
/// Faults 123 and 124.
@Suite struct `The stops and legs of everyday tracks` {
  /// Outside a release build one, so that the suite is short.
  private static let seeds = isReleaseBuild ? Array(1...20) : [1]

  private func percent(_ value: Double, of truth: Double) -> Double { (value / truth - 1) * 100 }

  @Test(arguments: TruthReceiver.walkers)
  func `a walk of 1500 m is a leg of that length between two stops`(
    receiver: TruthReceiver
  ) throws {
    for speed in isReleaseBuild ? [0.4, 0.6, 0.8, 1, 1.2, 1.4] : [0.4, 1.2] {
      let way = TruthWay.walk(speed)
      // Without a speed, a walk of 0.4 m/s is hardly one.
      if speed == 0.4, receiver.doppler == nil { continue }
      for seed in Self.seeds {
        let log = TripLog(receiver.fixes(way.seconds, seed: seed, way.place))
        #expect(log.legs.count == 1 && log.stops.count == 2, "\(speed) m/s, \(seed)")
        let error = percent(log.summary.distance, of: way.length)
        #expect(abs(error) < (speed < 0.8 ? 5 : 3.5), "\(error) % at \(speed) m/s, \(seed)")
        let leg = try #require(log.legs.first)
        let (mean, top) = (try #require(leg.meanMovingSpeed), try #require(leg.topSpeed))
        #expect(mean <= top && mean > 0.8 * speed)
      }
    }
  }

  /// The noise is known only from the five minutes before the walk.
  @Test(arguments: [12, 23, 42, 52])
  func `a slow walk with few fixes is one leg`(seed: Int) {
    let way = TruthWay.walk(0.4)
    let receiver = TruthReceiver(interval: 10)
    let log = TripLog(receiver.fixes(way.seconds, seed: seed, way.place))
    #expect(log.legs.count == 1 && log.stops.count == 2)
    #expect(abs(percent(log.summary.distance, of: way.length)) < 5)
  }

  @Test(arguments: [TruthReceiver(), TruthReceiver(name: "no speed", doppler: nil)])
  func `a run of 25 laps is a leg of 10 km`(receiver: TruthReceiver) {
    for seed in Self.seeds {
      let log = TripLog(receiver.fixes(TruthWay.laps.seconds, seed: seed, TruthWay.laps.place))
      #expect(log.legs.count == 1 && log.stops.count == 2, "\(seed)")
      #expect(abs(percent(log.summary.distance, of: TruthWay.laps.length)) < 6)
    }
  }

  @Test(arguments: [300.0, 0])
  func `mowing a lawn of 20 by 15 m is a leg`(rest: Double) {
    let way = TruthWay.lawn(rest: rest)
    for seed in Self.seeds {
      let log = TripLog(TruthReceiver.rtk.fixes(way.seconds, seed: seed, way.place))
      #expect(log.legs.count == 1 && log.stops.count == (rest > 0 ? 2 : 0), "\(seed)")
      #expect(abs(percent(log.summary.distance, of: way.length)) < 6)
    }
  }

  @Test(arguments: [TruthReceiver(), TruthReceiver(name: "no speed", doppler: nil)])
  func `a climb on hairpin bends is a leg of their length and height`(
    receiver: TruthReceiver
  ) throws {
    let way = TruthWay.hairpins
    for seed in Self.seeds {
      let log = TripLog(receiver.fixes(way.seconds, seed: seed, way.place))
      #expect(log.legs.count == 1 && log.stops.count == 2, "\(seed)")
      #expect(abs(percent(log.summary.distance, of: way.length)) < 6)
      #expect(abs(percent(try #require(log.legs.first?.ascent), of: 300)) < 12, "\(seed)")
    }
  }

  @Test(arguments: [
    TruthReceiver(), TruthReceiver(name: "12 m", noise: 12, doppler: 0.2),
    TruthReceiver(name: "30 m", noise: 30, doppler: 0.1),
    TruthReceiver(name: "static hold", noise: 0, doppler: 0),
    TruthReceiver(name: "no speed", doppler: nil),
  ])
  func `four hours at one place are one stop without a leg`(receiver: TruthReceiver) {
    for seed in Self.seeds {
      let seconds = isReleaseBuild ? 14_400.0 : 3600
      let log = TripLog(receiver.fixes(seconds, seed: seed) { _ in (0, 0, 0) })
      #expect(log.legs.isEmpty && log.stops.count == 1, "\(seed)")
      // Until the noise is known, the receiver may seem to move.
      #expect(log.stops.first.map { $0.duration > .seconds(seconds - 240) } == true)
      #expect(log.summary.distance == 0)
      #expect(log.stops.first?.climbs == false)
    }
  }

  /// 2 km, then at anchor on 30 m of chain, with two gusts, then 2 km.
  private func anchorage(_ second: Double) -> TruthPlace {
    let (arrival, departure) = (800.0, isReleaseBuild ? 36_800.0 : 8000.0)
    func swing(_ second: Double) -> TruthPlace {
      var angle = 1.2 * sin(2 * .pi * second / 3000)
      for gust in [2000.0, 5000] {
        let away = min(max((second - gust) / 90, 0), 1)
        angle += 1.3 * (away - min(max((second - gust - 300) / 300, 0), 1))
      }
      return (30 * cos(angle), 30 * sin(angle), 0)
    }
    let (first, last) = (swing(0), swing(departure - arrival))
    if second < arrival { return (first.east - 2.5 * (arrival - second), first.north, 0) }
    if second < departure { return swing(second - arrival) }
    return (last.east - 2.5 * (second - departure), last.north, 0)
  }

  @Test(arguments: [TruthReceiver(), TruthReceiver(name: "5 s", interval: 5)])
  func `a night at anchor is one stop between two legs`(receiver: TruthReceiver) {
    for seed in Self.seeds {
      let seconds = isReleaseBuild ? 37_600.0 : 8800
      let log = TripLog(receiver.fixes(seconds, seed: seed, anchorage))
      #expect(log.legs.count == 2 && log.stops.count == 1, "\(seed)")
      #expect(abs(percent(log.summary.distance, of: 4000)) < 4)
    }
  }

  @Test(arguments: [TruthReceiver(), TruthReceiver(name: "no speed", doppler: nil)])
  func `a queue at a traffic light is not a stop`(receiver: TruthReceiver) {
    for seed in Self.seeds {
      let log = TripLog(
        receiver.fixes(740, seed: seed) { second in
          let queue = min(max(second - 300, 0), 70) * 150 / 70
          return (10 * min(second, 300) + queue + 10 * max(second - 440, 0), 0, 0)
        })
      #expect(log.legs.count == 1 && log.stops.isEmpty, "\(seed)")
      #expect(abs(percent(log.summary.distance, of: 6150)) < 2)
    }
  }

  @Test func `a lift and a drone climb on the spot`() throws {
    let drone = TruthReceiver(name: "drone", noise: 1.5, interval: isReleaseBuild ? 0.1 : 1)
    for (receiver, height, rate) in [(TruthReceiver(), 200.0, 1.0), (drone, 50, 2)] {
      for seed in Self.seeds {
        let log = TripLog(
          receiver.fixes(1400, seed: seed) { second in
            let up = min(max((second - 300) * rate, 0), height)
            return (0, 0, up - min(max((second - 900) * rate, 0), height))
          })
        let stop = try #require(log.stops.first)
        #expect(log.legs.isEmpty && log.stops.count == 1)
        // The largest and the smallest error are in it.
        #expect(abs(stop.ascent! - height) < 40 && abs(stop.descent! - height) < 40)
        #expect(stop.ascent! >= 0.9 * height)
      }
    }
  }

  @Test func `a tunnel is a gap, and a garage a stop`() throws {
    for seed in Self.seeds {
      let tunnel = TripLog(
        TruthReceiver().fixes(2100, seed: seed, hidden: { $0 > 600 && $0 < 1500 }) {
          (20 * $0, 0, 0)
        })
      #expect(tunnel.legs.count == 2 && tunnel.stops.isEmpty)
      let gap = try #require(tunnel.gaps.first)
      #expect(tunnel.gaps.count == 1 && gap.duration == .seconds(900))
      #expect(abs(gap.distance - 18_000) < 20)
      #expect(abs(percent(tunnel.summary.distance, of: 24_000)) < 1)
      let garage = TripLog(
        TruthReceiver().fixes(34_000, seed: seed, hidden: { $0 > 610 && $0 < 33_390 }) {
          (10 * min($0, 600) - 10 * max($0 - 33_400, 0), 0, 0)
        })
      #expect(garage.legs.count == 2 && garage.stops.count == 1 && garage.gaps.isEmpty)
    }
  }

  @Test(arguments: [200.0, 1000], [1.0, 3])
  func `a jump adds no distance, no top speed and no stop`(far: Double, seconds: Double) {
    func jump(_ begin: Double) -> (Double) -> Double {
      { ($0 >= begin && $0 < begin + seconds) ? far : 0 }
    }
    let way = TruthWay([(0, 0, 0), (5000, 0, 0)], speed: 5)
    for receiver in [TruthReceiver(), TruthReceiver(doppler: nil)] {
      for seed in Self.seeds {
        let ride = TripLog(
          receiver.fixes(way.seconds, seed: seed, jump: jump(700), way.place))
        #expect(ride.legs.count == 1 && ride.stops.count == 2, "\(seed)")
        #expect(abs(percent(ride.summary.distance, of: 5000)) < 3)
        #expect((ride.summary.speedTop ?? 0) < 6.5)
        for begin in [0.0, 100, 600] {
          let rest = TripLog(
            receiver.fixes(1200, seed: seed, jump: jump(begin)) { _ in (0, 0, 0) })
          #expect(rest.legs.isEmpty && rest.stops.count == 1, "\(seed) at \(begin)")
        }
      }
    }
  }
}
