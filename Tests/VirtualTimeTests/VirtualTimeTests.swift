import Dispatch
import Synchronization
import Testing

@testable import VirtualTime

private actor Log {
  var values: [Duration] = []
  func add(_ value: Duration) { values.append(value) }
}

@globalActor private actor Elsewhere {
  static let shared = Elsewhere()
}

/// Two tasks that sleep `count` times each, and hop through other tasks and an actor at each step.
private func followTime(on clock: ManualClock, count: Int) async -> [Duration] {
  let log = Log()
  await clock.whileAdvancing {
    let followers = [2, 3].map { seconds in
      Task {
        for _ in 1...count {
          try? await clock.sleep(for: .seconds(seconds))
          await Task.detached {
            await Task.yield()
            await log.add(clock.elapsed)
          }.value
        }
      }
    }
    for follower in followers { await follower.value }
  }
  return await log.values
}

@Suite(.timeLimit(.minutes(5))) struct `Virtual time` {
  @Test func `hours pass side by side, each in its own virtual time`() async throws {
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for _ in 0..<4 {
        group.addTask {
          try await withVirtualTime { await followTime(on: $0, count: 1200) }
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    let expected = [2, 3].flatMap { seconds in (1...1200).map { Duration.seconds(seconds * $0) } }
    #expect(times == Array(repeating: expected.sorted(), count: 4))
  }

  @Test func `everything that a test makes ready has run when its clock settles`() async throws {
    try await exploreSchedules(atMost: 200) { clock in
      let done = Collector<String>()
      Task { done.add("task") }
      Task.detached { done.add("detached task") }
      Task { @MainActor in
        for _ in 1...10 { await Task.yield() }
        done.add("main actor")
        Task.detached {
          await MainActor.run {}
          await MainActor.run { done.add("hops") }
        }
      }
      Task {
        await withTaskGroup { group in
          for _ in 1...3 { group.addTask { await Task.yield() } }
        }
        async let value = Task.detached { 1 }.value
        _ = await value
        done.add("group")
      }
      let continuation = Mutex<CheckedContinuation<Void, Never>?>(nil)
      Task {
        await withCheckedContinuation { waiting in continuation.withLock { $0 = waiting } }
        done.add("continuation")
      }
      await clock.settle()
      continuation.withLock { $0.take() }?.resume()
      await clock.settle()
      try check(
        done.values.sorted(),
        is: ["continuation", "detached task", "group", "hops", "main actor", "task"])
    }
  }

  @Test func `tasks that sleep until one moment resume one by one, in order`() async throws {
    try await withVirtualTime { clock in
      let steps = Collector<String>()
      await clock.whileAdvancing {
        var tasks: [Task<Void, Never>] = []
        for name in ["bow", "stern"] {
          tasks.append(
            Task {
              for _ in 1...20 {
                try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
                for _ in 0..<3 { await Task.yield() }
                steps.add(name)
              }
            })
          await clock.waitForSleepers(tasks.count)
        }
        for task in tasks { await task.value }
      }
      #expect(steps.values == (1...20).flatMap { _ in ["bow", "stern"] })
    }
  }

  @Test @MainActor func `a test on the main actor stays there`() async throws {
    var steps: [Int] = []
    try await withVirtualTime { clock in
      MainActor.assertIsolated()
      let task = Task {
        try await clock.sleep(for: .seconds(1))
        MainActor.assertIsolated()
        return 1
      }
      await clock.advance(by: .seconds(1))
      MainActor.assertIsolated()
      steps.append(try await task.value)
    }
    #expect(steps == [1])
  }

  @Test func `what a test leaves behind has come to rest when it returns`() async throws {
    let done = Collector<Int>()
    try await withVirtualTime { _ in
      Task {
        for _ in 1...100 { await Task.yield() }
        done.add(1)
      }
    }
    #expect(done.values == [1])
  }

  @Test func `what a test leaves behind learns that the test has returned`() async throws {
    let results = Collector<Bool>()
    try await withVirtualTime { clock in
      Task { results.add(await clock.settle()) }
      Task { results.add(await Patience.current.sleep(until: .seconds(1))) }
    }
    #expect(results.values == [false, false])
  }

  @Test func `limits end in the order of their deadlines when nothing else can happen`()
    async throws
  {
    try await withVirtualTime { _ in
      let ended = Collector<Duration>()
      let waits = [2, 1].map { seconds in
        Task {
          #expect(await Patience.current.sleep(until: .seconds(seconds)))
          ended.add(Patience.current.now)
        }
      }
      let world = try #require(World.current)
      world.cancelLimit(world.limit(at: .milliseconds(500)) { _ in ended.add(.zero) })
      for wait in waits { await wait.value }
      #expect(ended.values == [.seconds(1), .seconds(2)])
    }
  }

  @Test func `a limit ends in real time if something always happens`() async throws {
    try await withVirtualTime { clock in
      await clock.whileAdvancing {
        let ticker = Task {
          while !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) }
        }
        #expect(await !clock.waitForSleepers(2, atMost: .milliseconds(5)))
        ticker.cancel()
      }
    }
  }

  @Test func `what is resumed after a test has returned still runs`() async throws {
    let (gate, done) = (Gate(), Collector<Int>())
    try await withVirtualTime { _ in
      Task {
        async let child: Void = gate.pass()
        await child
        await MainActor.run { done.add(1) }
        done.add(2)
      }
    }
    #expect(done.values == [])
    gate.open()
    #expect(await done.next(2) == [1, 2])
  }

  /// Sooner or later: the thread of a world still holds it when the test has returned.
  @Test func `what has ended is forgotten`() async throws {
    let ended = try await withVirtualTime { _ in WeakWorld(world: World.current) }
    while ended.world != nil, !Task.isCancelled { await Task.yield() }
    #expect(ended.world == nil)
  }

  @Test func `tasks that have ended are not kept`() async throws {
    try await withVirtualTime { clock in
      for _ in 1...20 { Task {} }
      await clock.settle()
      #expect(World.current?.heldCount == 1)
      for _ in 1...100 {
        Task { await Task.yield() }
        await Task.detached { await Task.yield() }.value
      }
      await clock.settle()
      #expect(World.current.map { $0.heldCount < 70 } == true)
      for _ in 1...100 { Task {} }
      await clock.settle()
      #expect(World.current.map { $0.heldCount < 70 } == true)
    }
  }

  @Test func `what a task returned is gone once everything waits`() async throws {
    try await withVirtualTime { clock in
      var value: NotingEnd? = await Task { NotingEnd {} }.value
      let reference = WeakReference(value: value)
      value = nil
      await clock.settle()
      #expect(reference.value == nil)
    }
  }

  /// While the task that returns a value is running, while everything waits, while there are many tasks, and at the
  /// end.
  @Test(arguments: [(false, 0), (true, 0), (true, 200)])
  func `what a task returned may make tasks ready at its end`(isKept: Bool, others: Int)
    async throws
  {
    let ends = Collector<String>()
    let sleeper = try await withVirtualTime { clock in
      let sleeper = Task {
        try? await clock.sleep(for: .seconds(1))
        ends.add("sleeper")
      }
      let listeners = (0..<others).map { _ in Task { try? await clock.sleep(for: .seconds(9)) } }
      await clock.settle()
      var tasks = [
        Task {
          NotingEnd {
            sleeper.cancel()
            Task { ends.add("new") }
          }
        }
      ]
      if !isKept { tasks.removeAll() }
      await clock.settle()
      #expect(ends.values == (isKept ? [] : ["sleeper", "new"]))
      tasks.removeAll()
      await clock.settle()
      if others == 0 { #expect(ends.values == ["sleeper", "new"]) }
      for listener in listeners { listener.cancel() }
      return sleeper
    }
    await sleeper.value
    #expect(await ends.next(2).sorted() == ["new", "sleeper"])
  }

  @Test func `what is made ready in a world that has ended runs beside others`() async throws {
    let ended = try await withVirtualTime { _ in World.current }
    let world = try #require(ended)
    let value = await Task(executorPreference: world) { 7 }.value
    #expect(value == 7)
  }

  @Test func `actors elsewhere stay there`() async throws {
    let outside = Task.detached {
      var areInside: [Bool] = []
      for _ in 1...100 {
        await areInside.append(Task { @Elsewhere in World.current != nil }.value)
      }
      return areInside
    }
    try await withVirtualTime { _ in
      for _ in 1...1000 { await Task.yield() }
    }
    #expect(await outside.value == [Bool](repeating: false, count: 100))
  }

  @Test func `an error of the test is passed on`() async {
    await #expect(throws: Failure.expected) {
      try await withVirtualTime { _ in throw Failure.expected }
    }
  }

  @Test func `a hook that is missing or taken is an error that names it`() async throws {
    let missing = RuntimeHook("swift_task_noSuch_hook", 1)
    missing.set()
    #expect(missing.error?.code == .unavailable)
    #expect(
      missing.error?.description
        == "virtual time: this Swift runtime has no swift_task_noSuch_hook")
    try await RuntimeHooks.check()
    #expect(RuntimeHooks.error == nil)
    let taken = RuntimeHook("swift_task_enqueueGlobal_hook", 1)
    taken.set()
    #expect(taken.error?.code == .hookTaken)
    #expect(
      taken.error?.description
        == "virtual time: another library has set swift_task_enqueueGlobal_hook")
    #expect(RuntimeHooks.error == nil)
  }
}

/// A value that does something at its end.
private final class NotingEnd: Sendable {
  private let end: @Sendable () -> Void

  init(_ end: @escaping @Sendable () -> Void) { self.end = end }
  deinit { end() }
}

private struct WeakReference {
  weak var value: NotingEnd?
}

/// A world, unless it is gone.
private struct WeakWorld: @unchecked Sendable {
  weak var world: World?
}

/// What a task waits for until a thread of its own opens it.
private final class Gate: Sendable {
  private struct State {
    var isOpen = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let state = Mutex(State())

  func pass() async {
    await withCheckedContinuation { continuation in
      let isOpen = state.withLock { state in
        if !state.isOpen { state.waiting = continuation }
        return state.isOpen
      }
      if isOpen { continuation.resume() }
    }
  }

  func open() {
    DispatchQueue.global().async { [self] in
      let waiting = state.withLock { state in
        state.isOpen = true
        return state.waiting.take()
      }
      waiting?.resume()
    }
  }
}
