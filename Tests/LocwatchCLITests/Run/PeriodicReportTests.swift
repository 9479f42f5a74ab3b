import EventLoop
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A report that is written repeatedly` {
  private let clock = ManualClock()
  private let loop: EventLoop

  init() throws { loop = try #require(EventLoop.shared) }

  /// Waits until the report waits for its next time.
  private func sleeps() async -> Bool {
    let clock = clock
    return await LocwatchCLITests.comes { clock.sleeperCount == 1 }
  }

  /// Waits for news of what is written: how many times it was, which comes from a thread.
  private func comes(_ count: Int, of written: Collector<Duration>) async -> Bool {
    await LocwatchCLITests.comes { written.values.count >= count }
  }

  /// Starts to write reports.
  private func start(_ written: Collector<Duration>) -> Task<Void, Never> {
    let now = clock.locationClock
    let start = now.now
    let report = PeriodicReport(clock: now, log: Log(Options())) { () throws(OutputError) in
      written.add(start.duration(to: now.now))
    }
    return Task(executorPreference: loop) { await report.run() }
  }

  @Test func `does not make up for the time that the machine slept`() async {
    let written = Collector<Duration>()
    let task = start(written)
    #expect(await sleeps())
    clock.jump(by: .seconds(7200))
    #expect(await comes(1, of: written))
    #expect(await sleeps())
    clock.jump(by: .seconds(600))
    #expect(await comes(2, of: written))
    task.cancel()
    await task.value
    #expect(written.values == [7200, 7800].map { .seconds($0) })
  }
}
