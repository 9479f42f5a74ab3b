import Testing

@testable import VirtualTime

private actor Store {
  private(set) var count = 0
  private(set) var text = ""

  func set(_ count: Int) { self.count = count }
  func add(_ letter: String) { text += letter }

  /// Starts tasks that wait for this actor, and then leave it.
  func start(_ letters: [String], _ steps: Collector<String>) -> [Task<Void, Never>] {
    letters.map { letter in
      Task {
        add(letter)
        steps.add(letter)
        await Self.leave(letter, steps)
      }
    }
  }

  @concurrent private static func leave(_ letter: String, _ steps: Collector<String>) async {
    steps.add(letter.uppercased())
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Scheduling points` {
  @Test func `another task can enter an actor between two calls of the first`() async throws {
    let (counts, _) = try await results { _ in
      let store = Store()
      let tasks = (0..<2).map { _ in Task { await store.set(await store.count + 1) } }
      for task in tasks { await task.value }
      return await store.count
    }
    #expect(counts == [1, 2])
  }

  @Test func `another task can overtake one that leaves an actor`() async throws {
    let (orders, _) = try await results { _ in
      let (store, steps) = (Store(), Collector<String>())
      let tasks = ["a", "b"].map { letter in
        Task {
          await store.add(letter)
          steps.add(letter)
        }
      }
      for task in tasks { await task.value }
      return await store.text + steps.values.joined()
    }
    #expect(orders == ["abab", "abba", "baab", "baba"])
  }

  @Test func `a task from elsewhere can run between two that wait for an actor`() async throws {
    let (orders, _) = try await results { _ in
      let (store, steps) = (Store(), Collector<String>())
      let tasks = await store.start(["a", "b"], steps)
      for task in tasks { await task.value }
      return steps.values.joined()
    }
    #expect(orders == ["aAbB", "abAB", "abBA"])
  }

  @Test func `a yield outside of actors has no other order`() async throws {
    let (orders, coverage) = try await results { clock in
      let steps = Collector<String>()
      for letter in ["a", "b"] {
        Task {
          steps.add(letter)
          await Task.yield()
          steps.add(letter)
        }
      }
      await clock.settle()
      return steps.values.joined()
    }
    #expect(orders == ["aabb", "abab", "abba", "baab", "baba", "bbaa"])
    #expect(coverage.description == "all 6 schedules without interruptions")
  }

  @Test(arguments: [true, false])
  func `a sleep can be cancelled at its own deadline`(isOnMain: Bool) async throws {
    let (wakings, _) = try await results { clock in
      let end = ManualClock.Instant(offset: .seconds(1))
      let sleeper =
        isOnMain
        ? Task { @MainActor in (try? await clock.sleep(until: end)) != nil }
        : Task { (try? await clock.sleep(until: end)) != nil }
      await clock.settle()
      Task {
        try? await clock.sleep(until: end)
        sleeper.cancel()
      }
      await clock.advance(by: .seconds(1))
      return await sleeper.value
    }
    #expect(wakings == [true, false])
  }

  @Test func `a sleeper that is about to wake does not sleep any more`() async throws {
    try await withVirtualTime { clock in
      Task { try? await clock.sleep(for: .seconds(1)) }
      await clock.settle()
      #expect(clock.sleeperCount == 1)
      clock.jump(by: .seconds(1))
      #expect(clock.sleeperCount == 0)
      #expect(clock.nextDeadline == nil)
    }
  }
}
