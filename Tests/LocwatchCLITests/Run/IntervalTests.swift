import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchDoctor

@Suite struct `With an interval, locwatch` {
  /// How late each fix comes, in turn: within 80 ms, and in no order.
  private static let jitter = [0.0, 0.08, 0.01, 0.07, 0.03, 0.08, 0, 0.05]

  private static func late(_ index: Int) -> Double { jitter[index % jitter.count] }

  /// The seconds of the fixes that are written of a receiver with an even pace.
  private func seconds(
    every step: Double, count: Int, interval: String
  ) async throws -> [Double] {
    let fixes = (0..<count).map { index in
      let second = Double(index) * step
      return (second + Self.late(index), LocationFix.scripted(second))
    }
    return try await WatchRun(["-i", interval], .fixes(fixes)).seconds
  }

  @Test(arguments: [
    ("0", 60), ("500ms", 60), ("1s", 60), ("2s", 30), ("3s", 20), ("5s", 12), ("10s", 6),
  ])
  func `writes every nth fix of a receiver at 1 Hz`(
    interval: String, count: Int
  ) async throws {
    let written = try await seconds(every: 1, count: 60, interval: interval)
    #expect(written == (0..<count).map { Double($0 * (60 / count)) })
  }

  @Test(arguments: [("100ms", 1), ("200ms", 2), ("1s", 10), ("2s", 20)])
  func `writes every nth fix of a receiver at 10 Hz`(
    interval: String, every: Int
  ) async throws {
    let fixes = (0..<100).map { index in
      (Double(index) * 0.1 + Self.late(index) / 2, LocationFix.scripted(Double(index) / 10))
    }
    let written = try await WatchRun(["-i", interval], .fixes(fixes)).seconds
    #expect(written == stride(from: 0, to: 100, by: every).map { Double($0) / 10 })
  }

  @Test(arguments: [("1s", 1), ("5s", 1), ("10s", 2), ("20s", 4)])
  func `writes every nth fix of a receiver at a fifth of a hertz`(
    interval: String, every: Int
  ) async throws {
    let written = try await seconds(every: 5, count: 24, interval: interval)
    let expected: [Double] = stride(from: 0, to: 24, by: every).map { Double($0 * 5) }
    #expect(written == expected)
  }

  @Test func `writes the fixes that the manual page names`() async throws {
    #expect(try await seconds(every: 7, count: 7, interval: "10s") == [0, 14, 21, 35, 42])
  }

  @Test func `treats each receiver separately`() async throws {
    let fixes = (0..<20).map(Double.init).flatMap { second -> [(Double, LocationFix)] in
      [
        (second, .scripted(second, device: "/dev/a")),
        (second + 0.5, .scripted(second, device: "/dev/b")),
      ]
    }
    let run = try await WatchRun(["-i", "5s"], .fixes(fixes))
    #expect(run.seconds == [0, 0, 5, 5, 10, 10, 15, 15])
    #expect(run.fixes.map(\.device) == (0..<4).flatMap { _ in ["/dev/a", "/dev/b"] })
  }
}
