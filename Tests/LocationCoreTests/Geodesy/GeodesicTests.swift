import Foundation
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Geodesics on the ellipsoid` {
  struct Pair {
    var start: Coordinate
    var end: Coordinate

    init(_ latitude: Double, _ longitude: Double, _ toLatitude: Double, _ toLongitude: Double) {
      start = Coordinate(latitude: latitude, longitude: longitude)!
      end = Coordinate(latitude: toLatitude, longitude: toLongitude)!
    }
  }

  /// Lengths and directions by GeodSolve of GeographicLib.
  @Test(arguments: [
    (Pair(48.15, 11.58, -33.85, 151.21), 16323547.778389, 79.214686),
    (Pair(0, 0, 0.5, 179.5), 19936288.578965, 25.671873),
    (Pair(-30, 0, 29.9, 179.8), 19989832.827610, 161.890525),
    (Pair(0, 0, 0, 179), 19926188.851996, 90),
    (Pair(0, 0, 0, 90), 10018754.171395, 90),
    (Pair(90, 0, -90, 0), 20003931.458625, 180),
    (Pair(0, 10, 0, -170), 20003931.458625, 180),
    (Pair(89.999999, 0, 89.999999, 180), 0.223388, 0),
    (Pair(47.37, 8.54, 47.37, 8.540001), 0.075529, 90),
    (Pair(47.37, 8.54, 47.37, 8.54), 0, 0),
    (Pair(60, 179.9, 60, -179.9), 11159.996065, 89.913397),
  ])
  func `have the length and the direction of GeographicLib`(
    pair: Pair, length: Double, bearing: Double
  ) {
    #expect(abs(pair.start.distance(to: pair.end) - length) < 1e-6)
    #expect(abs(pair.end.distance(to: pair.start) - length) < 1e-6)
    let turn = (pair.start.bearing(to: pair.end) - bearing).remainder(dividingBy: 360)
    #expect(abs(turn) < 1e-5, "\(pair.start.bearing(to: pair.end))")
  }

  @Test func `lead back to where they were measured`() {
    var random = SeededRandom(seed: 1)
    for _ in 0..<2000 {
      let pair = Self.randomPair(&random)
      let length = pair.start.distance(to: pair.end)
      let end = pair.start.moved(by: length, bearing: pair.start.bearing(to: pair.end))
      #expect(end.distance(to: pair.end) < 1e-6, "\(pair)")
    }
  }

  @Test(
    .enabled(
      if: FileManager.default.isExecutableFile(atPath: "/usr/bin/GeodSolve"),
      "GeodSolve is not installed"))
  func `have the lengths of GeographicLib for 10,000 pairs, antipodes and poles too`() throws {
    var random = SeededRandom(seed: 2)
    let pairs = (0..<10_000).map { _ in Self.randomPair(&random) }
    // GeodSolve takes the letter of an exponent for a direction.
    let lines = pairs.map { pair in
      [pair.start.latitude, pair.start.longitude, pair.end.latitude, pair.end.longitude]
        .map { String(format: "%.15f", $0) }.joined(separator: " ") + "\n"
    }
    let input = try TemporaryFile(lines.joined())
    let output = try ProgramOutput(
      of: "GeodSolve", ["-i", "-p", "6", "--input-file", input.path])
    let lengths = output.text.split(separator: "\n").map {
      Double($0.split(separator: " ")[2])!
    }
    let errors = zip(pairs, lengths).map { abs($0.start.distance(to: $0.end) - $1) }
    #expect(errors.count == 10_000)
    #expect(errors.max()! < 1e-6)
  }

  /// Anywhere, close together, nearly antipodal, at a pole or on the equator.
  private static func randomPair(_ random: inout SeededRandom) -> Pair {
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    let (latitude, longitude) = (number(-89...89), number(-179...179))
    let offset = pow(10, number(-9...0))
    return switch Int(number(0...5)) {
    case 0: Pair(latitude, longitude, number(-90...90), number(-180...180))
    case 1: Pair(latitude, longitude, latitude + offset * number(-1...1), longitude + offset)
    case 2:
      Pair(
        latitude, longitude, -latitude + number(-0.5...0.5),
        (longitude + 180 + number(-0.5...0.5)).remainder(dividingBy: 360))
    case 3: Pair(latitude < 0 ? -90 : 90, longitude, number(-90...90), number(-180...180))
    default: Pair(0, longitude, offset / 2, number(-180...180))
    }
  }
}
