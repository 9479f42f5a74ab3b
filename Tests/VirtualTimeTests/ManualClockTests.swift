import Synchronization
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Manual clock` {
  private let clock = ManualClock()

  @Test(arguments: [0, 1, 50, 1000])
  func `a wait for sleepers ends when its task is cancelled, whenever that is`(turns: Int) async {
    for _ in 0..<100 {
      let waiting = Task { await clock.waitForSleepers(atMost: nil) }
      for _ in 0..<turns { await Task.yield() }
      waiting.cancel()
      #expect(await waiting.value == false)
    }
  }

  @Test func `a wait for sleepers returns whether there are that many`() async {
    let sleepers = (0..<2).map { _ in
      Task { try? await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    }
    #expect(await clock.waitForSleepers(2))
    let waiting = Task { await clock.waitForSleepers(3) }
    let isThere = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await clock.waitForSleepers(2)
    }.value
    #expect(isThere)
    waiting.cancel()
    #expect(await waiting.value == false)
    clock.jump(by: .seconds(1))
    for sleeper in sleepers { await sleeper.value }
  }

  @Test func `a wait for sleepers is cancelled while a task begins to sleep`() async {
    for round in 0..<2000 {
      let waiting = Task { await clock.waitForSleepers(atMost: nil) }
      for _ in 0..<(round % 7) { await Task.yield() }
      let sleeper = Task {
        try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
      }
      waiting.cancel()
      _ = await waiting.value
      sleeper.cancel()
      await sleeper.value
      #expect(clock.sleeperCount == 0)
    }
  }

  @Test func `a wait for sleepers ends at its limit`() async {
    #expect(await clock.waitForSleepers(atMost: .milliseconds(5)) == false)
  }

  @Test func `a wait with a limit that is cancelled leaves no limit behind`() async {
    let patience = Patience.current
    let isReached = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await patience.sleep(until: .nanoseconds(1))
    }.value
    await clock.settle()
    #expect(!isReached)
    #expect(patience.now == .zero)
    #expect(await patience.sleep(until: .nanoseconds(1)))
    #expect(patience.now == .nanoseconds(1))
  }

  @Test func `limits of any length follow each other`() async {
    let lengths: [Duration] = [
      .seconds(Int64.max), Duration(secondsComponent: .max, attosecondsComponent: 1), .seconds(-1),
      Duration(secondsComponent: .min, attosecondsComponent: 0),
    ]
    for length in Array(repeating: lengths, count: 10).joined() {
      #expect(await clock.waitForSleepers(atMost: length) == false)
    }
  }

  @Test func `settles when the tasks that it woke wait again or have ended`() async {
    let steps = Mutex(0)
    let task = Task {
      for _ in 1...100 {
        await Task.yield()
        _ = clock.now
        steps.withLock { $0 += 1 }
      }
      try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
      for _ in 1...100 {
        await Task.yield()
        _ = clock.now
        steps.withLock { $0 += 1 }
      }
    }
    #expect(await clock.settle())
    #expect(steps.withLock(\.self) == 100)
    clock.jump(by: .seconds(1))
    #expect(await clock.settle())
    #expect(steps.withLock(\.self) == 200)
    await task.value
  }

  @Test func `settles after what the main actor does`() async {
    let done = Collector<Int>()
    for round in 1...50 {
      Task { @MainActor in done.add(round) }
      #expect(await clock.settle())
      #expect(done.values.count == round)
    }
  }

  @Test func `settling ends when its task is cancelled`() async {
    let settling = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return await clock.settle()
    }
    #expect(await settling.value == false)
  }

  @Test func `goes to the next deadline while a closure waits, and then stands still`() async {
    let woken = Collector<Int>()
    await clock.whileAdvancing {
      let tasks = [3600, 60, 1].map { seconds in
        Task {
          for _ in 1...3 {
            try? await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
            woken.add(seconds)
          }
        }
      }
      for task in tasks { await task.value }
    }
    #expect(woken.values == [1, 1, 1, 60, 60, 60, 3600, 3600, 3600])
    #expect(clock.elapsed == .seconds(3 * 3600))
    let sleeper = Task { try? await clock.sleep(until: clock.now.advanced(by: .seconds(1))) }
    await clock.waitForSleepers()
    await clock.settle()
    #expect(clock.elapsed == .seconds(3 * 3600))
    sleeper.cancel()
  }

  @Test func `runs through every deadline of a duration, and stops in between two`() async {
    let woken = Collector<Int>()
    let tasks = [1, 4].map { seconds in
      Task {
        while !Task.isCancelled {
          try? await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
          woken.add(seconds)
        }
      }
    }
    #expect(await clock.advance(by: .milliseconds(6500)))
    #expect(woken.values.count { $0 == 1 } == 6)
    #expect(woken.values.count { $0 == 4 } == 1)
    #expect(clock.elapsed == .milliseconds(6500))
    #expect(clock.sleeperCount == 2)
    #expect(await clock.advance(by: .milliseconds(500)))
    #expect(woken.values.count { $0 == 1 } == 7)
    #expect(await clock.advance(by: .seconds(-1)))
    #expect(clock.elapsed == .seconds(7))
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
    #expect(clock.sleeperCount == 0)
  }

  @Test func `runs until nobody sleeps any more`() async {
    let task = Task {
      for _ in 1...3 { try? await clock.sleep(until: clock.now.advanced(by: .seconds(60))) }
    }
    #expect(await clock.advanceUntilIdle())
    #expect(clock.elapsed == .seconds(180))
    await task.value
  }

  @Test func `a sleep for ever is no deadline`() async {
    let woken = Collector<Int>()
    let sleeper = Task {
      try? await clock.sleep(for: .seconds(Int64.max))
      woken.add(1)
    }
    #expect(await clock.advanceUntilIdle())
    #expect(clock.elapsed == .zero)
    await clock.whileAdvancing { try? await clock.sleep(for: .seconds(1)) }
    await clock.advance(by: .seconds(1))
    #expect(clock.elapsed == .seconds(2))
    #expect(clock.sleeperCount == 1)
    #expect(woken.values == [])
    await clock.advance(by: .seconds(Int64.max))
    #expect(woken.values == [1])
    await sleeper.value
  }

  @Test func `a run that is cancelled says so, and the clock stands where it came to`() async {
    let isOver = await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      let ended = await clock.advance(by: .seconds(5))
      let isRunToItsEnd = await clock.advanceUntilIdle()
      return [ended, isRunToItsEnd]
    }.value
    #expect(isOver == [false, false])
    #expect(clock.elapsed == .zero)
  }

  @Test func `an error ends the closure and the clock's advance`() async {
    await #expect(throws: Failure.expected) {
      try await clock.whileAdvancing { () throws(Failure) in
        try? await clock.sleep(until: clock.now.advanced(by: .seconds(1)))
        throw Failure.expected
      }
    }
    #expect(clock.elapsed == .seconds(1))
  }

  @Test func `wakes those that sleep in the order of their deadlines`() async {
    let woken = Mutex<[Int]>([])
    await withTaskGroup { group in
      for seconds in [3, 1, 4, 2] {
        group.addTask { @Sendable [clock] in
          try? await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
          woken.withLock { $0.append(seconds) }
        }
      }
      await clock.waitForSleepers(4)
      await clock.advance(by: .seconds(5))
    }
    #expect(woken.withLock(\.self) == [1, 2, 3, 4])
  }

  @Test func `wakes what plays the outside world first, in the order in which it was made`() async {
    let woken = Collector<Int>()
    for place in [Int.max, 2, 1] {
      WakingOrder.$place.withValue(place) {
        _ = Task {
          try? await clock.sleep(for: .seconds(1))
          woken.add(place)
        }
      }
      await clock.settle()
    }
    await clock.advance(by: .seconds(1))
    #expect(woken.values == [1, 2, Int.max])
  }

  @Test func `runs for 292 years, and never goes back`() {
    clock.jump(by: .seconds(5))
    clock.jump(by: .seconds(-3))
    #expect(clock.elapsed == .seconds(5))
    for _ in 0..<40 { clock.jump(by: .seconds(Int64.max) * 10) }
    #expect(clock.elapsed == .nanoseconds(Int64.max))
  }
}

/// The order in which tasks continue is that of the first schedule alone.
@Suite struct `Manual clock, in the first schedule` {
  @Test func `those that wait for sleepers continue in the order in which they began`() async throws
  {
    try await withVirtualTime { clock in
      let order = Collector<Int>()
      let waiting = (0..<8).map { number in
        Task {
          await clock.waitForSleepers()
          order.add(number)
        }
      }
      await clock.settle()
      let sleeper = Task { try? await clock.sleep(for: .seconds(1)) }
      for task in waiting { await task.value }
      #expect(order.values == Array(0..<8))
      sleeper.cancel()
    }
  }

  @Test func `a task that sleeps in vain lets others run`() async throws {
    try await withVirtualTime { clock in
      let done = Collector<Int>()
      for _ in 0..<600 { try? await clock.sleep(for: .zero) }
      await clock.settle()
      let sleeper = Task {
        var count = 0
        while done.values.isEmpty, count < 100_000 {
          try? await clock.sleep(for: .zero)
          count += 1
        }
        return count
      }
      Task { done.add(1) }
      #expect(await sleeper.value == 1001)
    }
  }
}

@Suite(.timeLimit(.minutes(5))) struct `Manual clock outside of virtual time` {
  /// Another thread can reach such a limit before the wait begins.
  @Test func `ends each wait for sleepers whose limit has passed`() async {
    let clock = ManualClock()
    for _ in 0..<20_000 { #expect(await clock.waitForSleepers(atMost: .zero) == false) }
  }
}
