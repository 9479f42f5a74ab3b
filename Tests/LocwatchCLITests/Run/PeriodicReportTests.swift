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
  private func comes(_ count: Int, of written: Collector<Moment>) async -> Bool {
    await LocwatchCLITests.comes { written.values.count >= count }
  }

  /// Expects the next report after a number of seconds, and not a second earlier.
  private func expectReport(
    _ count: Int, after seconds: Int, in written: Collector<Moment>
  ) async {
    #expect(await sleeps())
    clock.jump(by: .seconds(seconds - 1))
    #expect(await sleeps())
    #expect(written.values.count == count - 1)
    clock.jump(by: .seconds(1))
    #expect(await comes(count, of: written))
  }

  @Test func `is written at the beginning and after each interval, until it is cancelled`() async {
    let written = Collector<Moment>()
    let now = clock.locationClock
    let start = now.now
    let report = PeriodicReport(interval: .seconds(30), clock: now, log: log) {
      written.add(now.now)
    }
    let task = Task(executorPreference: loop) { await report.run() }
    #expect(await comes(1, of: written))
    for count in 2...4 { await expectReport(count, after: 30, in: written) }
    task.cancel()
    await task.value
    #expect(written.values.map { start.duration(to: $0) } == [0, 30, 60, 90].map { .seconds($0) })
    #expect(messages.takeText() == "")
  }

  @Test func `is written less often if writing takes longer than the interval`() async {
    let written = Collector<Moment>()
    let (clock, now) = (clock, clock.locationClock)
    let start = now.now
    let report = PeriodicReport(interval: .seconds(10), clock: now, log: log) {
      written.add(now.now)
      clock.jump(by: .seconds(25))
    }
    let task = Task(executorPreference: loop) { await report.run() }
    #expect(await comes(3, of: written))
    task.cancel()
    await task.value
    #expect(
      written.values.prefix(3).map { start.duration(to: $0) } == [0, 25, 50].map { .seconds($0) })
  }

  @Test func `does not make up for the times that a slow one took`() async {
    let written = Collector<Moment>()
    let (clock, now) = (clock, clock.locationClock)
    let start = now.now
    let report = PeriodicReport(interval: .seconds(10), clock: now, log: log) {
      let isFirst = written.values.isEmpty
      written.add(now.now)
      if isFirst { clock.jump(by: .seconds(45)) }
    }
    let task = Task(executorPreference: loop) { await report.run() }
    #expect(await comes(2, of: written))
    for count in 3...4 { await expectReport(count, after: 10, in: written) }
    task.cancel()
    await task.value
    #expect(
      written.values.map { start.duration(to: $0) } == [0, 45, 55, 65].map { .seconds($0) })
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
    let failures = Mutex(reports)
    let written = Collector<Moment>()
    let now = clock.locationClock
    let report = PeriodicReport(interval: .seconds(1), clock: now, log: log) {
      () throws(OutputError) in
      let failure = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
      written.add(now.now)
      if let failure { throw failure }
    }
    let task = Task(executorPreference: loop) { await report.run() }
    for count in 1...(reports.count + 1) {
      #expect(await comes(count, of: written))
      #expect(await sleeps())
      clock.jump(by: .seconds(1))
    }
    task.cancel()
    await task.value
    return messages.takeText()
  }
}
