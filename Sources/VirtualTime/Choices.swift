/// A moment at which one of several jobs could run, and the one that ran.
struct Choice: Hashable, Sendable {
  /// The place of the job: of those that were ready, in the order in which they became so; zero is the usual one. At an
  /// interruption, zero is the job that runs already, and the others follow from the newest to the oldest.
  var place: Int
  /// How many jobs could run; at least two.
  let count: Int
  /// Whether a job could be interrupted.
  var isInterruption = false
}

/// Decides which of the jobs that are ready runs next, and records the decisions.
struct Choices: Sendable {
  /// Which job runs next, apart from interruptions.
  enum Order: Sendable {
    /// That of the tape, and then always the usual one.
    case tape
    /// Any job, each with the same probability.
    case random(SeededRandom)
    /// The job of the task with the highest priority.
    case priorities(RandomPriorities)
  }

  private let planned: Tape
  private var order: Order
  /// The choices so far.
  private(set) var taken: [Choice] = []
  private var placeCount = 0
  private var pointCount = 0
  /// Why these choices cannot be those of the tape: another number of jobs was ready.
  private(set) var mismatch: String?

  init(_ tape: Tape, _ order: Order = .tape) {
    planned = tape
    self.order = order
  }

  /// The unusual choices.
  var tape: Tape { Tape(taken) }

  /// Returns the place of the next job.
  ///
  /// - Parameters:
  ///   - count: The number of jobs that are ready.
  ///   - task: Returns the number of the task of a job; zero if it is unknown.
  mutating func next(below count: Int, task: (Int) -> UInt64) -> Int {
    guard count > 1 else { return 0 }
    placeCount += 1
    let place: Int
    switch order {
    case .tape: place = planned[.place(placeCount)]
    case .random(var random):
      place = .random(in: 0..<count, using: &random)
      order = .random(random)
    case .priorities(var priorities):
      place = priorities.next(below: count, task: task)
      order = .priorities(priorities)
    }
    return take(place, below: count)
  }

  /// Returns what runs where a job can be interrupted: zero for that job.
  ///
  /// - Parameter count: The number of jobs that can run, including the one that can be interrupted; at least two.
  mutating func nextInterruption(below count: Int) -> Int {
    pointCount += 1
    return take(planned[.interruption(pointCount)], below: count, isInterruption: true)
  }

  private mutating func take(_ place: Int, below count: Int, isInterruption: Bool = false) -> Int {
    if place >= count, mismatch == nil {
      let choice = isInterruption ? "interruption \(pointCount)" : "choice \(placeCount)"
      mismatch = "\(choice) is job \(place + 1), but only \(count) jobs were ready"
    }
    let place = min(place, count - 1)
    taken.append(Choice(place: place, count: count, isInterruption: isInterruption))
    return place
  }

  /// Notes that a tape has choices after the last one.
  mutating func end() {
    guard mismatch == nil else { return }
    for position in planned.unusual {
      switch position {
      case .place(let choice) where choice > placeCount:
        mismatch = "it has \(choice) choices, but the test only \(placeCount)"
      case .interruption(let point) where point > pointCount:
        mismatch = "it has an interruption \(point), but the test only \(pointCount)"
      default: break
      }
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
  /// How many others run before a job that is ready. Without a limit, a task that yields until another one is done
  /// could keep that one from running.
  private static let longestWait = 100

  /// - Parameters:
  ///   - length: The number of choices that a run is expected to have.
  ///   - changeCount: How often a task gets the lowest priority.
  init(_ random: SeededRandom, length: Int, changeCount: Int) {
    self.random = random
    for _ in 0..<changeCount {
      changes.insert(.random(in: 0..<max(1, length), using: &self.random))
    }
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
