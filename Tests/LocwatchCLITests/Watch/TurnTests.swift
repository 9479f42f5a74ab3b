import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

@Suite struct `Where speed and turns decide, locwatch` {
  private func fix(_ second: Double, _ speed: Double?, _ track: Double?) -> LocationFix {
    var fix = LocationFix.scripted(second)
    fix.speed = speed
    fix.track = track
    return fix
  }

  /// The seconds of the fixes that are written of a receiver at 1 Hz.
  private func seconds(
    _ arguments: [String], _ movement: [(speed: Double?, track: Double?)]
  ) async throws -> [Double] {
    let fixes = movement.enumerated().map { index, now in
      (Double(index), fix(Double(index), now.speed, now.track))
    }
    return try await WatchRun(arguments, .fixes(fixes)).seconds
  }

  private static let intervals: [(kilometresPerHour: Double?, interval: Int)] = [
    (200, 5), (100, 5), (50, 10), (25, 20), (10, 50), (8, 60), (0, 60), (nil, 5),
  ]

  @Test(arguments: intervals)
  func `keeps fixes as far apart as at 100 km/h`(
    kilometresPerHour: Double?, interval: Int
  ) async throws {
    let speed = kilometresPerHour.map { $0 / 3.6 }
    let written = try await seconds(
      ["-i", "5s..1m"], Array(repeating: (speed, 90), count: 121))
    #expect(written == stride(from: 0, through: 120, by: interval).map { Double($0) })
  }

  @Test func `writes a fix of who drives off as soon as the speed has it due`() async throws {
    let speeds = (0..<60).map { $0 < 30 ? 0.0 : 50 / 3.6 }
    let written = try await seconds(["-i", "5s..1m"], speeds.map { ($0, 90) })
    #expect(written == [0, 30, 40, 50])
  }

  @Test func `does not hurry without the two intervals`() async throws {
    let speeds = (0...60).map { $0 < 30 ? 0.0 : 50 }
    #expect(try await seconds(["-i", "20s"], speeds.map { ($0, 90) }) == [0, 20, 40, 60])
  }

  private static let bends: [(tracks: [Double], expected: [Double])] = [
    // A corner in three steps, each of which is a bend of its own; then the new direction holds.
    ([0, 0, 25, 50, 90, 90, 90], [0, 2, 3, 4]),
    // Small steps add up from the last fix written.
    ([0, 10, 19, 20, 30, 39, 40], [0, 3, 6]),
    // North is no bend, in either direction.
    ([355, 5, 10, 350, 335.5, 334], [0, 5]),
    ([5, 350, 345, 10], [0, 2, 3]), ([350, 9, 331, 9.5, 10], [0, 4]),
    ([9, 350, 28, 349], [0, 3]),
    ([0, 180, 0], [0, 1, 2]),
  ]

  @Test(arguments: bends)
  func `writes a fix where the direction is so much off that of the last`(
    tracks: [Double], expected: [Double]
  ) async throws {
    #expect(try await seconds(["-i", "1h", "--turn", "20"], tracks.map { (5, $0) }) == expected)
  }

  @Test func `knows no direction below half a metre a second, and without one`() async throws {
    let movement: [(Double?, Double?)] = [
      (0.49, 0), (0.49, 90), (0.5, 180), (0.4, 0), (nil, 0), (5, nil), (1, 199), (0.5, 200),
      (1, 180),
    ]
    // The direction of the first fix that has one is what later ones are compared with.
    #expect(try await seconds(["-i", "1h", "--turn", "20"], movement) == [0, 7, 8])
  }

  @Test func `takes the direction of fixes that count alone`() async throws {
    var weak = fix(1, 5, 90)
    weak.eph = 50
    let fixes = [fix(0, 0, nil), weak, fix(2, 5, 0), fix(3, 5, 19), fix(4, 5, 20)]
    let run = try await WatchRun(
      ["-i", "1h", "--turn", "20", "--accuracy", "10"],
      .fixes(fixes.enumerated().map { (Double($0.offset), $0.element) }))
    #expect(run.seconds == [0, 4])
  }

  @Test func `goes by the distance as well as by the turn`() async throws {
    var fixes = [0.0, 90, 180, 270].enumerated().map { index, track in
      var fix = LocationFix.scripted(Double(index), north: index < 3 ? 0 : 10)
      (fix.speed, fix.track) = (5, track)
      return (Double(index), fix)
    }
    fixes.removeAll { $0.0 == 2 }
    let run = try await WatchRun(["-i", "1h", "--turn", "20", "-m", "5"], .fixes(fixes))
    #expect(run.seconds == [0, 3])
  }

  @Test func `knows each receiver's direction`() async throws {
    let fixes = (0..<4).flatMap { second in
      ["/dev/a", "/dev/b"].map { device in
        var fix = LocationFix.scripted(Double(second), device: device)
        (fix.speed, fix.track) = (5, device == "/dev/a" ? 0 : Double(second) * 30)
        return (Double(second), fix)
      }
    }
    let run = try await WatchRun(["-i", "1h", "--turn", "25"], .fixes(fixes))
    #expect(run.fixes.map(\.device) == ["/dev/a", "/dev/b", "/dev/b", "/dev/b", "/dev/b"])
  }

  @Test func `finds nothing that overflows`() async throws {
    let movement: [(Double?, Double?)] = [
      (1e14, 0), (1e14, 1e14), (-1e14, -1e14), (.infinity, .nan), (.nan, .infinity), (1e-300, 0),
    ]
    _ = try await seconds(["-i", "1ms..9999d", "--turn", "20"], movement)
    _ = try await seconds(["-i", "9999d..10000d", "--turn", "20"], movement)
  }
}
