import Foundation
import Synchronization
import Testing

@testable import VirtualTime

private let realRuns = variable("VIRTUAL_TIME_REAL_RUNS")

/// Orders on real threads are among those that are explored. With `VIRTUAL_TIME_REAL_RUNS=100000`, each program runs
/// that many times on real threads, and the suite writes a table to stderr.
@Suite(.serialized, .timeLimit(.minutes(60)), .enabled(if: realRuns != nil))
struct `Orders on real threads` {
  @Test(arguments: Program.all) func `are among those that are explored`(program: Program)
    async throws
  {
    let explored = Mutex<Set<String>>([])
    let coverage = try await exploreSchedules(atMost: 10_000) { _ in
      let steps = StepLog()
      await program.run(steps)
      explored.withLock { _ = $0.insert(steps.text) }
    }
    let all = explored.withLock(\.self)
    var real: [String: Int] = [:]
    for _ in 0..<(realRuns ?? 0) {
      let steps = StepLog(pauses: true)
      await program.run(steps)
      real[steps.text, default: 0] += 1
    }
    let others = real.filter { !all.contains($0.key) }
    #expect(others.isEmpty || program.isPreempted)
    let unseen = all.subtracting(real.keys)
    let line =
      "\(program.name) | \(coverage) | \(all.count) | \(real.count) | \(unseen.count) | "
      + "\(others.values.reduce(0, +)) in \(others.count)\n"
      + unseen.sorted().prefix(20).map { "  not seen: \($0)\n" }.joined()
      + others.sorted { $0.value > $1.value }.prefix(5).map { "  only real: \($0)\n" }.joined()
    FileHandle.standardError.write(Data(line.utf8))
  }
}

/// The steps of a program, each a letter, in their order.
final class StepLog: Sendable {
  private let state = Mutex((text: "", random: SeededRandom(seed: 0)))
  private let pauses: Bool
  private static let seed = Atomic<UInt64>(0)

  /// - Parameter pauses: Whether each step takes a random time before it.
  init(pauses: Bool = false) {
    self.pauses = pauses
    state.withLock {
      $0.random = SeededRandom(seed: Self.seed.add(1, ordering: .relaxed).newValue)
    }
  }

  var text: String { state.withLock(\.text) }

  func callAsFunction(_ step: String) {
    if pauses {
      let pause = state.withLock { Int.random(in: -20...20, using: &$0.random) }
      let end = ContinuousClock.now.advanced(by: .microseconds(pause))
      while ContinuousClock.now < end {}
    }
    state.withLock { $0.text += step }
  }
}

/// Tasks whose steps can come in several orders. From one `await` to the next there is one step at most, because no
/// interruption between two steps is explored.
struct Program: Sendable, CustomTestStringConvertible {
  let name: String
  /// Whether another thread can do something between a last step and the end of its task, so that real threads have
  /// other orders.
  let isPreempted: Bool
  let run: @Sendable @isolated(any) (StepLog) async -> Void

  init(
    _ name: String, isPreempted: Bool = false,
    _ run: @escaping @Sendable @isolated(any) (StepLog) async -> Void
  ) {
    self.name = name
    self.isPreempted = isPreempted
    self.run = run
  }

  var testDescription: String { name }

  static let all = [
    Program("tasks") { step in
      let tasks = ["a", "b"].map { name in
        Task {
          step(name)
          await Task.yield()
          step(name.uppercased())
        }
      }
      for task in tasks { await task.value }
    },
    Program("main actor") { @MainActor step in
      let tasks = ["a", "b"].map { name in
        Task {
          step(name)
          await MainActor.run {}
          await Task.yield()
          step(name.uppercased())
        }
      }
      for task in tasks { await task.value }
    },
    Program("main actor, from other threads") { step in
      let tasks = ["a", "b"].map { name in
        Task {
          step(name)
          await MainActor.run { step(name.uppercased()) }
          await Task.yield()
          step(name)
        }
      }
      for task in tasks { await task.value }
    },
    Program("actor") { step in
      let room = Room(step)
      let tasks = ["a", "b"].map { name in
        Task {
          await room.pass(name)
          await Task.yield()
          await room.pass(name)
        }
      }
      for task in tasks { await task.value }
    },
    Program("queue of an actor") { step in
      let room = Room(step)
      await room.start(["a", "b"])
    },
    Program("two actors") { step in
      let rooms = [Room(step), Room(step)]
      let tasks = [("a", 0, 1), ("b", 1, 0)].map { name, first, second in
        Task {
          await rooms[first].enter(name)
          await Task.yield()
          await rooms[second].enter(name)
        }
      }
      for task in tasks { await task.value }
    },
    Program("group", isPreempted: true) { step in
      await withTaskGroup(of: String.self) { group in
        for name in ["a", "b"] {
          group.addTask {
            step(name)
            return name.uppercased()
          }
        }
        for await name in group {
          step(name)
          await Task.yield()
        }
      }
    },
    Program("async let") { step in
      async let first: Void = pass("a", step)
      async let second: Void = pass("b", step)
      _ = await (first, second)
      step("c")
    },
    Program("stream") { step in
      let (values, continuation) = AsyncStream.makeStream(of: String.self)
      let producer = Task {
        for name in ["a", "b"] {
          step(name)
          continuation.yield(name.uppercased())
          await Task.yield()
        }
        continuation.finish()
      }
      for await value in values {
        step(value)
        await Task.yield()
      }
      await producer.value
    },
    Program("stream of two producers") { step in
      let (values, continuation) = AsyncStream.makeStream(of: String.self)
      let producers = ["a", "b"].map { name in
        Task {
          _ = continuation.yield(name)
        }
      }
      Task {
        for producer in producers { await producer.value }
        continuation.finish()
      }
      for await value in values {
        step(value)
        await Task.yield()
      }
    },
    Program("immediate") { step in
      let first = Task.immediate {
        step("a")
        await Task.yield()
        step("A")
      }
      await Task.yield()
      let second = Task.immediate {
        step("b")
        await Task.yield()
        step("B")
      }
      await Task.yield()
      step("c")
      await first.value
      await second.value
    },
    Program("immediate on the main actor") { @MainActor step in
      let first = Task.immediate {
        step("a")
        await Task.yield()
        step("A")
      }
      let second = Task {
        step("b")
        await Task.yield()
        step("B")
      }
      await first.value
      await second.value
    },
    Program("priorities") { step in
      let tasks = [("a", TaskPriority.background), ("b", .high)].map { name, priority in
        Task(priority: priority) {
          step(name)
          await Task.yield()
          step(name.uppercased())
        }
      }
      for task in tasks { await task.value }
    },
    Program("priorities on an actor") { step in
      let room = Room(step)
      await room.start(["a", "b"], priorities: [.background, .high])
    },
    Program("cancellation", isPreempted: true) { step in
      let task = Task {
        await withTaskCancellationHandler {
          await pass("a", step)
        } onCancel: {
          step("x")
        }
      }
      let cancelling = Task { task.cancel() }
      await task.value
      await cancelling.value
    },
    Program("continuations") { step in
      let waiting = Waiting()
      let tasks = ["a", "b"].map { name in
        Task {
          await withCheckedContinuation { continuation in
            waiting.add(continuation)
          }
          await Task.yield()
          step(name)
          await Task.yield()
          step(name.uppercased())
        }
      }
      for task in tasks { await task.value }
    },
    Program("detached and concurrent") { step in
      let first = Task.detached { await concurrently("a", step) }
      let second = Task { @MainActor in
        await concurrently("b", step)
        step("c")
      }
      await first.value
      await second.value
    },
    Program("calls to an idle actor") { step in
      let tasks = ["a", "b"].map { name in
        let room = Room(step)
        return Task {
          step(name)
          await room.enter(name.uppercased())
        }
      }
      for task in tasks { await task.value }
    },
    Program("jobs of the main actor from another thread") { step in
      let tasks = ["a", "b"].map { name in
        Task { @MainActor in
          step(name)
          await MainActor.run {}
          await Task.yield()
          step(name.uppercased())
        }
      }
      for task in tasks { await task.value }
    },
  ]
}

private func pass(_ name: String, _ step: StepLog) async {
  step(name)
  await Task.yield()
  step(name.uppercased())
}

@concurrent private func concurrently(_ name: String, _ step: StepLog) async {
  step(name)
  await Task.yield()
  step(name.uppercased())
}

/// Resumes two tasks when both wait.
private final class Waiting: Sendable {
  private let first = Mutex<CheckedContinuation<Void, Never>?>(nil)

  func add(_ continuation: CheckedContinuation<Void, Never>) {
    let other = first.withLock { first in
      defer { first = continuation }
      return first
    }
    guard let other else { return }
    other.resume()
    continuation.resume()
  }
}

private actor Room {
  private let step: StepLog

  init(_ step: StepLog) { self.step = step }

  func enter(_ name: String) { step(name) }

  func pass(_ name: String) async {
    step(name)
    await Task.yield()
    step(name.uppercased())
  }

  /// Starts tasks that have to wait until this method is done.
  func start(_ names: [String], priorities: [TaskPriority?] = [nil, nil]) async {
    let tasks = zip(names, priorities).map { name, priority in
      Task(priority: priority) { await pass(name) }
    }
    for task in tasks { await task.value }
  }
}
