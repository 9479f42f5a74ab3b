/// Chooses the schedules of an exploration, one after another.
///
/// The first schedule is the usual order. Each run shows where there was a choice, and each other choice there is a
/// branch that has to be run as well. Branches run in the order of their number of interruptions, and then of their
/// number of unusual choices, so the first one that fails has the fewest. Every schedule is the end of exactly one
/// branch: once no branch is left, all have run, and as soon as there are more branches with the same number of
/// interruptions than runs left, it is known that not all can. The remaining runs are then shared between the next
/// branches, random priorities and random orders.
struct ScheduleSearch {
  /// A schedule that follows another one up to a choice, and takes another place there.
  private struct Branch {
    let choices: [Choice]
    let choice: Int
    let place: Int
    let interruptions: Int
    /// The number of unusual choices without the interruptions.
    let unusual: Int

    var tape: Tape {
      var last = choices[choice]
      last.place = place
      return Tape(choices.prefix(choice) + [last])
    }

    /// Whether a run had the same choices up to that of the branch.
    func isFollowed(by taken: [Choice]) -> Bool {
      taken.count > choice && taken[choice].count == choices[choice].count
        && taken[choice].isInterruption == choices[choice].isInterruption
        && taken[..<choice] == choices[..<choice]
    }
  }

  /// The schedules with the same number of interruptions.
  private struct Level {
    /// The branches by their number of unusual choices, and how many of each have run.
    private var queues: [(branches: [Branch], runCount: Int)] = []
    /// How many branches have not run.
    private(set) var waiting = 0
    /// Whether there were more branches than could run.
    var isCut = false
    /// How many have run.
    var count = 0

    mutating func add(_ branch: Branch) {
      while queues.count <= branch.unusual { queues.append(([], 0)) }
      queues[branch.unusual].branches.append(branch)
      waiting += 1
    }

    mutating func next() -> Branch? {
      guard let place = queues.firstIndex(where: { $0.runCount < $0.branches.count }) else {
        return nil
      }
      waiting -= 1
      queues[place].runCount += 1
      return queues[place].branches[queues[place].runCount - 1]
    }
  }

  /// How many random schedules may turn out to be void before the others do without interruptions.
  private static let mostVoids = 20

  private let limit: Int
  private var levels: [Level]
  /// The branch that runs; `nil` if the current schedule is the usual order, or none of the branches.
  private var current: Branch?
  /// Whether there are more schedules than runs.
  private var isCut = false
  /// Whether the test makes other choices at each run.
  private var isUnsteady = false
  /// Whether there are schedules with more interruptions than may run.
  private var hasMoreInterruptions = false
  /// The largest numbers of choices of a run.
  private var longest = (places: 0, points: 0)
  /// The number of schedules that have run.
  private(set) var count = 0
  /// How many were void, and how many of these were random.
  private var voids = (all: 0, random: 0)

  /// - Parameters:
  ///   - limit: The number of schedules that may run.
  ///   - interruptions: The maximum number of interruptions in one schedule.
  init(limit: Int, interruptions: Int) {
    self.limit = limit
    levels = Array(repeating: Level(), count: interruptions + 1)
  }

  /// What has run.
  var coverage: ScheduleCoverage {
    let all = isUnsteady || count == 0 ? 0 : levels.prefix { $0.waiting == 0 && !$0.isCut }.count
    return ScheduleCoverage(
      count: count, isComplete: all == levels.count && !hasMoreInterruptions,
      interruptions: all > 0 ? all - 1 : nil,
      completeCount: levels.prefix(all).reduce(0) { $0 + $1.count })
  }

  /// Returns the next schedule; `nil` after the last one.
  mutating func next() -> Choices? {
    guard count < limit, voids.all < max(limit, 100) else { return nil }
    let run = count + voids.all
    if run == 0 { return Choices(Tape()) }
    let isRandom = isCut || isUnsteady
    current = nil
    if !isRandom || run % 3 == 0 {
      for level in levels.indices where current == nil { current = levels[level].next() }
      if let current { return Choices(current.tape) }
      guard isRandom else { return nil }
    }
    var random = SeededRandom(seed: UInt64(run))
    var interruptions = Tape()
    if longest.points > 0, voids.random < Self.mostVoids {
      for _ in 0..<Int.random(in: 0..<levels.count, using: &random) {
        let point = Int.random(in: 1...longest.points, using: &random)
        interruptions[.interruption(point)] = .random(in: 1...3, using: &random)
      }
    }
    guard run % 3 == 1 else { return Choices(interruptions, .random(random)) }
    let priorities = RandomPriorities(random, length: longest.places, changeCount: 1 + run / 3 % 3)
    return Choices(interruptions, .priorities(priorities))
  }

  /// Whether no schedule with fewer unusual choices than the current one is left.
  var isShortest: Bool { count <= 1 || current != nil }

  /// Notes that the schedule that ``next()`` has returned cannot exist.
  mutating func skip() {
    voids.all += 1
    if current == nil { voids.random += 1 }
  }

  /// Records the run of the schedule that ``next()`` has returned.
  mutating func record(_ choices: Choices) {
    count += 1
    let points = choices.taken.count { $0.isInterruption }
    longest.points = max(longest.points, points)
    longest.places = max(longest.places, choices.taken.count - points)
    if let current, !current.isFollowed(by: choices.taken) { isUnsteady = true }
    guard isShortest else { return }
    levels[current?.interruptions ?? 0].count += 1
    addBranches(of: choices.taken)
    if let level = levels.first(where: { $0.waiting > 0 || $0.isCut }) {
      isCut = isCut || level.isCut || level.waiting > limit - count
    }
  }

  private mutating func addBranches(of taken: [Choice]) {
    for choice in taken.indices.dropFirst(current.map { $0.choice + 1 } ?? 0) {
      let isInterruption = taken[choice].isInterruption
      let level = (current?.interruptions ?? 0) + (isInterruption ? 1 : 0)
      guard level < levels.count else {
        hasMoreInterruptions = true
        continue
      }
      for place in 1..<taken[choice].count {
        // Branches that cannot run any more need no memory.
        guard levels[level].waiting <= limit - count else {
          levels[level].isCut = true
          break
        }
        levels[level].add(
          Branch(
            choices: taken, choice: choice, place: place, interruptions: level,
            unusual: (current?.unusual ?? 0) + (isInterruption ? 0 : 1)))
      }
    }
  }
}
