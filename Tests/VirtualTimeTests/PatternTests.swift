import Testing

@testable import VirtualTime

@Suite(.timeLimit(.minutes(10))) struct `Patterns of flaky tests` {
  @Test(arguments: Pattern.all) func `are found`(pattern: Pattern) async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 10_000, pattern.faulty)
    }
    #expect(failure.map { $0.count <= 1_000 } == true)
  }

  @Test(arguments: Pattern.all) func `are not found in mended code`(pattern: Pattern) async throws {
    try await exploreSchedules(atMost: 1_000, pattern.mended)
  }
}
