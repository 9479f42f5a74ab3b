import Testing

@testable import VirtualTime

/// Runs all schedules of a made-up test.
///
/// - Parameters:
///   - limit: The number of schedules that may run.
///   - counts: Returns how many jobs are ready at the next choice after some places; less than two at the end.
/// - Returns: The places of each schedule, and whether these are all.
private func schedules(
  atMost limit: Int, _ counts: ([Int]) -> Int
) -> (schedules: [[Int]], isComplete: Bool) {
  var search = ScheduleSearch(limit: limit, interruptions: 0)
  var schedules: [[Int]] = []
  while var choices = search.next() {
    var places: [Int] = []
    while case let count = counts(places), count > 1 {
      places.append(choices.next(below: count) { UInt64($0 + 1) })
    }
    choices.end()
    search.record(choices)
    schedules.append(places)
  }
  #expect(search.count == schedules.count)
  return (schedules, search.coverage.isComplete)
}

@Suite struct `Search of schedules` {
  @Test func `runs each schedule once, those with few unusual choices first`() {
    let (all, isComplete) = schedules(atMost: 100) { $0.count < 3 ? 3 : 1 }
    #expect(isComplete)
    #expect(all.count == 27)
    #expect(Set(all).count == 27)
    #expect(all.first == [0, 0, 0])
    let unusual = all.map { $0.count { $0 != 0 } }
    #expect(unusual == unusual.sorted())
  }

  @Test func `follows a test whose choices depend on each other`() {
    // The second job leads to two more choices, the first one to none.
    let (all, isComplete) = schedules(atMost: 100) { places in
      switch places.count {
      case 0: 2
      case 1, 2: places[0] == 1 ? 2 : 1
      default: 1
      }
    }
    #expect(isComplete)
    #expect(Set(all) == [[0], [1, 0, 0], [1, 0, 1], [1, 1, 0], [1, 1, 1]])
    #expect(all.count == 5)
  }

  @Test func `is complete exactly at the limit`() {
    #expect(schedules(atMost: 8) { $0.count < 3 ? 2 : 1 }.isComplete)
    let (fewer, isComplete) = schedules(atMost: 7) { $0.count < 3 ? 2 : 1 }
    #expect(fewer.count == 7)
    #expect(!isComplete)
    #expect(schedules(atMost: 1) { _ in 1 } == ([[]], true))
    #expect(schedules(atMost: 0) { _ in 1 } == ([], false))
    #expect(schedules(atMost: -1) { _ in 1 } == ([], false))
  }

  @Test func `runs orders of three kinds if there are too many, the same ones each time`() {
    let (some, isComplete) = schedules(atMost: 900) { $0.count < 40 ? 2 : 1 }
    #expect(!isComplete)
    #expect(some.count == 900)
    let unusual = some.map { $0.count(of: 1) }
    // The branches, long runs of one task, and random orders.
    #expect(unusual.count { $0 == 1 } >= 40)
    #expect(unusual.count { (2...4).contains($0) } > 200)
    #expect(unusual.count { (14...26).contains($0) } > 250)
    #expect(schedules(atMost: 900) { $0.count < 40 ? 2 : 1 }.schedules == some)
  }

  /// The second run follows the branch of one of the two choices, and the third that of the other.
  @Test(arguments: [2, 3])
  func `is not complete if an earlier choice than that of a branch is another one`(other: Int) {
    var run = 0
    let (_, isComplete) = schedules(atMost: 100) { places in
      if places.isEmpty { run += 1 }
      return places.count > 1 ? 1 : places.isEmpty && run == other ? 3 : 2
    }
    #expect(!isComplete)
  }

  @Test func `is never complete if the test makes other choices at each run`() {
    var run = 0
    let (_, isComplete) = schedules(atMost: 100) { places in
      if places.isEmpty { run += 1 }
      return places.count < 2 ? 2 + run % 2 : 1
    }
    #expect(!isComplete)
  }

  @Test(arguments: 1...20)
  func `a change of priorities gives the task that ran the lowest of all`(seed: UInt64) {
    func places(changeCount: Int) -> [Int] {
      var priorities = RandomPriorities(
        SeededRandom(seed: seed), length: 1, changeCount: changeCount)
      return (0..<5).map { _ in priorities.next(below: 3) { UInt64($0 + 1) } }
    }
    #expect(Set(places(changeCount: 0)).count == 1)
    let changed = places(changeCount: 1)
    #expect(changed[0] != changed[1])
    #expect(Set(changed.dropFirst()).count == 1)
  }

  @Test(arguments: 1...20)
  func `of two tasks with the lowest priorities, the one that had it first runs first`(seed: UInt64)
  {
    // Each of the first two choices is drawn by one of fifty changes.
    var priorities = RandomPriorities(SeededRandom(seed: seed), length: 2, changeCount: 50)
    let lowered = (0..<2).map { _ in UInt64(priorities.next(below: 3) { UInt64($0 + 1) } + 1) }
    #expect(priorities.next(below: 2) { lowered[1 - $0] } == 1)
  }

  @Test func `any task can have the highest priority, and none waits for more than 100 others`() {
    var first: Set<Int> = []
    for seed in 1...20 {
      var priorities = RandomPriorities(SeededRandom(seed: UInt64(seed)), length: 1, changeCount: 0)
      let places = (0..<300).map { _ in priorities.next(below: 3) { UInt64($0 + 1) } }
      first.insert(places[0])
      if places[0] != 0 { #expect(places.indices.filter { places[$0] == 0 } == [100, 201]) }
    }
    #expect(first == [0, 1, 2])
  }

  @Test func `finds a step that has to come after many steps of another task`() {
    // Two tasks: the fault is in the order in which the second runs once, after 16 steps of the first.
    let (some, _) = schedules(atMost: 10_000) { $0.count < 60 ? 3 : 1 }
    let places = some.map { $0.prefix(17) }
    #expect(places.contains { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 })
  }
}

/// Runs the schedules of a made-up test with choices of two kinds.
///
/// - Parameters:
///   - letters: `c` is a choice between two jobs, and `i` a point where a third one can run.
///   - skips: Whether a schedule is void.
private func texts(
  of letters: String, atMost limit: Int, interruptions: Int, skips: (Tape) -> Bool = { _ in false }
) -> (texts: [String], coverage: ScheduleCoverage) {
  var search = ScheduleSearch(limit: limit, interruptions: interruptions)
  var texts: [String] = []
  while var choices = search.next() {
    for letter in letters {
      _ = letter == "c" ? choices.next(below: 2) { _ in 0 } : choices.nextInterruption(below: 2)
    }
    if skips(choices.tape) {
      search.skip()
    } else {
      search.record(choices)
      texts.append(ScheduleText.text(of: choices.tape))
    }
  }
  return (texts, search.coverage)
}

@Suite struct `Search of interruptions` {
  @Test func `runs schedules with few interruptions first, then those with few unusual choices`() {
    let (all, coverage) = texts(of: "cici", atMost: 100, interruptions: 2)
    #expect(
      all == [
        "", "1", "0.1", "1.1", "!1", "!2", "1!1", "1!2", "0.1!2", "0.1!1", "1.1!2", "1.1!1",
        "!1!2", "1!1!2", "0.1!1!2", "1.1!1!2",
      ])
    #expect(coverage.description == "all 16 schedules")
  }

  @Test func `says up to which number of interruptions all schedules have run`() {
    func text(atMost limit: Int, _ interruptions: Int) -> String {
      texts(of: "cici", atMost: limit, interruptions: interruptions).coverage.description
    }
    #expect(text(atMost: 100, 0) == "all 4 schedules without interruptions")
    #expect(text(atMost: 100, 1) == "all 12 schedules with up to 1 interruption")
    #expect(text(atMost: 12, 1) == "all 12 schedules with up to 1 interruption")
    #expect(text(atMost: 11, 1) == "11 schedules of more; all 4 without interruptions")
    #expect(text(atMost: 15, 2) == "15 schedules of more; all 12 with up to 1 interruption")
    #expect(text(atMost: 3, 1) == "3 schedules of more")
    let points = String(repeating: "i", count: 30)
    #expect(
      texts(of: points, atMost: 10, interruptions: 1).coverage.description
        == "10 schedules of more; the only one without interruptions")
    #expect(
      texts(of: points, atMost: 10, interruptions: 0).coverage.description
        == "the only schedule without interruptions")
    let many = texts(of: String(repeating: "c", count: 11), atMost: 5000, interruptions: 1)
    #expect(many.coverage.description == "all 2,048 schedules")
    let more = texts(of: "ciii", atMost: 100, interruptions: 2).coverage
    #expect(more.description == "all 14 schedules with up to 2 interruptions")
    #expect(more.interruptions == 2 && !more.isComplete)
  }

  @Test func `random schedules have no more interruptions than may be`() {
    let (all, coverage) = texts(
      of: String(repeating: "ci", count: 30), atMost: 300, interruptions: 2)
    let counts = all.map { text in text.count { $0 == "!" } }
    #expect(coverage == .cut(300))
    #expect(Set(counts) == [0, 1, 2])
  }

  @Test func `a void schedule is not counted`() {
    let (all, coverage) = texts(of: "ii", atMost: 100, interruptions: 2) { tape in
      tape[.interruption(2)] != 0
    }
    #expect(all == ["", "!1"])
    #expect(coverage.description == "all 2 schedules")
  }

  @Test func `void schedules end the search as often as others`() {
    let (all, coverage) = texts(
      of: String(repeating: "c", count: 20) + "i", atMost: 400, interruptions: 1
    ) { tape in tape[.interruption(1)] != 0 }
    #expect(all.count == 400)
    #expect(coverage == .cut(400))
  }
}

extension [Int] {
  fileprivate func count(of value: Int) -> Int { count { $0 == value } }
}

private func == (
  left: (schedules: [[Int]], isComplete: Bool), right: ([[Int]], Bool)
) -> Bool {
  left.schedules == right.0 && left.isComplete == right.1
}

@Suite struct `Text of a schedule` {
  @Test(arguments: [
    ("", Tape()), ("0.2.1", Tape(places: [0, 2, 1])), ("1", Tape(places: [1])),
    ("0.0.0.1", Tape(places: [0, 0, 0, 1])), ("0*4.1", Tape(places: [0, 0, 0, 0, 1])),
    ("12.0*5.3", Tape(places: [12, 0, 0, 0, 0, 0, 3])), ("!7", Tape(interruptions: [7: 1])),
    ("0.2!7:2!12", Tape(places: [0, 2], interruptions: [7: 2, 12: 1])),
  ])
  func `is read as it is written`(text: String, tape: Tape) {
    #expect(ScheduleText.tape(of: text) == tape)
    #expect(ScheduleText.text(of: tape) == text)
  }

  @Test(arguments: ["0.2!7.1", "!7.0.2.1", "0.2.1.0.0!7:1"])
  func `may have interruptions anywhere, and usual choices at the end`(text: String) {
    #expect(ScheduleText.tape(of: text) == Tape(places: [0, 2, 1], interruptions: [7: 1]))
  }

  @Test(arguments: [
    ".", "1.", ".1", "a", "-1", "+1", "1.-2", "1*", "*1", "1*2*3", "1 2", "99999999999999999999",
    "0*1000000", "100000", "0*999999.0*999999", "٣", "!", "!0", "!1:", "!:1", "!1:0", "!1:2:3",
    "1.!2", "!1!1", "!10000000", "!1:100000", "!1*2", "0:1",
  ])
  func `is refused if it is none`(text: String) {
    #expect(ScheduleText.tape(of: text) == nil)
  }

  @Test func `of the usual order is empty`() {
    #expect(ScheduleText.tape(of: "0.0") == Tape())
    #expect(ScheduleText.text(of: Tape()) == "")
  }
}
