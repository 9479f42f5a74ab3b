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
  var search = ScheduleSearch(limit: limit)
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
  return (schedules, search.isComplete)
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
      var priorities = RandomPriorities(seed: seed, length: 1, changeCount: changeCount)
      return (0..<5).map { _ in priorities.next(below: 3) { UInt64($0 + 1) } }
    }
    #expect(Set(places(changeCount: 0)).count == 1)
    let changed = places(changeCount: 1)
    #expect(changed[0] != changed[1])
    #expect(Set(changed.dropFirst()).count == 1)
  }

  @Test func `finds a step that has to come after many steps of another task`() {
    // Two tasks: the fault is in the order in which the second runs once, after 16 steps of the first.
    let (some, _) = schedules(atMost: 10_000) { $0.count < 60 ? 3 : 1 }
    let places = some.map { $0.prefix(17) }
    #expect(places.contains { $0.dropLast().allSatisfy { $0 == 0 } && $0.last == 1 })
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
    ("", []), ("0.2.1", [0, 2, 1]), ("1", [1]), ("0.0.0.1", [0, 0, 0, 1]),
    ("0*4.1", [0, 0, 0, 0, 1]), ("12.0*5.3", [12, 0, 0, 0, 0, 0, 3]),
  ])
  func `is read as it is written`(text: String, tape: [Int]) {
    #expect(ScheduleText.tape(of: text) == tape)
    #expect(ScheduleText.text(of: tape) == text)
  }

  @Test(arguments: [
    ".", "1.", ".1", "a", "-1", "+1", "1.-2", "1*", "*1", "1*2*3", "1 2", "99999999999999999999",
    "0*1000000", "100000", "0*999999.0*999999", "٣",
  ])
  func `is refused if it is none`(text: String) {
    #expect(ScheduleText.tape(of: text) == nil)
  }

  @Test func `of the usual order is empty`() {
    #expect(ScheduleText.tape(of: "0.0")?.trimmed == [])
    #expect(ScheduleText.text(of: []) == "")
  }
}
