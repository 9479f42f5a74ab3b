import LocationCore
import LocationTestKit
import TestSupport
import Testing

@testable import LocationReports

/// A report of any track.
@Suite struct `A report does not contradict itself` {
  /// A receiver that stands, walks, drives and jumps, with speeds that may be wrong, and claims of any size.
  private static func fixes(seed: UInt64) -> [(fix: LocationFix, moment: Moment)] {
    var random = SeededRandom(seed: seed)
    var gauss = Gauss(seed: seed)
    let interval = [1.0, 1, 2, 5, 10, 60].randomElement(using: &random)!
    let noise = [0.0, 1, 4, 20].randomElement(using: &random)!
    let measured = [nil, 0.0, 0.5, 1, 2].randomElement(using: &random)!
    let claims = [[nil], [5.0], [20], [nil, 10, 800]].randomElement(using: &random)!
    let origin = Coordinate(latitude: 48, longitude: 11.5)!
    var (east, north, up, speed, left, second) = (0.0, 0.0, 500.0, 0.0, 0, 0.0)
    return (0..<800).map { _ in
      if left == 0 {
        left = Int.random(in: 1...200, using: &random)
        speed = [0.0, 0, 0.3, 1.2, 15, 40].randomElement(using: &random)!
      }
      left -= 1
      let isSilent = Int.random(in: 0..<400, using: &random) == 0
      let seconds = isSilent ? .random(in: 10...3000, using: &random) : interval
      second += seconds
      east += speed * seconds * .random(in: -0.2...1, using: &random)
      north += speed * seconds * .random(in: -0.5...0.5, using: &random)
      up += speed * seconds * .random(in: -0.05...0.05, using: &random)
      let isOff = Int.random(in: 0..<60, using: &random) == 0
      let e = east + noise * gauss.next() + (isOff ? 500 : 0)
      let n = north + noise * gauss.next()
      var fix = LocationFix(
        coordinate: origin.moved(by: n, bearing: 0).moved(by: e, bearing: 90), mode: .fix3D,
        time: TruthReceiver.start.advanced(by: .seconds(second)))
      fix.altitude = up + noise * gauss.next()
      fix.speed = measured.map { max(0, $0 * speed + 0.1 * gauss.next()) }
      fix[.eph] = claims.randomElement(using: &random)!
      return (fix, Moment(uptime: .seconds(1000 + second)))
    }
  }

  private static let seeds: [UInt64] = Array(1...(isReleaseBuild ? 400 : 40))

  @Test func `in its speeds, times, sums and stops`() throws {
    for seed in Self.seeds {
      let fixes = Self.fixes(seed: seed)
      var report = LocationReport(countsFigures: false)
      let change = StateChange(.fix3D, of: .receiver(nil), at: fixes[0].moment)
      report.add(.state(change), at: fixes[0].moment)
      for (fix, moment) in fixes { report.add(.fix(fix), at: moment) }
      report.end(at: fixes[fixes.count - 1].moment)
      let receiver = try #require(report.receivers.first)
      for leg in receiver.legs { checkSpeeds(of: leg, seed) }
      checkSums(of: receiver, seed)
      if let scatter = receiver.scatter, scatter.isOfStops, let r95 = scatter.r95 {
        // Each is within 3 times 75 m of the middle of its stop, and so is their mean.
        #expect(r95 <= 2 * 3 * 75, "seed \(seed)")
      }
    }
  }

  private func checkSpeeds(of leg: Leg, _ seed: UInt64) {
    #expect(leg.movingTime <= leg.duration, "seed \(seed)")
    let speeds = [leg.meanSpeed, leg.meanMovingSpeed, leg.topSpeed].compactMap(\.self)
    #expect(zip(speeds, speeds.dropFirst()).allSatisfy { $0 <= $1 }, "seed \(seed): \(speeds)")
  }

  private func checkSums(of receiver: ReceiverReport, _ seed: UInt64) {
    let sums = receiver.trips
    let distance = receiver.legs.reduce(0) { $0 + $1.distance }
    #expect(abs(distance - sums.distance) < 1e-6 * (1 + distance), "seed \(seed)")
    let days = receiver.days.reduce(0) { $0 + $1.distance }
    #expect(abs(distance - days) < 1e-6 * (1 + distance), "seed \(seed)")
    if let top = sums.speedTop {
      #expect(sums.distance <= top * sums.duration.inSeconds * (1 + 1e-9), "seed \(seed)")
    }
    let parts =
      receiver.legs.map(\.duration) + receiver.stops.map(\.duration) + receiver.gaps.map(\.duration)
    #expect(parts.reduce(.zero, +) <= receiver.observed + .seconds(0.001), "seed \(seed)")
    let ranges = (receiver.legs.map(\.fixes) + receiver.stops.map(\.fixes))
      .sorted { $0.lowerBound < $1.lowerBound }
    // The last fix of one part is the first one of the next.
    #expect(
      zip(ranges, ranges.dropFirst()).allSatisfy { $0.upperBound <= $1.lowerBound + 1 },
      "seed \(seed)")
  }
}
