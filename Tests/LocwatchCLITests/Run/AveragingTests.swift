import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite struct `Averaging positions, locwatch` {
  private static let longPath = "/dev/serial/by-id/" + String(repeating: "x", count: 82)

  /// It may read the same, or be cut off.
  @Test(arguments: [
    ("/dev/\u{e9}", "/dev/e\u{301}"), (longPath, String(longPath.dropLast())),
    (String(longPath.dropLast()), longPath),
  ])
  func `treats a path with other bytes as another receiver`(path: String, other: String)
    async throws
  {
    let fixes = (0..<4).map {
      (Double($0), LocationFix.scripted(Double($0), device: $0 == 1 ? other : path))
    }
    let run = try await WatchRun(["-1", "--average", "2"], .fixes(fixes) + [.stayOpen])
    #expect(run.means.map(\.fixCount) == [2] && run.elapsed == .seconds(2))
  }

  @Test(arguments: [(0.59, 60, false), (0.6, 60, true), (0.7, 30, false), (0.7, 31, true)])
  func `says that the receiver moved if more than half of its speeds do`(
    speed: Double, fast: Int, moves: Bool
  ) async throws {
    let fixes = (0..<60).map { second in
      var fix = LocationFix.scripted(Double(second))
      // Spread evenly, so that no way is made of them.
      fix.speed = second * 37 % 60 < fast ? speed : 0
      return (Double(second), fix)
    }
    let run = try await WatchRun(["-1", "--average", "60"], .fixes(fixes) + [.stayOpen])
    #expect(run.means.map(\.fixCount) == [60])
    #expect(run.messages.count == (moves ? 1 : 0), "\(run.messages)")
  }

  // The command line

  @Test(arguments: [
    ("600", Averaging.Span.fixes(600)), ("2", .fixes(2)), ("10m", .duration(.seconds(600))),
    ("1h30m", .duration(.seconds(5400))), ("90s", .duration(.seconds(90))),
  ])
  func `reads a number without a unit as a number of fixes`(text: String, span: Averaging.Span)
    throws
  {
    #expect(try OptionValues.average(text) == span)
  }
}
