import Dispatch
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(5))) struct `Manual clock` {
  private let clock = ManualClock()

  @Test(arguments: [0, 1, 50, 1000])
  func `a wait for sleepers ends when its task is cancelled, whenever that is`(turns: Int) async {
    for _ in 0..<100 {
      let waiting = Task { await clock.waitForSleepers() }
      for _ in 0..<turns { await Task.yield() }
      waiting.cancel()
      #expect(await waiting.value == false)
    }
  }

  @Test func `a wait for sleepers tells whether there are as many`() async {
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
    clock.advance(by: .seconds(1))
    for sleeper in sleepers { await sleeper.value }
  }

  @Test func `wakes those that sleep in the order of their deadlines`() async {
    let woken = Mutex<[Int]>([])
    let queue = OneAtATime()
    await withTaskGroup { group in
      for seconds in [3, 1, 4, 2] {
        group.addTask(executorPreference: queue) { @Sendable [clock] in
          try? await clock.sleep(until: clock.now.advanced(by: .seconds(seconds)))
          woken.withLock { $0.append(seconds) }
        }
      }
      await clock.waitForSleepers(4)
      // The last one may still be on its way to sleep, and would be the first to go on.
      await Task(executorPreference: queue) {}.value
      clock.advance(by: .seconds(5))
    }
    #expect(woken.withLock(\.self) == [1, 2, 3, 4])
  }

  @Test func `goes on for 292 years, and never back`() {
    clock.advance(by: .seconds(5))
    clock.advance(by: .seconds(-3))
    #expect(clock.locationClock.now.uptime == .seconds(5))
    for _ in 0..<40 { clock.advance(by: .seconds(Int64.max) * 10) }
    #expect(clock.locationClock.now.uptime == .nanoseconds(Int64.max))
  }
}

/// Runs jobs in the order in which they became ready. The global executor runs them side by side.
private final class OneAtATime: TaskExecutor {
  private let queue = DispatchQueue(label: "one at a time")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
