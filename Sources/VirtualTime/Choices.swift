/// A moment at which several jobs were ready, and the place of the one that ran.
struct Choice: Hashable, Sendable {
  /// The place of the job, in the order in which the jobs became ready; zero is the usual one.
  let place: Int
  /// How many jobs were ready; at least two.
  let count: Int
}

/// Decides which of the jobs that are ready runs next, and records the decisions.
struct Choices: Sendable {
  enum Source: Sendable {
    /// These places, and then always the first job.
    case tape([Int])
    /// Any job, each with the same probability.
    case random(SeededRandom)
    /// The job of the task with the highest priority.
    case priorities(RandomPriorities)
  }

  private var source: Source
  /// The choices so far.
  private(set) var taken: [Choice] = []
  /// Why these choices cannot be those of the tape: another number of jobs was ready.
  private(set) var mismatch: String?

  init(_ source: Source) { self.source = source }

  /// The places that were chosen, without the usual ones at the end.
  var tape: [Int] { taken.map(\.place).trimmed }

  /// Returns the place of the next job.
  ///
  /// - Parameters:
  ///   - count: The number of jobs that are ready.
  ///   - task: Returns the number of the task of a job; zero if it is unknown.
  mutating func next(below count: Int, task: (Int) -> UInt64) -> Int {
    guard count > 1 else { return 0 }
    let place: Int
    switch source {
    case .tape(let places):
      let wanted = taken.count < places.count ? places[taken.count] : 0
      if wanted >= count, mismatch == nil {
        mismatch =
          "choice \(taken.count + 1) is job \(wanted + 1), but only \(count) jobs were ready"
      }
      place = min(wanted, count - 1)
    case .random(var random):
      place = .random(in: 0..<count, using: &random)
      source = .random(random)
    case .priorities(var priorities):
      place = priorities.next(below: count, task: task)
      source = .priorities(priorities)
    }
    taken.append(Choice(place: place, count: count))
    return place
  }

  /// Notes that a tape has places after the last choice.
  mutating func end() {
    if case .tape(let places) = source, places.trimmed.count > taken.count, mismatch == nil {
      mismatch = "it has \(places.count) choices, but the test only \(taken.count)"
    }
  }
}

/// Gives each task a random priority. At a few random choices, the running task gets the lowest priority of all.
///
/// Faults that need long runs of one task while another one waits are rare in a random order, but not in this one (S.
/// Burckhardt et al., "A Randomized Scheduler with Probabilistic Guarantees of Finding Bugs", ASPLOS 2010).
struct RandomPriorities: Sendable {
  private var random: SeededRandom
  private var priorities: [UInt64: UInt64] = [:]
  private var changes: Set<Int> = []
  private var count = 0
  private var lowest: UInt64 = 1 << 20
  /// The task of the job that has been ready for the longest time, and how many others ran meanwhile.
  private var oldest = (task: UInt64(0), wait: 0)
  /// How many others run before a job that is ready. Without a limit, a task that yields until another one is done could
  /// keep that one from running.
  private static let longestWait = 100

  /// - Parameters:
  ///   - length: The number of choices that a run is expected to have.
  ///   - changeCount: How often a task gets the lowest priority.
  init(seed: UInt64, length: Int, changeCount: Int) {
    random = SeededRandom(seed: seed)
    for _ in 0..<changeCount { changes.insert(.random(in: 0..<max(1, length), using: &random)) }
  }

  mutating func next(below count: Int, task: (Int) -> UInt64) -> Int {
    var best = (place: 0, priority: UInt64(0))
    for place in 0..<count {
      let priority = priority(of: task(place))
      if priority > best.priority { best = (place, priority) }
    }
    if changes.contains(self.count) {
      lowest -= 1
      priorities[task(best.place)] = lowest
    }
    self.count += 1
    oldest = task(0) == oldest.task ? (oldest.task, oldest.wait + 1) : (task(0), 1)
    if oldest.wait > Self.longestWait { best.place = 0 }
    if best.place == 0 { oldest.wait = 0 }
    return best.place
  }

  /// A job of no known task has another priority each time.
  private mutating func priority(of task: UInt64) -> UInt64 {
    if task != 0, let known = priorities[task] { return known }
    let priority = UInt64.random(in: (1 << 21)...(1 << 40), using: &random)
    if task != 0 { priorities[task] = priority }
    return priority
  }
}

extension [Int] {
  /// Without zeros at the end.
  var trimmed: [Int] { Array(prefix((lastIndex { $0 != 0 } ?? -1) + 1)) }
}
