import LocationCore
import TestSupport
import Testing

@testable import LocationReports

/// Ordinary ways of ordinary receivers, none of which is to be doubted.
///
/// Fault 133.
@Suite struct `Nothing is doubted` {
  private static let seeds = isReleaseBuild ? Array(1...20) : [1, 2, 3]

  private func doubts(_ fixes: [(fix: LocationFix, moment: Moment)]) -> [String] {
    var machine = DoubtMachine()
    var told: [String] = []
    for (fix, moment) in fixes where machine.handle(fix, at: moment) {
      told.append(
        "\(moment) \(machine.doubts.doubts) \(machine.detail(of: machine.doubts) ?? "")")
    }
    return told
  }

  private static let receivers =
    TruthReceiver.walkers + [
      TruthReceiver(name: "10 Hz", interval: 0.1), TruthReceiver(name: "10 s", interval: 10),
      TruthReceiver(name: "60 s", interval: 60),
      TruthReceiver(name: "12 m", noise: 12, doppler: 0.2),
      TruthReceiver(name: "30 m", noise: 30, doppler: 0.1),
      TruthReceiver(name: "30 m, no speed", noise: 30, doppler: nil), .rtk,
    ]

  @Test(arguments: receivers)
  func `about somebody who walks, runs, mows, climbs or stands`(receiver: TruthReceiver) {
    let ways = [
      TruthWay.walk(0.4), .walk(1.4), .laps, .lawn(rest: 60), .hairpins,
      TruthWay([(0, 0, 0), (20_000, 0, 0), (20_000, 20_000, 300)], speed: 33),
      TruthWay([(0, 0, 0), (300_000, 0, 9000)], speed: 250, rest: 0),
    ]
    for seed in Self.seeds {
      for (number, way) in ways.enumerated() {
        let told = doubts(receiver.fixes(min(way.seconds, 2000), seed: seed, way.place))
        #expect(told == [], "way \(number), seed \(seed)")
      }
      #expect(doubts(receiver.fixes(3600, seed: seed) { _ in (0, 0, 0) }) == [])
    }
  }

  @Test func `about a receiver that holds its position while it stands`() {
    for seed in Self.seeds {
      let hold = TruthReceiver(name: "static hold", noise: 0, doppler: 0)
      #expect(doubts(hold.fixes(7200, seed: seed) { _ in (0, 0, 0) }) == [])
    }
  }
}
