import Testing

@testable import LocationTestKit

@Suite final class `A watch for quiet moments` {
  private let clock = ManualClock()
  private var watch: QuietMoments.Watch

  init() { watch = QuietMoments.Watch(clock) }

  /// Returns the answers to looks in a row.
  private func answers(
    to looks: [QuietMoments.Look], areJobsCounted: Bool = true
  ) -> [QuietMoments.Answer?] {
    looks.map { watch.answer(to: $0, areJobsCounted: areJobsCounted) }
  }

  @Test func `counts whole turns in which the clock was not used`() {
    for turns in 1...3 {
      watch.noteTurn(isWhole: true)
      #expect(watch.quietTurns == turns)
    }
    watch.noteTurn(isWhole: false)
    #expect(watch.quietTurns == 0)
    watch.noteTurn(isWhole: true)
    _ = clock.now
    watch.noteTurn(isWhole: true)
    #expect(watch.quietTurns == 0)
    watch.noteTurn(isWhole: true)
    _ = clock.now
    #expect(answers(to: [.running([1: 5])]) == [nil])
    #expect(watch.quietTurns == 0)
  }

  @Test func `takes threads for others' that computed 20 ms since the clock was used`() {
    let looks: [([Int32: Int64], QuietMoments.Answer?)] = [
      ([1: 5, 2: 7], nil), ([1: 20_000_004], nil), ([1: 20_000_005], .othersRan),
      ([1: 20_000_005, 2: 20_000_006], nil), ([1: 20_000_005, 2: 20_000_007], .othersRan),
      ([1: 30_000_000, 3: 30_000_000], nil),
    ]
    #expect(answers(to: looks.map { .running($0.0) }) == looks.map(\.1))
    #expect(answers(to: [.running([1: 30_000_000])]) == [.othersRan])
    _ = clock.now
    #expect(
      answers(to: [30_000_000, 49_999_999, 50_000_000].map { .running([1: $0]) })
        == [nil, nil, .othersRan])
  }

  @Test func `knows a quiet moment when the main actor had its turn after the first`() {
    #expect(answers(to: [.quiet(mainTurns: 3, nextTurn: 4)]) == [nil])
    #expect(watch.awaitedTurn == 4)
    #expect(answers(to: [.quiet(mainTurns: 3, nextTurn: 5)]) == [nil])
    #expect(watch.awaitedTurn == 4)
    #expect(answers(to: [.quiet(mainTurns: 4, nextTurn: 5)]) == [.quiet])
  }

  @Test func `guesses where jobs are not counted`() {
    let looks: [QuietMoments.Look] = [
      .quiet(mainTurns: 0, nextTurn: 1), .quiet(mainTurns: 1, nextTurn: 2),
    ]
    #expect(answers(to: looks, areJobsCounted: false) == [nil, .othersRan])
    // After a turn, it needs two quiet looks again.
    watch.noteTurn(isWhole: true)
    #expect(watch.awaitedTurn == nil)
    #expect(answers(to: [looks[1]], areJobsCounted: false) == [nil])
  }

  @Test func `begins anew when a job became ready`() {
    var busy = QuietMoments.Look.quiet(mainTurns: 1, nextTurn: 2)
    busy.before.jobs = 8
    busy.after.jobs = 8
    let looks = [.quiet(mainTurns: 0, nextTurn: 1), busy, busy]
    #expect(answers(to: looks) == [nil, nil, nil])
    #expect(watch.awaitedTurn == 2)
    busy.mainTurns = 2
    #expect(answers(to: [busy]) == [.quiet])
  }

  @Test func `a look is quiet if nothing ran, nothing stopped and nothing is ready`() {
    let quiet = QuietMoments.Look.quiet(mainTurns: 0, nextTurn: 1)
    #expect(quiet.isQuiet)
    let changes: [(inout QuietMoments.Look) -> Void] = [
      { $0.running = [1: 5] },
      { $0.after.switches += 1 },
      { $0.after.jobs += 1 },
      { $0.before.readyJobs = 1 },
      { ($0.before.readyJobs, $0.after.readyJobs) = (1, 1) },
    ]
    let looks = changes.map { change in
      var look = quiet
      change(&look)
      return look.isQuiet
    }
    #expect(looks == [false, false, false, false, false])
  }
}

extension QuietMoments.Look {
  private static let counts = Counts(switches: 100, jobs: 7, readyJobs: 0)

  fileprivate static func running(_ threads: [Int32: Int64]) -> Self {
    Self(before: counts, running: threads, after: counts, mainTurns: 0, nextTurn: 1)
  }

  fileprivate static func quiet(mainTurns: Int, nextTurn: Int) -> Self {
    Self(before: counts, running: [:], after: counts, mainTurns: mainTurns, nextTurn: nextTurn)
  }
}
