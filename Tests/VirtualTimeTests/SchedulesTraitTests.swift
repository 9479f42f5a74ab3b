import Dispatch
import Foundation
import Testing

@testable import VirtualTime
@testable import VirtualTimeTesting

/// Runs a body as a test with a trait, and returns the comments of its issues, or its error.
///
/// - Parameter variables: The environment.
private func issues(
  _ trait: SchedulesTrait, in variables: [String: String] = [:],
  _ body: @escaping @Sendable () async throws -> Void
) async throws -> [String] {
  let test = try #require(Test.current)
  let texts = Collector<String>()
  var trait = trait
  trait.variable = { variables[$0] }
  let collecting = IssueHandlingTrait.compactMapIssues { issue in
    texts.add(issue.comments.map(\.rawValue).joined(separator: "\n"))
    return nil
  }
  do {
    try await collecting.provideScope(for: test, testCase: Test.Case.current) { [trait] in
      try await trait.provideScope(for: test, testCase: Test.Case.current) { try await body() }
    }
  } catch {
    texts.add("\(error)")
  }
  return texts.values
}

/// Three tasks, of which each can come first.
private func order() async -> [Int] {
  let order = Collector<Int>()
  for number in 0..<3 { Task(name: "task of \(number)") { order.add(number) } }
  await ManualClock().settle()
  return order.values
}

@Suite(.timeLimit(.minutes(5))) struct `Traits of tests` {
  #if os(Linux)
    @Test func `a test that does not even end when it is cancelled ends the process`() async {
      let result = await #expect(
        processExitsWith: .exitCode(EXIT_FAILURE), observing: [\.standardErrorContent]
      ) {
        do {
          try await withVirtualTime { _ in
            await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
          }
        } catch {
          SchedulesTrait.checkEnd(of: "waits()", at: #_sourceLocation, error)
        }
      }
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.contains("waits() at SchedulesTraitTests.swift:"), "\(text)")
    }
  #endif

  @Test func `one runs a test in the usual order, once`() async throws {
    let orders = Collector<[Int]>()
    #expect(try await issues(.virtualTime) { orders.add(await order()) } == [])
    #expect(orders.values == [[0, 1, 2]])
  }

  @Test func `one runs a test under every order`() async throws {
    let orders = Collector<[Int]>()
    #expect(try await issues(.schedules(atMost: 100)) { orders.add(await order()) } == [])
    #expect(Set(orders.values).count == 6)
    #expect(orders.values.count < 100)
  }

  @Test func `one reports the known issues of the first order`() async throws {
    let orders = Collector<[Int]>()
    let found = try await issues(.schedules(atMost: 100)) {
      let order = await order()
      orders.add(order)
      withKnownIssue("known") { Issue.record("in \(order)") }
    }
    #expect(found.count == 1 && found.first?.contains("in [0, 1, 2]") == true, "\(found)")
    #expect(Set(orders.values).count == 6)
  }

  @Test func `one runs a test under as many orders as its limit`() async throws {
    let orders = Collector<[Int]>()
    #expect(try await issues(.schedules(atMost: 4)) { orders.add(await order()) } == [])
    #expect(orders.values.count == 4)
  }

  @Test func `one runs a test under one schedule`() async throws {
    let orders = Collector<[Int]>()
    #expect(try await issues(.schedule("2.1")) { orders.add(await order()) } == [])
    #expect(orders.values == [[2, 1, 0]])
  }

  @Test func `one with a limit below one runs a test once`() async throws {
    for limit in [0, -5] {
      let orders = Collector<[Int]>()
      #expect(try await issues(.schedules(atMost: limit)) { orders.add(await order()) } == [])
      #expect(orders.values == [[0, 1, 2]])
    }
  }

  #if compiler(>=6.3)
    @Test func `a cancelled test is no failure`() async throws {
      let runs = Collector<Int>()
      let found = try await issues(.schedules(atMost: 10)) {
        runs.add(1)
        try Test.cancel("not here")
      }
      #expect(runs.values == [1])
      #expect(found.count == 1)
      #expect(found.first?.hasPrefix("SkipInfo") == true)
      #expect(found.first?.contains("schedule") == false)
    }
  #endif

  @Test func `one lets a test wait for other threads, under one schedule`() async throws {
    let runs = Collector<Int>()
    let found = try await issues(.virtualTime(waitsForOutside: true)) {
      await withCheckedContinuation { continuation in
        DispatchQueue.global().async { continuation.resume() }
      }
      runs.add(1)
    }
    #expect(found == [])
    #expect(runs.values == [1])
  }

  @Test func `a failed expectation says in which order, and how to run it again`() async throws {
    let test = try #require(Test.current)
    let line = test.sourceLocation.line
    let found = try await issues(.schedules(atMost: 100)) { #expect(await order().last != 0) }
    #expect(found.count == 1)
    let lines = found.first?.split(separator: "\n").map(String.init) ?? []
    #expect(
      lines.first?.hasPrefix("This test fails if its tasks run in an unusual order, in ") == true)
    #expect(lines.dropFirst().first?.contains("ran before task 1 \"task of 0\"") == true)
    #expect(lines.last?.hasPrefix("It was schedule ") == true)
    #expect(
      lines.last?.hasSuffix(" swift test --filter 'SchedulesTraitTests.swift:\(line):'") == true)
    // The command contains the schedule of the failure.
    let schedule = lines.last?.split(separator: "VIRTUAL_TIME_SCHEDULE='").last?
      .split(separator: "'").first
    let orders = Collector<[Int]>()
    let again = try await issues(.schedule(String(try #require(schedule)))) {
      orders.add(await order())
    }
    #expect(again == [])
    #expect(orders.values.first?.last == 0)
  }

  @Test func `an error of a test comes with the order`() async throws {
    let found = try await issues(.schedules(atMost: 100)) {
      if await order().last == 0 { throw Wrong("late") }
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("late\nThis test fails if its tasks run") == true)
  }

  @Test func `a failure comes with the order even if the test has a known issue`() async throws {
    let found = try await issues(.schedules(atMost: 100)) {
      withKnownIssue { Issue.record("known") }
      if await order().last == 0 { throw Wrong("late") }
    }
    #expect(found.first == "known")
    #expect(found.last?.hasPrefix("late\nThis test fails if its tasks run") == true)
  }

  @Test func `a test that is stuck in one order says in which`() async throws {
    let found = try await issues(.schedules(atMost: 100)) {
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      if await order().last == 0 { for await _ in stream {} }
      continuation.finish()
    }
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("virtual time: the test is stuck") == true)
    #expect(found.first?.contains("ran before task") == true)
  }

  @Test func `a test that spins ends with an error, and others go on`() async throws {
    let found = try await issues(.virtualTime) {
      Task(name: "spinner") { while true { await Task.yield() } }
      await ManualClock().settle()
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("1000000 steps ran, and task 1 \"spinner\" never waited") == true)
  }

  @Test func `a test that leaves virtual time is an error in each order`() async throws {
    let found = try await issues(.schedules(atMost: 10)) {
      await withCheckedContinuation { continuation in
        let waits = DispatchSemaphore(value: 0)
        DispatchQueue(label: "outside").async {
          waits.wait()
          continuation.resume()
        }
        Task { waits.signal() }
      }
    }
    #expect(found.count == 1)
    #expect(found.first?.contains("was resumed from outside of virtual time") == true)
    #expect(found.first?.contains("VIRTUAL_TIME_SCHEDULE='' swift test") == true)
  }

  @Test func `one can require that all schedules run`() async throws {
    let body: @Sendable () async -> Void = { _ = await order() }
    #expect(try await issues(.schedules(atMost: 100, complete: true), body) == [])
    #expect(try await issues(.schedules(atMost: 10, interruptions: 0, complete: true), body) == [])
    let found = try await issues(.schedules(atMost: 10, complete: true), body)
    #expect(found.count == 1)
    #expect(
      found.first?.contains(
        "these have run: 10 schedules of more; all 6 without interruptions. Raise the limit")
        == true,
      "\(found)")
  }

  @Test func `a test has to reach what it says, unless only the environment has more schedules`()
    async throws
  {
    let body: @Sendable () async -> Void = { sometimes(await order().first == 7, "the seventh") }
    let found = try await issues(.schedules(atMost: 100), body)
    #expect(
      found == [
        """
        virtual time: no schedule has reached this: the seventh
        This is about all 32 schedules with up to 1 interruption.
        """
      ])
    #expect(try await issues(.virtualTime, in: ["VIRTUAL_TIME_SCHEDULES": "50"], body) == [])
  }

  // MARK: The environment

  @Test func `the environment has tests run under more orders`() async throws {
    let variables = ["VIRTUAL_TIME_SCHEDULES": "4"]
    let orders = Collector<[Int]>()
    #expect(try await issues(.virtualTime, in: variables) { orders.add(await order()) } == [])
    #expect(orders.values.count == 4)
    // The limit of the test is higher.
    let all = SchedulesTrait.schedules(atMost: 100)
    #expect(try await issues(all, in: variables) { orders.add(await order()) } == [])
    #expect(Set(orders.values).count == 6)
    // These run under one order.
    for trait in [SchedulesTrait.schedule("1"), .virtualTime(waitsForOutside: true)] {
      let runs = Collector<Int>()
      _ = try await issues(trait, in: variables) { _ = await (order(), runs.add(1)) }
      #expect(runs.values == [1])
    }
    for text in ["0", "-1", "many", ""] {
      let runs = Collector<Int>()
      let found = try await issues(.virtualTime, in: ["VIRTUAL_TIME_SCHEDULES": text]) {
        runs.add(1)
      }
      #expect(found == [])
      #expect(runs.values == [1])
    }
  }

  @Test func `the environment has tests run under one schedule`() async throws {
    let variables = ["VIRTUAL_TIME_SCHEDULE": "2.1", "VIRTUAL_TIME_SCHEDULES": "50"]
    for trait in [SchedulesTrait.virtualTime, .schedules(atMost: 100), .schedule("1")] {
      let orders = Collector<[Int]>()
      #expect(try await issues(trait, in: variables) { orders.add(await order()) } == [])
      #expect(orders.values == [[2, 1, 0]])
    }
    #expect(
      try await issues(.virtualTime, in: ["VIRTUAL_TIME_SCHEDULE": "x"]) {}
        == ["virtual time: \"x\" is no schedule, such as \"0.2.1\""])
  }

  @Test func `the environment names a file for what has run`() async throws {
    let path = FileManager.default.temporaryDirectory.path + "/virtual-time-\(UUID()).log"
    let variables = ["VIRTUAL_TIME_LOG": path]
    _ = try await issues(.schedules(atMost: 100), in: variables) { _ = await order() }
    _ = try await issues(.schedules(atMost: 100), in: variables) { throw Wrong("wrong") }
    _ = try await issues(.schedules(atMost: 2), in: variables) { _ = await order() }
    _ = try await issues(.virtualTime, in: variables) { _ = await order() }
    let text = try String(contentsOfFile: path, encoding: .utf8)
    try FileManager.default.removeItem(atPath: path)
    let lines = text.split(separator: "\n").map { $0.split(separator: ": ").last ?? "" }
    try #require(lines.count == 3)
    #expect(lines[0] == "all 32 schedules with up to 1 interruption")
    #expect(lines[1] == "failed by schedule 1" && lines[2] == "2 schedules of more")
  }
}

private let ordersOfSuites = Collector<[Int]>()

/// The trait of a test is that which counts.
@Suite(.virtualTime, .serialized, .timeLimit(.minutes(5)))
struct `Traits of tests and of their suites` {
  @Test(.schedules(atMost: 100)) func `a test may have more orders than its suite`() async {
    ordersOfSuites.add(await order())
  }

  @Suite(.schedules(atMost: 3)) struct `in suites` {
    @Test(.virtualTime, .schedule("2.1")) func `the last trait counts`() async {
      #expect(await order() == [2, 1, 0])
      #expect(Set(ordersOfSuites.values).count == 6)
    }
  }
}
