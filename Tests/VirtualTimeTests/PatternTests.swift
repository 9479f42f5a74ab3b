import Foundation
import Testing

@testable import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct `Patterns of flaky tests` {
  @Test(arguments: Pattern.all) func `pass in the usual order`(pattern: Pattern) async throws {
    try await withVirtualTime(pattern.faulty)
  }

  @Test(arguments: Pattern.all) func `are found`(pattern: Pattern) async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 10_000, pattern.faulty)
    }
    #expect(failure.map { (2...1_000).contains($0.count) } == true)
  }

  @Test(arguments: Pattern.all) func `are not found in mended code`(pattern: Pattern) async throws {
    try await exploreSchedules(atMost: 1_000, pattern.mended)
  }

  /// Writes a row for each pattern to stderr: by which schedule it is found, how many fail of how many, how many the
  /// mended test has, and how long a schedule takes. `+` means that there are more.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["VIRTUAL_TIME_TABLE"] != nil))
  func `as a table`() async {
    for pattern in Pattern.all {
      let start = ContinuousClock.now
      let (faulty, mended) = (await Row(of: pattern.faulty), await Row(of: pattern.mended))
      let time = start.duration(to: .now) / (faulty.count + mended.count) / .microseconds(1)
      let cells = [
        pattern.name, faulty.first.map { "\($0)" } ?? "-", "\(faulty.failures) of \(faulty.total)",
        "\(mended.failures) of \(mended.total)", "\(Int(time)) us",
      ]
      FileHandle.standardError.write(Data((cells.joined(separator: " | ") + "\n").utf8))
    }
  }

  private struct Row {
    private(set) var first: Int?
    private(set) var failures = 0
    let count: Int
    let total: String

    init(of body: @escaping Pattern.Body) async {
      var search = ScheduleSearch(limit: 20_000)
      while let choices = search.next() {
        let run = await World.run(choices) { try await body(ManualClock()) }
        search.record(run.choices)
        guard run.error != nil else { continue }
        failures += 1
        first = first ?? search.count
      }
      count = search.count
      total = "\(search.count)\(search.isComplete ? "" : "+")"
    }
  }
}
