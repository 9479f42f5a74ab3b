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
  /// mended test has, and how long a schedule takes, in processor time and in real time. At most `VIRTUAL_TIME_TABLE`
  /// schedules run, with at most `VIRTUAL_TIME_INTERRUPTIONS` interruptions in each.
  @Test(.enabled(if: tableLimit != nil)) func `as a table`() async {
    let thread = WorldThread()
    await withTaskExecutorPreference(thread) {
      for pattern in Pattern.all {
        let start = (ContinuousClock.now, clock())
        let faulty = await Row(of: pattern.faulty, on: thread)
        let mended = await Row(of: pattern.mended, on: thread)
        let count = faulty.count + mended.count
        let time = start.0.duration(to: .now) / count / .microseconds(1)
        let work = Int(clock() - start.1) / count
        let cells = [
          pattern.name, faulty.first.map { "\($0)" } ?? "-",
          "\(faulty.failures) of \(faulty.total)",
          "\(mended.failures) of \(mended.total)", "\(work) us", "\(Int(time)) us",
        ]
        FileHandle.standardError.write(Data((cells.joined(separator: " | ") + "\n").utf8))
      }
    }
  }

  private struct Row {
    private(set) var first: Int?
    private(set) var failures = 0
    let count: Int
    let total: String

    init(of body: @escaping Pattern.Body, on thread: WorldThread) async {
      var search = ScheduleSearch(limit: tableLimit ?? 0, interruptions: tableInterruptions)
      while let choices = search.next() {
        let run = await World.run(choices, on: thread) { try await body(ManualClock()) }
        guard !run.isVoid else {
          search.skip()
          continue
        }
        search.record(run.choices)
        guard run.error != nil else { continue }
        failures += 1
        first = first ?? search.count
      }
      count = search.count
      total = "\(search.coverage)"
    }
  }
}

/// How many schedules of a pattern run for a table.
private let tableLimit = variable("VIRTUAL_TIME_TABLE")
private let tableInterruptions = variable("VIRTUAL_TIME_INTERRUPTIONS") ?? 1
