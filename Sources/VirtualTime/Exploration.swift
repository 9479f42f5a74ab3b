/// Runs a test under many schedules, and explains the first that fails.
struct Exploration: Sendable {
  /// Returns what failed under a schedule; `nil` if nothing did.
  typealias Test = @Sendable (_ choices: Choices, _ story: ScheduleStory?) async -> Run<Void>

  /// How many runs may search for fewer unusual choices. One that never ends takes a second, and counts as 30.
  private static let shrinkingRuns = 300

  let test: Test

  /// Runs the schedules until one fails.
  @concurrent func run(
    atMost limit: Int, interruptions: Int, on thread: WorldThread
  ) async throws(ScheduleFailure) -> ScheduleCoverage {
    try await withTaskExecutorPreference(thread) { () async throws(ScheduleFailure) in
      try await run(ScheduleSearch(limit: limit, interruptions: interruptions))
    }
  }

  private func run(
    _ search: consuming ScheduleSearch
  ) async throws(ScheduleFailure) -> ScheduleCoverage {
    var goals: [String: Bool] = [:]
    while !Task.isCancelled, let choices = search.next() {
      var run = await test(choices, nil)
      // On a busy machine, a thread that waits for a moment can look like one that waits for a lock.
      if run.isVoid { run = await test(choices, nil) }
      if run.isVoid {
        search.skip()
        continue
      }
      search.record(run.choices)
      goals.merge(run.goals) { $0 || $1 }
      if let error = run.error {
        throw await explained(run.choices, error, isShrunk: search.isShortest, after: search)
      }
    }
    if Task.isCancelled { return search.coverage.cut }
    if let goal = goals.filter({ !$0.value }).keys.min() {
      throw ScheduleFailure(.unreached(goal), in: search.coverage)
    }
    return search.coverage
  }

  private func explained(
    _ choices: Choices, _ error: any Error, isShrunk: Bool, after search: ScheduleSearch
  ) async -> ScheduleFailure {
    let isCancelled = Task.isCancelled
    let tape = isShrunk || isCancelled ? choices.tape : await shrunk(choices.tape)
    let story = ScheduleStory()
    let repeated = isCancelled ? nil : await test(Choices(tape), story)
    let again = repeated?.isVoid == true ? nil : repeated
    // A test that has not ended never does, even if another run ends.
    let isLeft = (error as? VirtualTimeError)?.leavesTest == true
    return ScheduleFailure(
      schedule: ScheduleText.text(of: tape), error: isLeft ? error : again?.error ?? error,
      count: search.count, choices: (again?.choices ?? choices).taken,
      story: again?.error == nil ? nil : story)
  }

  /// Returns a schedule that fails as well, with fewer unusual choices if there is one.
  private func shrunk(_ tape: Tape) async -> Tape {
    var best = tape
    var runs = 0
    func tryOut(_ candidate: Tape) async {
      guard candidate != best, runs < Self.shrinkingRuns, !Task.isCancelled else { return }
      let run = await test(Choices(candidate), nil)
      let code = (run.error as? VirtualTimeError)?.code
      runs += code == .stuck || code == .endless ? 30 : 1
      if run.error != nil, !run.isVoid, !Task.isCancelled { best = run.choices.tape }
    }

    var size = max(1, best.unusual.count / 2)
    while runs < Self.shrinkingRuns {
      let before = best
      var first = 0
      while first < best.unusual.count {
        var candidate = best
        for position in best.unusual.dropFirst(first).prefix(size) { candidate[position] = 0 }
        let last = best
        await tryOut(candidate)
        if best == last { first += size }
      }
      if size == 1, best == before { break }
      size = max(1, size / 2)
    }
    for position in best.unusual where best[position] > 1 {
      var candidate = best
      candidate[position] = 1
      await tryOut(candidate)
    }
    return best
  }
}
