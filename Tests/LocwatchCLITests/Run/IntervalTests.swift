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

  @Test func `writes the later of two fixes that are equally near to the due time`() async throws {
    let fixes = (0..<7).map { (Double($0), LocationFix.scripted(Double($0))) }
    #expect(try await WatchRun(["-i", "1500ms"], .fixes(fixes)).seconds == [0, 2, 4, 6])
    #expect(
      try await WatchRun(["-i", "1499ms"], .fixes(fixes)).seconds == [0, 1, 2, 3, 4, 5, 6])
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

  @Test func `uses the moments if the receiver knows no time`() async throws {
    let fixes = (0..<60).map { index in
      (Double(index) + Self.late(index), LocationFix.scripted(nil, north: Double(index)))
    }
    let run = try await WatchRun(["-i", "2s"], .fixes(fixes))
    #expect(run.fixes == stride(from: 0, to: 60, by: 2).map { fixes[$0].1 })
  }

  @Test func `continues at the same pace after an outage`() async throws {
    let seconds = Array(0..<10) + Array(40..<50)
    let fixes = seconds.enumerated().map { index, second in
      (Double(second) + Self.late(index), LocationFix.scripted(Double(second)))
    }
    let run = try await WatchRun(["-i", "2s"], .fixes(fixes))
    #expect(run.seconds == [0, 2, 4, 6, 8, 40, 42, 44, 46, 48])
  }

  @Test func `is not silent after the receiver's time went back`() async throws {
    let clock = [100.0, 101, 102, 103, 10, 11, 12, 13, 14]
    let fixes = clock.enumerated().map { (Double($0.offset), LocationFix.scripted($0.element)) }
    let run = try await WatchRun(["-i", "2s"], .fixes(fixes))
    #expect(run.seconds == [100, 102, 10, 12, 14])
  }

  @Test func `learns the pace from fixes that do not count, too`() async throws {
    // Of four fixes one is good enough; each third of those is 12 s after the one before.
    let fixes = (0..<48).map { second in
      (
        Double(second) + Self.late(second),
        LocationFix.scripted(Double(second), accuracy: second.isMultiple(of: 4) ? 5 : 50)
      )
    }
    let run = try await WatchRun(["-i", "10s", "--accuracy", "10"], .fixes(fixes))
    #expect(run.seconds == [0, 12, 24, 36])
    // With only their pace, 4 s, this would take every second one.
    let second = try await WatchRun(["-i", "9500ms", "--accuracy", "10"], .fixes(fixes))
    #expect(second.seconds == [0, 12, 24, 36])
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

  @Test func `remembers at most 64 receivers, those that reported last`() throws {
    var filter = FixFilter(try Options(arguments: ["-i", "1h"]).criteria)
    func judge(_ device: Int, at second: Int) -> FixFilter.Verdict {
      let fix = LocationFix.scripted(Double(second), device: "/dev/\(device)")
      let moment = Moment(uptime: .seconds(second))
      defer { filter.recordTaken(fix, at: moment) }
      return filter.judge(fix, at: moment)
    }
    for device in 0..<64 { #expect(judge(device, at: device) == .wanted) }
    for device in 0..<64 { #expect(judge(device, at: 64 + device) == .leftOut) }
    #expect(judge(64, at: 128) == .wanted)
    #expect(judge(1, at: 129) == .leftOut)
    #expect(judge(0, at: 130) == .wanted)
  }

  @Test func `loses nothing to a fix that found no room`() throws {
    var filter = FixFilter(try Options(arguments: ["-i", "10s", "-m", "1"]).criteria)
    let first = LocationFix.scripted(0)
    #expect(filter.judge(first, at: .start) == .wanted)
    // It was not written, so the next one is the first.
    let second = LocationFix.scripted(1)
    #expect(filter.judge(second, at: .start.advanced(by: .seconds(1))) == .wanted)
  }
}
