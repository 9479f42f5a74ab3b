/// Chooses the schedules of an exploration, one after another.
///
/// The first schedule is the usual order. Each run shows where there was a choice, and each other choice there is a
/// branch that has to be run as well. Branches run in the order of their number of unusual choices, so the first one
/// that fails has the fewest. Every schedule is the end of exactly one branch: once no branch is left, all have run,
/// and as soon as there are more branches than runs left, it is known that not all can. The remaining runs are then
/// shared between the next branches, random priorities and random orders.
struct ScheduleSearch {
  /// A schedule that follows another one up to a choice, and takes another place there.
  private struct Branch {
    let choices: [Choice]
    let choice: Int
    let place: Int

    var tape: [Int] { choices.prefix(choice).map(\.place) + [place] }

    /// Whether a run had the same choices up to that of the branch.
    func isFollowed(by taken: [Choice]) -> Bool {
      taken.count > choice && taken[choice].count == choices[choice].count
        && taken[..<choice] == choices[..<choice]
    }
  }

  private let limit: Int
  private var branches: [Branch] = []
  private var nextBranch = 0
  /// The branch that runs; `nil` if the current schedule is the usual order, or none of the branches.
  private var current: Branch?
  /// Whether there are more schedules than runs, or the test makes other choices at each run.
  private var isIncomplete = false
  private var longest = 0
  /// The number of schedules that have run.
  private(set) var count = 0

  init(limit: Int) { self.limit = limit }

  /// Whether every schedule has run.
  var isComplete: Bool { count > 0 && !isIncomplete && nextBranch == branches.count }

  /// Returns the next schedule; `nil` after the last one.
  mutating func next() -> Choices? {
    guard count < limit, !isComplete else { return nil }
    if count == 0 { return Choices(.tape([])) }
    let kind = isIncomplete ? count % 3 : 0
    if kind == 0, nextBranch < branches.count {
      let branch = branches[nextBranch]
      nextBranch += 1
      current = branch
      return Choices(.tape(branch.tape))
    }
    current = nil
    let seed = UInt64(count)
    guard kind == 1 else { return Choices(.random(SeededRandom(seed: seed))) }
    return Choices(
      .priorities(RandomPriorities(seed: seed, length: longest, changeCount: 1 + count / 3 % 3)))
  }

  /// Whether no schedule with fewer unusual choices than the current one is left.
  var isShortest: Bool { count <= 1 || current != nil }

  /// Records the run of the schedule that ``next()`` has returned.
  mutating func record(_ choices: Choices) {
    count += 1
    longest = max(longest, choices.taken.count)
    if let current, !current.isFollowed(by: choices.taken) { isIncomplete = true }
    guard isShortest else { return }
    // Branches that cannot run any more need no memory.
    guard branches.count < limit else {
      isIncomplete = true
      return
    }
    for choice in choices.taken.indices.dropFirst(current.map { $0.choice + 1 } ?? 0) {
      for place in 1..<choices.taken[choice].count {
        branches.append(Branch(choices: choices.taken, choice: choice, place: place))
      }
    }
    if branches.count - nextBranch > limit - count { isIncomplete = true }
  }
}
