import Synchronization
import Testing

@testable import VirtualTime

@Suite(.timeLimit(.minutes(5))) struct `Exploration of schedules` {
  @Test func `runs every order of three tasks`() async throws {
    let orders = Mutex<Set<[Int]>>([])
    let coverage = try await exploreSchedules(atMost: 100) { clock in
      let order = Collector<Int>()
      for number in 0..<3 { Task { order.add(number) } }
      await clock.settle()
      orders.withLock { _ = $0.insert(order.values) }
    }
    #expect(coverage.description == "all 32 schedules with up to 1 interruption")
    #expect(orders.withLock(\.count) == 6)
  }

  @Test @MainActor func `keeps the order of the main actor`() async throws {
    let coverage = try await exploreSchedules(atMost: 100) { clock in
      let order = Collector<Int>()
      for number in 0..<3 { Task { @MainActor in order.add(number) } }
      await clock.settle()
      try check(order.values, is: [0, 1, 2])
    }
    #expect(coverage.description == "the only schedule")
  }

  @Test(arguments: [true, false])
  func `wakes those that sleep until one moment in every order`(isOnMain: Bool) async throws {
    let advances: [@Sendable (ManualClock) async -> Void] = [
      { clock in await clock.advance(by: .seconds(1)) },
      { clock in await clock.advanceUntilIdle() },
      { clock in await clock.whileAdvancing { try? await clock.sleep(for: .seconds(2)) } },
    ]
    for advance in advances {
      let orders = Mutex<Set<[Int]>>([])
      let coverage = try await exploreSchedules(atMost: 1000) { clock in
        let order = Collector<Int>()
        for number in 0..<2 {
          // `for` and `until` are different functions, and only one of them leaves the main actor.
          if isOnMain {
            Task { @MainActor in
              try? await clock.sleep(until: ManualClock.Instant(offset: .seconds(1)))
              order.add(number)
            }
          } else {
            Task {
              try? await clock.sleep(for: .seconds(1))
              order.add(number)
            }
          }
        }
        await advance(clock)
        orders.withLock { _ = $0.insert(order.values) }
      }
      #expect(coverage.interruptions == 1)
      #expect(orders.withLock(\.self) == [[0, 1], [1, 0]])
    }
  }

  @Test func `a task that yields until another one is done ends in every order`() async throws {
    let coverage = try await exploreSchedules(atMost: 600) { _ in
      let isDone = Mutex(false)
      Task {
        for _ in 1...5 { await Task.yield() }
        isDone.withLock { $0 = true }
      }
      while !isDone.withLock(\.self) { await Task.yield() }
    }
    #expect(coverage == .cut(600))
  }

  @Test func `says that there are more schedules than the limit`() async throws {
    let coverage = try await exploreSchedules(atMost: 10) { clock in
      for _ in 0..<5 { Task { await Task.yield() } }
      await clock.settle()
    }
    #expect(coverage == .cut(10))
    #expect(coverage.description == "10 schedules of more")
    #expect(try await exploreSchedules(atMost: 9) { _ in }.description == "the only schedule")
  }

  @Test func `a failure has the fewest unusual choices, and fails again`() async throws {
    let body: Pattern.Body = { clock in
      let order = Collector<Int>()
      for (number, name) in ["upload", "stop"].enumerated() {
        Task(name: name) {
          try? await clock.sleep(for: .seconds(1))
          order.add(number)
        }
        await clock.settle()
      }
      await clock.advance(by: .seconds(2))
      try check(order.values, is: [0, 1])
    }
    let failure = try #require(
      await #expect(throws: ScheduleFailure.self) {
        try await exploreSchedules(atMost: 100, body)
      })
    #expect(failure.error as? Wrong == Wrong([1, 0]))
    let lines = failure.description.split(separator: "\n")
    #expect(lines.count == 4)
    #expect(lines[0] == "[1, 0]")
    #expect(lines[1].contains("in 1 of "))
    #expect(lines[2].hasSuffix("at 1.0 seconds: task 2 \"stop\" ran before task 1 \"upload\""))
    #expect(lines.last?.hasSuffix("withVirtualTime(schedule: \"\(failure.schedule)\")") == true)
    for _ in 1...100 {
      await #expect(throws: Wrong([1, 0])) {
        try await withVirtualTime(schedule: failure.schedule, body)
      }
    }
  }

  @Test func `a failure of a random order is shrunk`() async throws {
    // Three unusual choices are needed, and there are too many orders with one or two.
    let failure = try #require(
      await #expect(throws: ScheduleFailure.self) {
        try await exploreSchedules(atMost: 10_000, interruptions: 0) { clock in
          let order = Collector<Int>()
          for number in 0..<9 {
            Task { order.add(number) }
          }
          await clock.settle()
          if order.values.prefix(3) == [8, 7, 6] { throw Wrong(order.values) }
        }
      })
    #expect(failure.count > 50)
    #expect(failure.story.contains("in 3 of "))
    // The error, the number of choices, each unusual one, and how to repeat it.
    #expect(failure.description.split(separator: "\n").count == 6)
  }

  @Test func `a shrunk failure takes the second job where any but the first fails`() async {
    let exploration = Exploration { choices, _ in
      var choices = choices
      let places = (0..<20).map { _ in choices.next(below: 4) { UInt64($0 + 1) } }
      let fails = places.count { $0 != 0 } >= 5
      return Run(result: fails ? .failure(Wrong(places)) : .success(()), choices: choices)
    }
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploration.run(atMost: 1000, interruptions: 0, on: WorldThread())
    }
    let tape = ScheduleText.tape(of: failure?.schedule ?? "")
    #expect(tape.map { tape in tape.unusual.map { tape[$0] } } == [1, 1, 1, 1, 1])
  }

  @Test func `a shrunk failure has only the choices that it needs, and its own error`() async {
    let exploration = Exploration { choices, _ in
      var choices = choices
      let places = (0..<20).map { _ in choices.next(below: 4) { UInt64($0 + 1) } }
      let fails = places[18] != 0 && places[19] == 3
      return Run(result: fails ? .failure(Wrong(places)) : .success(()), choices: choices)
    }
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploration.run(atMost: 100, interruptions: 0, on: WorldThread())
    }
    #expect(failure?.schedule == "0*18.1.3")
    #expect(failure?.error as? Wrong == Wrong(Array(repeating: 0, count: 18) + [1, 3]))
  }

  /// Each run that is stuck takes a second.
  @Test func `a deadlock is shrunk in few runs`() async {
    let runs = Mutex(0)
    let exploration = Exploration { choices, _ in
      var choices = choices
      let places = (0..<100).map { _ in choices.next(below: 4) { UInt64($0 + 1) } }
      let fails = places.count { $0 != 0 } >= 70
      if fails { runs.withLock { $0 += 1 } }
      let error = VirtualTimeError(.stuck, "stuck")
      return Run(result: fails ? .failure(error) : .success(()), choices: choices)
    }
    await #expect(throws: ScheduleFailure.self) {
      try await exploration.run(atMost: 1000, interruptions: 0, on: WorldThread())
    }
    // One finds it, ten look for a simpler one, and one tells the story.
    #expect(runs.withLock(\.self) <= 12)
  }

  @Test func `a failure in the usual order says so`() async {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 10) { _ in throw Failure.expected }
    }
    #expect(failure?.schedule == "")
    #expect(failure?.count == 1)
    #expect(
      failure?.description == """
        expected
        This test fails in the usual order of its tasks.
        It was schedule 1. To run it again: withVirtualTime(schedule: "")
        """)
  }

  @Test func `a failure that does not come again says so`() async {
    let runs = Mutex(0)
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 10) { _ in
        if runs.withLock({
          $0 += 1; return $0
        }) == 1 {
          throw Failure.expected
        }
      }
    }
    #expect(failure?.story.contains("It did not fail again") == true)
  }

  @Test func `a failed requirement is one line with its values`() async {
    func text(_ body: () throws -> Void) -> String {
      var text = ""
      withKnownIssue {
        do {
          try body()
        } catch {
          text = ErrorText.line(error)
        }
      }
      return text
    }
    let (results, missing) = (["a"], Int?.none)
    #expect(
      text { try #require(results == ["ab"]) }
        .hasPrefix("failed: results == [\"ab\"], where results is [\"a\"] (VirtualTimeTests/"))
    #expect(text { _ = try #require(missing) }.hasPrefix("failed: missing, where missing is nil ("))
    #expect(
      text { try #require(results.contains("b")) }
        .hasPrefix("failed: results.contains(\"b\"), where results is [\"a\"] ("))
    #expect(ErrorText.line(Wrong("two\nlines")) == "two lines")
    let long = Wrong(String(repeating: "x", count: 400))
    #expect(ErrorText.line(long).count == 301)
    #expect(ErrorText.line(Wrong(String(repeating: "x", count: 300))).count == 300)
    // What the test itself has thrown is never cut off.
    let outside = VirtualTimeError.outside("a task").explaining(Wrong("late"))
    #expect(ErrorText.line(outside).hasSuffix("The test's own error: late"))
    #expect(ErrorText.line(outside.explaining(long)).hasSuffix("xxx…"))
  }

  // MARK: What some schedule has to reach

  @Test func `what no schedule reaches is a failure that names it`() async throws {
    func explore(atMost limit: Int, isSecond: Bool) async throws {
      try await exploreSchedules(atMost: limit) { clock in
        let steps = Collector<Int>()
        for number in 1...2 { Task { steps.add(number) } }
        await clock.settle()
        sometimes(steps.values.first == (isSecond ? 2 : 3), "another one before task 1")
        sometimes(true)
      }
    }
    try await explore(atMost: 100, isSecond: true)
    for (limit, isSecond, coverage) in [
      (100, false, "all 7 schedules with up to 1 interruption"), (1, true, "1 schedule of more"),
    ] {
      let failure = await #expect(throws: ScheduleFailure.self) {
        try await explore(atMost: limit, isSecond: isSecond)
      }
      #expect((failure?.error as? VirtualTimeError)?.code == .unreached)
      #expect(
        failure?.description == """
          virtual time: no schedule has reached this: another one before task 1
          This is about \(coverage).
          """)
    }
    let unnamed = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 1) { _ in sometimes(false) }
    }
    #expect(
      unnamed?.description.contains("this: sometimes() in VirtualTimeTests/ExplorationTests.swift:")
        == true)
    // One schedule has to reach nothing.
    try await withVirtualTime { _ in sometimes(false, "never") }
    sometimes(false)
  }

  /// Otherwise, a schedule would not repeat what code does that iterates over a set.
  @Test func `equal sets have one order`() {
    #expect(Array(Set(1...100)) == Array(Set(1...100)))
  }

  @Test func `a task is named by its name, its function or its number`() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 100) { clock in
        let order = Collector<Int>()
        startUnnamed(1, order)
        startUnnamed(2, order)
        await clock.settle()
        try check(order.values, is: [1, 2])
      }
    }
    #expect(
      failure?.story.contains("task 2 (closure #1 in startUnnamed) ran before task 1") == true)
  }

  @Test func `a schedule of another test is an error that says so`() async {
    let longer = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "0.1") { _ in }
    }
    #expect(longer?.code == .schedule)
    #expect(longer?.description.contains("it has 2 choices, but the test only 0") == true)
    let other = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "7") { clock in
        for _ in 0..<2 { Task {} }
        await clock.settle()
      }
    }
    #expect(other?.description.contains("choice 1 is job 8, but only 2 jobs were ready") == true)
    let failed = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "0.1") { _ in throw Wrong("early") }
    }
    #expect(failed?.code == .schedule)
    #expect(failed?.description.hasSuffix("The test's own error: early") == true)
    let none = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "zero") { _ in }
    }
    #expect(none?.description == "virtual time: \"zero\" is no schedule, such as \"0.2.1\"")
  }
}

private func startUnnamed(_ number: Int, _ order: Collector<Int>) {
  Task {
    await Task.yield()
    order.add(number)
    await Task.yield()
  }
}
