import Dispatch
import Synchronization
import Testing

@testable import VirtualTime

@globalActor private actor Elsewhere {
  static let shared = Elsewhere()
}

private actor Sleeper {
  func sleep() async { try? await Task.sleep(for: .milliseconds(1)) }
}

private func error(
  _ body: @escaping Pattern.Body
) async -> VirtualTimeError? {
  await #expect(throws: VirtualTimeError.self) { try await withVirtualTime(body) }
}

private final class QueueExecutor: SerialExecutor {
  private let queue = DispatchQueue(label: "queue")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedSerialExecutor()) }
  }
}

private actor Queued {
  private let executor = QueueExecutor()
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
  func work() {}
}

/// Waits for ever, unless its task is cancelled.
private func waitForCancellation() async {
  let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
  for await _ in stream {}
  _ = continuation
}

/// Runs a body in a task that it can cancel.
private func cancellable<Value: Sendable>(
  _ body: @escaping @Sendable (_ cancel: @escaping @Sendable () -> Void) async throws -> Value
) async throws -> Value {
  let (tasks, continuation) = AsyncStream.makeStream(of: Task<Value, any Error>.self)
  let task = Task {
    let own = await tasks.first { _ in true }
    return try await body { own?.cancel() }
  }
  continuation.yield(task)
  return try await task.value
}

/// Resumes a task on a queue of Dispatch, once it waits: a task that is resumed earlier does not wait.
private func resumeOutside(_ continuation: CheckedContinuation<Void, Never>) {
  let waits = DispatchSemaphore(value: 0)
  DispatchQueue(label: "outside").async {
    waits.wait()
    continuation.resume()
  }
  // Virtual time has one thread, so this task runs when the other one waits.
  Task { waits.signal() }
}

@Suite(.timeLimit(.minutes(5))) struct `What leaves virtual time, or never ends` {
  // MARK: Leaving

  @Test func `a task that starts at once stays inside`() async throws {
    for _ in 1...100 {
      try await withVirtualTime { @concurrent clock in
        let world = World.current
        let places = Collector<Bool>()
        Task.immediate {
          places.add(World.current === world)
          await Task.yield()
          places.add(World.current === world)
          await MainActor.run { places.add(World.current === world) }
          places.add(World.current === world)
        }
        Task.immediateDetached {
          await Task.yield()
          places.add(World.current === world)
        }
        await clock.settle()
        #expect(places.values == [true, true, true, true, true])
      }
    }
  }

  @Test func `what Dispatch resumes is an error that names the task`() async {
    let error = await error { clock in
      await Task(name: "download") {
        await withCheckedContinuation(resumeOutside)
      }.value
    }
    #expect(error?.code == .outside)
    #expect(error?.description.contains("task 1 \"download\" was resumed from outside") == true)
  }

  @Test func `an actor with an executor of its own is an error`() async {
    let error = await error { _ in await Queued().work() }
    #expect(error?.code == .outside)
  }

  #if os(Linux) && compiler(>=6.3) && compiler(<6.4)
    @Test func `a sleep in real time is an error wherever it is`() async {
      let bodies: [Pattern.Body] = [
        { _ in try await Task.sleep(for: .milliseconds(1)) },
        { _ in try await Task.sleep(for: .zero) },
        { _ in await Sleeper().sleep() },
        { _ in _ = await Task.detached { try? await Task.sleep(for: .milliseconds(1)) }.value },
        { _ in await Task { @MainActor in try? await Task.sleep(for: .milliseconds(1)) }.value },
      ]
      for body in bodies {
        let error = await error(body)
        #expect(error?.code == .realSleep)
        #expect(error?.description.contains("in real time") == true)
        #expect(error?.description.contains("-") == false)
      }
    }
  #endif

  @Test func `an error of virtual time contains that of the test`() async {
    let error = await error { _ in
      await withCheckedContinuation(resumeOutside)
      throw Wrong("late")
    }
    #expect(error?.description.hasSuffix("The test's own error: late") == true)
  }

  // MARK: Standing still

  @Test func `a test that waits for ever is an error that says for what`() async {
    let error = await error { clock in
      let (stream, continuation) = AsyncStream.makeStream(of: Void.self)
      let task = Task(name: "listener") {
        await withTaskPriorityEscalationHandler {
          for await _ in stream {}
        } onPriorityEscalated: { _, _ in
          // For whom the test waits is found by priorities, which must not count.
          continuation.yield()
        }
      }
      await task.value
    }
    #expect(error?.code == .stuck)
    #expect(
      error?.description == """
        virtual time: the test is stuck: it has not ended, and nothing can happen any more. The test waits for task 1 \
        "listener". No task sleeps on a clock: a continuation, a stream or a task that never ends is waited for
        """)
    #expect(error?.leavesTest == false)
  }

  @Test func `a continuation that nobody resumes is an error`() async {
    let error = await error { _ in
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    #expect(error?.code == .stuck)
    #expect(error?.leavesTest == true)
  }

  @Test func `a clock that nobody advances is an error that names its next deadline`() async {
    let error = await error { clock in try await clock.sleep(for: .seconds(5)) }
    #expect(error?.code == .stuck)
    #expect(
      error?.description.contains(
        "One task sleeps until 5.0 seconds, but the ManualClock stands at 0.0 seconds. Advance it")
        == true)
    // That it was cancelled is no news.
    #expect(error?.description.contains("own error") == false)
  }

  @Test func `a group whose last task never ends is an error while the clock advances`() async {
    let error = await error { clock in
      await clock.whileAdvancing {
        await withTaskGroup { group in
          group.addTask { await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in } }
          group.addTask { try? await clock.sleep(for: .seconds(1)) }
          group.addTask { try? await clock.sleep(for: .seconds(Int64.max)) }
          await group.next()
        }
      }
    }
    #expect(error?.code == .stuck)
    #expect(error?.description.contains("No task sleeps on a clock, except for ever:") == true)
  }

  @Test func `tasks that wait for each other are an error, even if the test has ended`() async {
    let error = await error { clock in
      let tasks = Mutex<[Task<Void, Never>]>([])
      let first = Task(name: "first") {
        await Task.yield()
        await tasks.withLock(\.last)?.value
      }
      let second = Task(name: "second") {
        await Task.yield()
        await first.value
      }
      tasks.withLock { $0 = [first, second] }
      await clock.settle()
    }
    #expect(error?.code == .circle)
    #expect(
      error?.description
        == "virtual time: task 1 \"first\" and task 2 \"second\" wait for each other, and never end"
    )
  }

  @Test func `an error of virtual time comes before tasks that wait for each other`() async {
    let error = await error { clock in
      let tasks = Mutex<[Task<Void, Never>]>([])
      let first = Task {
        await Task.yield()
        await tasks.withLock(\.last)?.value
      }
      tasks.withLock { $0 = [Task { await first.value }] }
      await withCheckedContinuation(resumeOutside)
    }
    #expect(error?.code == .outside)
  }

  @Test func `tasks that wait for another one, or have ended, are no error`() async throws {
    try await withVirtualTime { clock in
      let listener = Task { await waitForCancellation() }
      let waiting = (0..<3).map { _ in Task { await listener.value } }
      let ended = Task {}
      Task {
        async let child: Void = waitForCancellation()
        await ended.value
        await child
      }
      await clock.settle()
      _ = (waiting, ended)
    }
  }

  @Test func `a handler of priorities may resume tasks while circles are looked for`() async throws
  {
    let raised = Collector<Int>()
    try await withVirtualTime { clock in
      let (stream, continuation) = AsyncStream.makeStream(of: Int.self)
      Task { for await number in stream { raised.add(number) } }
      Task {
        await withTaskPriorityEscalationHandler {
          await waitForCancellation()
        } onPriorityEscalated: { _, _ in
          continuation.yield(1)
        }
      }
      await clock.settle()
    }
    #expect(await raised.next(1) == [1])
  }

  @Test func `a task that never waits ends the test, and is named`() async {
    let error = await error { clock in
      Task(name: "spinner") { while true { await Task.yield() } }
      await clock.settle()
      throw Wrong("not settled")
    }
    #expect(error?.code == .endless)
    #expect(error?.leavesTest == false)
    #expect(
      error?.description == """
        virtual time: 1000000 steps ran, and task 1 "spinner" never waited. A task that calls Task.yield() in a loop \
        is always ready to run: let it wait for a clock, a stream or another task. The test's own error: not settled
        """)
  }

  @Test func `a test that never waits is left if it does not end when it is cancelled`() async {
    let endless = await error { _ in while true { await Task.yield() } }
    #expect(endless?.code == .endless)
    #expect(endless?.leavesTest == true)
    let other = await error { _ in while !Task.isCancelled { await Task.yield() } }
    #expect(other?.code == .endless)
    #expect(other?.leavesTest == false)
  }

  @Test(arguments: [false, true])
  func `a test that polls for ever ends, and its tasks are named`(isIdle: Bool) async {
    let error = await error { clock in
      // A million deadlines take a second.
      World.current?.state.withLock { $0.rests.advanceCount = 999_000 }
      let poller = Task(name: "poller") {
        for _ in 1...2000 { try? await clock.sleep(for: .seconds(1)) }
      }
      if isIdle {
        await clock.advanceUntilIdle()
      } else {
        await clock.whileAdvancing { await waitForCancellation() }
      }
      #expect(Task.isCancelled)
      // What the test does at its end may wait.
      _ = await Task { await clock.settle() }.value
      poller.cancel()
    }
    #expect(error?.code == .endless)
    #expect(error?.leavesTest == false)
    #expect(
      error?.description == """
        virtual time: the clock was advanced to 1000000 deadlines, and the test did not end. A task that always \
        sleeps again, such as a client that polls, needs advance(by:). Tasks that have not ended: task 1 "poller"
        """)
  }

  @Test func `a test that waits in a loop for what never comes ends`() async {
    let error = await error { clock in
      let waiting = Task(name: "listener") { await waitForCancellation() }
      World.current?.state.withLock { $0.rests.vainCount = 999_000 }
      // What happens in between begins the count again.
      for _ in 1...2 {
        for _ in 1...999 { await clock.settle() }
        Task { await Task.yield() }
        await clock.settle()
      }
      World.current?.state.withLock { $0.rests.vainCount = 999_000 }
      while await clock.advance(by: .seconds(1)) {}
      #expect(clock.elapsed > .seconds(400) && clock.elapsed < .seconds(600))
      await waiting.value
    }
    #expect(error?.code == .endless)
    #expect(error?.leavesTest == false)
    #expect(
      error?.description == """
        virtual time: settle() or advance(by:) was called 1000000 times in a row, and nothing happened. What is \
        waited for in a loop never comes. Tasks that have not ended: task 1 "listener"
        """)
  }

  @Test func `what moves a clock for ever ends with the test`() async {
    let error = await error { clock in
      Task(name: "ticker") { while !Task.isCancelled { await clock.advance(by: .seconds(1)) } }
      World.current?.state.withLock { $0.rests.vainCount = 999_000 }
    }
    #expect(error?.code == .endless)
    #expect(error?.description.hasSuffix("not ended: task 1 \"ticker\"") == true)
  }

  @Test func `a cancelled test that waits in a loop lets others run, and ends`() async throws {
    let done = Collector<Bool>()
    try await cancellable { cancel in
      try await withVirtualTime { clock in
        cancel()
        await waitForCancellation()
        Task { done.add(true) }
        while done.values.isEmpty { await clock.settle() }
      }
    }
    #expect(done.values == [true])
  }

  @Test func `a test in virtual time cannot begin another one`() async throws {
    try await withVirtualTime { _ in
      let error = await error { _ in }
      #expect(error?.code == .nested)
      let failure = await #expect(throws: ScheduleFailure.self) {
        try await exploreSchedules(atMost: 10) { _ in }
      }
      #expect((failure?.error as? VirtualTimeError)?.code == .nested)
    }
  }

  @Test func `a clock stands still once the test has returned`() async throws {
    let beats = Collector<Int>()
    try await withVirtualTime { clock in
      Task {
        await clock.whileAdvancing {
          for beat in 1...1000 {
            try? await clock.sleep(for: .seconds(1))
            beats.add(beat)
          }
        }
      }
      await clock.settle()
    }
    #expect(beats.values == [])
  }

  // MARK: Cancellation

  @Test func `a test is cancelled with the task that runs it`() async throws {
    let isCancelled = try await cancellable { cancel in
      try await withVirtualTime { _ in
        cancel()
        await waitForCancellation()
        return Task.isCancelled
      }
    }
    #expect(isCancelled)
  }

  @Test func `an exploration ends when its task is cancelled`() async throws {
    let coverage = try await cancellable { cancel in
      let count = Mutex(0)
      return try await exploreSchedules(atMost: 1000) { _ in
        for _ in 0..<3 { Task {} }
        let isSecond = count.withLock {
          $0 += 1
          return $0 == 2
        }
        if isSecond { cancel() }
      }
    }
    #expect(coverage == .cut(2))
    let only = try await cancellable { cancel in
      try await exploreSchedules(atMost: 1000) { _ in cancel() }
    }
    #expect(only == .cut(1))
  }

  @Test func `an exploration that is cancelled does not run a failure again`() async throws {
    let runs = Collector<Bool>()
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await cancellable { cancel in
        try await exploreSchedules(atMost: 1000) { _ in
          cancel()
          await waitForCancellation()
          runs.add(Task.isCancelled)
          try Task.checkCancellation()
        }
      }
    }
    #expect(runs.values == [true])
    #expect(failure?.error is CancellationError)
    #expect(
      failure?.description == """
        CancellationError()
        This test fails in the usual order of its tasks.
          It did not run again, because its task was cancelled.
        It was schedule 1. To run it again: withVirtualTime(schedule: "")
        """)
  }

  @Test func `an exploration names the schedule in which a test gets stuck`() async {
    let failure = await #expect(throws: ScheduleFailure.self) {
      try await exploreSchedules(atMost: 100) { clock in
        let order = Collector<Int>()
        Task(name: "first") { order.add(1) }
        Task(name: "second") { order.add(2) }
        await clock.settle()
        if order.values == [2, 1] { await waitForCancellation() }
      }
    }
    #expect((failure?.error as? VirtualTimeError)?.code == .stuck)
    #expect(failure?.schedule == "1")
    #expect(
      failure?.story.contains("choice 1: task 2 \"second\" ran before task 1 \"first\"") == true)
  }
}
