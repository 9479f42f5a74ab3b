import Foundation
import Synchronization
import Testing

@testable import VirtualTime

/// What a new task, or one that is resumed, does before the job that made it ready continues.
struct InterruptedProgram: Sendable, CustomTestStringConvertible {
  let name: String
  /// The orders on real threads.
  let orders: Set<String>
  let run: @Sendable (Collector<String>, ManualClock) async -> Void

  var testDescription: String { name }

  init(
    _ name: String, _ orders: Set<String>,
    _ run: @escaping @Sendable (Collector<String>, ManualClock) async -> Void
  ) {
    (self.name, self.orders, self.run) = (name, orders, run)
  }

  static let all = [
    InterruptedProgram("new task", ["ab", "ba"]) { steps, _ in
      let task = Task { steps.add("a") }
      steps.add("b")
      await task.value
    },
    InterruptedProgram("two new tasks", ["abc", "acb", "bac", "bca", "cab", "cba"]) { steps, _ in
      let tasks = ["a", "b"].map { name in Task { steps.add(name) } }
      steps.add("c")
      for task in tasks { await task.value }
    },
    InterruptedProgram("tasks on the main actor", ["ab", "ba"]) { steps, _ in
      let first = Task { await MainActor.run { steps.add("a") } }
      let second = Task { @MainActor in steps.add("b") }
      await first.value
      await second.value
    },
    InterruptedProgram("tasks from the main actor", ["ab", "ba"]) { @MainActor steps, _ in
      let first = Task.detached { await MainActor.run { steps.add("a") } }
      let second = Task { @MainActor in steps.add("b") }
      await first.value
      await second.value
    },
    InterruptedProgram("newest value of a stream", ["2", "12"]) { steps, _ in
      let (values, continuation) = AsyncStream.makeStream(
        of: Int.self, bufferingPolicy: .bufferingNewest(1))
      let listener = Task { for await value in values { steps.add("\(value)") } }
      await Task.yield()
      continuation.yield(1)
      continuation.yield(2)
      continuation.finish()
      await listener.value
    },
    InterruptedProgram("cancelled new task", ["not", "cancelled"]) { steps, _ in
      let task = Task { steps.add(Task.isCancelled ? "cancelled" : "not") }
      task.cancel()
      await task.value
    },
    InterruptedProgram("after cancellation", ["ab", "ba"]) { steps, _ in
      let task = Task {
        let (values, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in values {}
        steps.add("a")
      }
      await Task.yield()
      task.cancel()
      steps.add("b")
      await task.value
    },
    InterruptedProgram("resumed continuation", ["ab", "ba"]) { steps, clock in
      let waiting = Mutex<CheckedContinuation<Void, Never>?>(nil)
      let task = Task {
        await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } }
        steps.add("a")
      }
      await clock.settle()
      waiting.withLock { $0.take() }?.resume()
      steps.add("b")
      await task.value
    },
    InterruptedProgram("child task of a group", ["ab", "ba"]) { steps, _ in
      await withTaskGroup { group in
        group.addTask { steps.add("a") }
        steps.add("b")
      }
    },
    InterruptedProgram("async let", ["ab", "ba"]) { steps, _ in
      async let child: Void = steps.add("a")
      steps.add("b")
      await child
    },
    InterruptedProgram(
      "before it enters the main actor", ["abAB", "abBA", "baAB", "baBA", "aAbB", "bBaA"]
    ) { steps, _ in
      let tasks = ["a", "b"].map { name in
        Task {
          steps.add(name)
          await MainActor.run { steps.add(name.uppercased()) }
        }
      }
      for task in tasks { await task.value }
    },
    InterruptedProgram("immediate task", ["acb", "abc"]) { steps, _ in
      let task = Task.immediate {
        steps.add("a")
        await Task.yield()
        steps.add("b")
      }
      steps.add("c")
      await task.value
    },
    InterruptedProgram("clock that jumps", ["ab", "ba"]) { steps, clock in
      let task = Task {
        try? await clock.sleep(for: .seconds(1))
        steps.add("a")
      }
      await clock.settle()
      clock.jump(by: .seconds(1))
      steps.add("b")
      await task.value
    },
  ]
}

/// The values of an asynchronous sequence, as public libraries write it: everything under one lock.
private final class Channel: Sendable {
  private struct State {
    var value: Int?
    var waiting: CheckedContinuation<Int?, Never>?
  }

  private let state = Mutex(State())
  private let resumesUnderLock: Bool

  init(resumesUnderLock: Bool) { self.resumesUnderLock = resumesUnderLock }

  func send(_ value: Int) {
    let waiting = state.withLock { state -> CheckedContinuation<Int?, Never>? in
      guard let waiting = state.waiting.take() else {
        state.value = value
        return nil
      }
      if resumesUnderLock { waiting.resume(returning: value) }
      return resumesUnderLock ? nil : waiting
    }
    waiting?.resume(returning: value)
  }

  func next() async -> Int? {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let value: Int?? = state.withLock { state in
          if let value = state.value.take() { return value }
          if Task.isCancelled { return .some(nil) }
          state.waiting = continuation
          return nil
        }
        if let value { continuation.resume(returning: value) }
      }
    } onCancel: {
      state.withLock { $0.waiting.take() }?.resume(returning: nil)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Interruptions` {
  @Test(arguments: InterruptedProgram.all)
  func `show every order that real threads have`(program: InterruptedProgram) async throws {
    let (orders, _) = try await results(interruptions: 1) { clock in
      let steps = Collector<String>()
      await program.run(steps, clock)
      return steps.values.joined()
    }
    #expect(orders == program.orders)
  }

  @Test func `are as many as may be`() async throws {
    let body: @Sendable (ManualClock) async -> String = { _ in
      let steps = Collector<String>()
      let tasks = (1...2).map { number in
        let task = Task { steps.add("\(number)") }
        steps.add("-")
        return task
      }
      for task in tasks { await task.value }
      return steps.values.joined()
    }
    let none = try await results(interruptions: 0, body).values
    let one = try await results(interruptions: 1, body).values
    let two = try await results(interruptions: 2, body)
    #expect(none == ["--12", "--21"])
    #expect(one == ["--12", "--21", "1--2", "-12-", "-21-", "-1-2", "-2-1"])
    #expect(two.values == one.union(["1-2-"]))
    #expect(two.coverage.isComplete)
  }

  @Test func `are told, and happen again`() async throws {
    let body: Pattern.Body = { _ in
      let steps = Collector<Int>()
      let task = Task(name: "first") { steps.add(1) }
      steps.add(2)
      await task.value
      try check(steps.values, is: [2, 1])
    }
    let failure = try #require(
      await #expect(throws: ScheduleFailure.self) {
        try await exploreSchedules(atMost: 100, body)
      })
    #expect(
      failure.description == """
        [1, 2]
        This test fails in the usual order of its tasks, with 1 interruption:
          the test was interrupted, and task 1 "first" went on
        It was schedule 2. To run it again: withVirtualTime(schedule: "!1")
        """)
    for _ in 1...100 {
      await #expect(throws: Wrong([1, 2])) { try await withVirtualTime(schedule: "!1", body) }
    }
    let late = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "!9", body)
    }
    #expect(
      late?.description.contains("it has an interruption 9, but the test only 1.")
        == true, "\(late as Any)")
    let other = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "!1:2", body)
    }
    #expect(
      other?.description.contains("interruption 1 is job 3, but only 2 jobs were ready") == true)
  }

  @Test func `of a failure in a large test are removed if it fails without them`() async throws {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 10_000, interruptions: 3) { clock in
        let steps = Collector<Int>()
        for number in 0..<9 { Task { steps.add(number) } }
        await clock.settle()
        if steps.values.prefix(3) == [8, 7, 6] { throw Wrong(steps.values) }
      }
    }
    #expect(failure?.schedule.contains("!") == false)
  }

  /// The thread that ran the test waits here while another one runs the last jobs.
  @Test func `leave nothing behind that runs after the test has returned`() async throws {
    let steps = Collector<Int>()
    try await withVirtualTime(schedule: "!1!2:2") { _ in
      Task {
        Task {}
        for _ in 1...100_000 { await Task.yield() }
        steps.add(2)
      }
      steps.add(1)
    }
    #expect(steps.values == [1, 2])
  }

  // MARK: Locks

  @Test func `at which others wait for a lock are not schedules`() async throws {
    let starts = Mutex(0)
    let (orders, coverage) = try await results(interruptions: 1) { _ in
      let steps = Mutex("")
      starts.withLock { $0 += 1 }
      let task = steps.withLock { steps in
        let task = Task { @Sendable in add("a") }
        steps += "b"
        return task
      }
      @Sendable func add(_ step: String) { steps.withLock { $0 += step } }
      await task.value
      return steps.withLock(\.self)
    }
    #expect(orders == ["ba"])
    #expect(coverage.count < starts.withLock(\.self))
  }

  @Test func `while a lock is held on the main actor are not schedules`() async throws {
    let lock = NSLock()
    let (orders, _) = try await results(interruptions: 2) { @MainActor _ in
      let steps = Collector<String>()
      let tasks = lock.withLock {
        let tasks = ["a", "b"].map { name in
          Task.detached {
            lock.withLock { steps.add(name) }
            await MainActor.run { steps.add(name.uppercased()) }
          }
        }
        steps.add("-")
        return tasks
      }
      for task in tasks { await task.value }
      return steps.values.joined()
    }
    #expect(orders == ["-abAB", "-abBA", "-baAB", "-baBA", "-aAbB", "-bBaA"])
  }

  @Test func `of a schedule that is none are an error`() async {
    let error = await #expect(throws: VirtualTimeError.self) {
      try await withVirtualTime(schedule: "!1") { _ in
        let lock = NSLock()
        let task = lock.withLock { Task { lock.withLock {} } }
        await task.value
      }
    }
    #expect(error?.code == .schedule)
    #expect(
      error?.description.contains("a job waits for a lock that an interrupted one holds") == true)
  }

  @Test func `a continuation that is resumed under the lock of its handler is an error`()
    async throws
  {
    func explore(resumesUnderLock: Bool) async throws {
      try await exploreSchedules(atMost: 1000) { clock in
        let channel = Channel(resumesUnderLock: resumesUnderLock)
        let listener = Task(name: "listener") { await channel.next() }
        Task { channel.send(1) }
        Task { listener.cancel() }
        _ = await listener.value
      }
    }
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await explore(resumesUnderLock: true)
    }
    let error = failure?.error as? VirtualTimeError
    #expect(error?.code == .circle)
    #expect(
      error?.description.hasPrefix(
        "virtual time: task 1 \"listener\" is resumed by code that holds a lock, and at the same time cancelled;"
      )
        == true, "\(failure as Any)")
    try await explore(resumesUnderLock: false)
  }
}
