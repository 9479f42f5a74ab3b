/// Runs a test under many schedules, and explains the first that fails.
struct Exploration: Sendable {
  /// Returns what failed under a schedule; `nil` if nothing did.
  typealias Test = @Sendable (_ choices: Choices, _ story: ScheduleStory?) async -> Run<Void>

  /// How many runs may search for fewer unusual choices. One that never ends takes a second, and counts as 30.
  private static let shrinkingRuns = 300

  let test: Test

  /// Runs the schedules until one fails.
  @concurrent func run(
    atMost limit: Int, on thread: WorldThread
  ) async throws(ScheduleFailure) -> ScheduleCoverage {
    try await withTaskExecutorPreference(thread) { () async throws(ScheduleFailure) in
      try await run(atMost: limit)
    }
  }

  private func run(atMost limit: Int) async throws(ScheduleFailure) -> ScheduleCoverage {
    var search = ScheduleSearch(limit: limit)
    while !Task.isCancelled, let choices = search.next() {
      let run = await test(choices, nil)
      search.record(run.choices)
      if let error = run.error {
        throw await explained(run.choices, error, isShrunk: search.isShortest, after: search)
      }
    }
    return ScheduleCoverage(
      count: search.count, isComplete: search.isComplete && !Task.isCancelled)
  }

  private func explained(
    _ choices: Choices, _ error: any Error, isShrunk: Bool, after search: ScheduleSearch
  ) async -> ScheduleFailure {
    let isCancelled = Task.isCancelled
    let tape = isShrunk || isCancelled ? choices.tape : await shrunk(choices.tape)
    let story = ScheduleStory()
    let again = isCancelled ? nil : await test(Choices(.tape(tape)), story)
    return ScheduleFailure(
      schedule: ScheduleText.text(of: tape), error: again?.error ?? error,
      count: search.count, choices: (again?.choices ?? choices).taken,
      story: again?.error == nil ? nil : story)
  }

  /// Returns a schedule that fails as well, with fewer unusual choices if there is one.
  private func shrunk(_ tape: [Int]) async -> [Int] {
    var best = tape
    var runs = 0
    func fails(_ candidate: [Int]) async -> Bool {
      guard candidate != best, runs < Self.shrinkingRuns, !Task.isCancelled else { return false }
      let run = await test(Choices(.tape(candidate)), nil)
      let code = (run.error as? VirtualTimeError)?.code
      runs += code == .stuck || code == .endless ? 30 : 1
      guard run.error != nil, !Task.isCancelled else { return false }
      best = run.choices.tape
      return true
    }
    func unusual() -> [Int] { best.indices.filter { best[$0] != 0 } }

    var size = max(1, unusual().count / 2)
    while runs < Self.shrinkingRuns {
      var first = 0
      var isSmaller = false
      while first < unusual().count {
        var candidate = best
        for choice in unusual().dropFirst(first).prefix(size) { candidate[choice] = 0 }
        if await fails(candidate.trimmed) { isSmaller = true } else { first += size }
      }
      if size == 1, !isSmaller { break }
      size = max(1, size / 2)
    }
    for choice in unusual() where choice < best.count && best[choice] > 1 {
      var candidate = best
      candidate[choice] = 1
      _ = await fails(candidate)
    }
    return best
  }
}

/// How much of a test ``exploreSchedules(atMost:_:)`` has run.
public struct ScheduleCoverage: Hashable, Sendable {
  /// The number of schedules that ran.
  public let count: Int
  /// Whether these were all schedules that the test has.
  public let isComplete: Bool
}

extension ScheduleCoverage: CustomStringConvertible {
  /// A text for messages, such as `all 91 schedules` or `10000 schedules of more`.
  public var description: String {
    switch (isComplete, count) {
    case (true, 1): "the only schedule"
    case (true, _): "all \(count) schedules"
    case (false, _): "\(count) schedules of more"
    }
  }
}
