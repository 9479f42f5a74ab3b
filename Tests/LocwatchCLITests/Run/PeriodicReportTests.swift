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
  private let messages: PipeEnds
  private let log: Log

  init() throws {
    loop = try #require(EventLoop.shared)
    messages = try PipeEnds()
    log = Log(Options(), to: messages.descriptor)
  }

  /// Waits until the report waits for its next time.
  private func sleeps() async -> Bool {
    let clock = clock
    return await LocwatchCLITests.comes { clock.sleeperCount == 1 }
  }

  /// Waits for news of what is written: how many times it was, which comes from a thread.
  private func comes(_ count: Int, of written: Collector<Duration>) async -> Bool {
    await LocwatchCLITests.comes { written.values.count >= count }
  }

  /// Starts to write reports, each of which fails with the next of these errors, or succeeds.
  private func start(
    _ written: Collector<Duration>, failures: [OutputError?] = []
  ) -> Task<Void, Never> {
    let now = clock.locationClock
    let start = now.now
    let failures = Mutex(failures)
    let report = PeriodicReport(clock: now, log: log) { () throws(OutputError) in
      let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      written.add(start.duration(to: now.now))
      if let failure { throw failure }
    }
    return Task(executorPreference: loop) { await report.run() }
  }

  @Test func `is written after ten minutes, and again after twenty, until it is cancelled`() async {
    let written = Collector<Duration>()
    let task = start(written)
    for count in 0...2 {
      #expect(await sleeps())
      clock.jump(by: .seconds(599))
      #expect(await sleeps())
      #expect(written.values.count == count)
      clock.jump(by: .seconds(1))
      #expect(await comes(count + 1, of: written))
    }
    #expect(await sleeps())
    task.cancel()
    await task.value
    #expect(written.values == [600, 1200, 1800].map { .seconds($0) })
    #expect(messages.takeText() == "")
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

  private static let closed = "locwatch: the output was closed by its reader\n"

  @Test func `reports an error again after a report that could be written`() async {
    #expect(
      await whatIsSaid(of: [.closed, nil, .closed, .closed]) == Self.closed + Self.closed)
  }

  @Test func `reports an error once, and again when it changes`() async {
    let full = OutputError.cannotWrite(path: "a", reason: "full")
    #expect(
      await whatIsSaid(of: [.closed, .closed, full, nil, .closed])
        == Self.closed + "locwatch: \(full)\n" + Self.closed)
  }

  /// Returns what is said of reports with these failures, and of one more.
  private func whatIsSaid(of reports: [OutputError?]) async -> String {
    let written = Collector<Duration>()
    let task = start(written, failures: reports)
    for count in 1...(reports.count + 1) {
      #expect(await sleeps())
      clock.jump(by: .seconds(600))
      #expect(await comes(count, of: written))
    }
    #expect(await sleeps())
    task.cancel()
    await task.value
    #expect(
      written.values == (1...(reports.count + 1)).map { .seconds(600 * $0) }, "each is tried")
    return messages.takeText()
  }
}
