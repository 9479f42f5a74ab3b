import EventLoop
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Which object calls which method, where a run shows no difference, or only on a rare failure.
@Suite(.timeLimit(.minutes(5))) struct WatchLoopTests {
  /// What a feed gives, in turn.
  private enum Step {
    /// A fix that has to be waited for, and the second at which it comes.
    case fix(at: Double)
    /// A fix that is there already.
    case queued(at: Double)
    case timeout
    case fail(LocationError)
    case end
  }

  private struct Feed: WatchFeed {
    var steps: [Step]
    let clock: ManualClock
    let calls: Collector<String>

    private func fix(at second: Double) -> TimedRead<FleetNews> {
      .value(.update(.fix(.scripted(second)), of: 0), at: .second(second))
    }

    mutating func next(until deadline: Moment?) async -> TimedRead<FleetNews> {
      calls.add("wait" + (deadline.map { " \($0.uptime.inSeconds)" } ?? ""))
      guard !steps.isEmpty else { return .ended }
      switch steps.removeFirst() {
      case .fix(let second), .queued(let second):
        clock.jump(by: clock.locationClock.now.duration(to: .second(second)))
        return fix(at: second)
      case .timeout:
        let now = clock.locationClock.now
        if let deadline { clock.jump(by: now.duration(to: deadline)) }
        return .timedOut(at: deadline ?? now)
      case .fail(let error): return .value(.ended(error, of: 0), at: clock.locationClock.now)
      case .end: return .value(.ended(nil, of: 0), at: clock.locationClock.now)
      }
    }

    mutating func poll(until deadline: Moment?) -> TimedRead<FleetNews>? {
      guard case .queued(let second) = steps.first else { return nil }
      steps.removeFirst()
      calls.add("queued")
      return fix(at: second)
    }

    mutating func arrival(before deadline: Moment?) -> ArrivalWait? { nil }

    mutating func close() async { calls.add("close") }
  }

  private struct Output: Presenter {
    let calls: Collector<String>
    var status = OutputStatus()
    /// The seconds of the fixes after which there is much to write.
    var worth: [Double] = []
    /// The call that fails.
    var failing: String?
    var finishFailure: OutputError?

    mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
      let second = moment.uptime.inSeconds
      status.hasPending = true
      status.isWorthFlushing = worth.contains(second)
      calls.add("fix \(second)")
    }

    mutating func flush(at moment: Moment) throws(OutputError) {
      status.hasPending = false
      status.isWorthFlushing = false
      let call = "flush \(moment.uptime.inSeconds)"
      calls.add(call)
      if call == failing { throw .closed }
    }

    mutating func finish(waitsForReader: Bool) throws(OutputError) {
      calls.add("finish \(waitsForReader)")
      if let finishFailure { throw finishFailure }
    }
  }

  /// Runs to the end. Returns how it ended, and the calls.
  private func run(
    _ steps: Step..., neverWaits: Bool = false, arguments: [String] = [],
    _ prepare: (inout Output) -> Void = { _ in }
  ) async throws -> (result: RunResult, calls: [String]) {
    let clock = ManualClock()
    var output = Output(calls: Collector<String>())
    prepare(&output)
    let options = try Options(arguments: arguments, environment: [:])
    var loop = try Self.loop(
      Feed(steps: steps, clock: clock, calls: output.calls), clock.locationClock, output, options,
      neverWaits: neverWaits)
    let result = await loop.run()
    #expect(loop.end == clock.locationClock.now)
    return (result, output.calls.values)
  }

  private static func loop(
    _ feed: Feed, _ clock: LocationClock, _ output: Output, _ options: Options,
    neverWaits: Bool = false, recorder: Recorder? = nil, report: RunReport? = nil
  ) throws -> WatchLoop<Feed> {
    var watch = Watch(
      output: WatchOutput(presenter: output, recorder: recorder),
      isTimed: options.sourcePlan().isTimed
    ) { source, number in
      SourceWatch(number, source.plan, log: Log(Options()), report: report?.part(nil))
    }
    let source = ScriptedLocationSource(clock: feed.clock, scripts: [.stayOpen])
    watch.add(WatchedSource(options.sourcePlan(), updates: source.updates(), clock: clock))
    return WatchLoop(
      feed: feed, clock: clock, neverWaits: neverWaits, watch: watch, stale: options.stale,
      on: try #require(EventLoop.shared))
  }

  @Test func `takes all that is queued, then writes, then waits`() async throws {
    let (result, calls) = try await run(.fix(at: 1), .queued(at: 1.5), .fix(at: 2), .end)
    #expect(
      calls == [
        "flush 0.0", "wait", "fix 1.0", "queued", "fix 1.5", "flush 1.5", "wait", "fix 2.0",
        "flush 2.0", "wait", "close", "finish true",
      ])
    #expect(result.exitStatus == .success)
  }

  @Test func `writes before it takes what is queued if there is much to write`() async throws {
    let (_, calls) = try await run(.fix(at: 1), .queued(at: 2), .queued(at: 3), .end) {
      $0.worth = [2]
    }
    #expect(
      calls.dropFirst(2).prefix(6) == [
        "fix 1.0", "queued", "fix 2.0", "flush 2.0", "queued", "fix 3.0",
      ])
  }

  @Test func `writes much at once if the source never waits`() async throws {
    let (_, calls) = try await run(.fix(at: 1), .fix(at: 2), .fix(at: 3), neverWaits: true) {
      $0.worth = [2]
    }
    #expect(calls.filter { $0.hasPrefix("flush") } == ["flush 0.0", "flush 2.0"])
  }

  @Test func `waits for no reader after it gave up`() async throws {
    let (result, calls) = try await run(.fix(at: 1), .timeout, .end, arguments: ["-t", "4"])
    #expect(calls.suffix(3) == ["flush 5.0", "close", "finish false"])
    #expect(result.exitStatus == .timedOut)
  }

  @Test(arguments: ["flush 0.0", "flush 1.0"])
  func `closes the source and the output whichever call fails, and waits for no reader`(
    call: String
  ) async throws {
    let (result, calls) = try await run(.fix(at: 1), .end) { $0.failing = call }
    #expect(calls.suffix(3) == [call, "close", "finish false"])
    #expect(result.isClosedOutput, "\(result)")
  }

  @Test func `ends with the error of the output if that cannot be finished`() async throws {
    let (result, _) = try await run(.fix(at: 1), .end) { $0.finishFailure = .closed }
    #expect(result.isClosedOutput, "\(result)")
    let (failed, _) = try await run(.fail(LocationError(.unknownHost, "unknown"))) {
      $0.finishFailure = .closed
    }
    #expect(failed.message?.text.hasPrefix("unknown") == true)
  }

  /// A clock may be a millisecond on by the second time that it is read.
  @Test(arguments: [[Step.fix(at: 1), .end], [.fix(at: 1)]])
  private func `ends the recording when the report on the last source ends`(
    steps: [Step]
  ) async throws {
    let clock = ManualClock()
    let start = clock.locationClock.now
    let ticking = LocationClock(
      now: {
        clock.jump(by: .milliseconds(1))
        return clock.locationClock.now
      }, sleepUntil: { _ in })
    let folder = try TemporaryFolder()
    let report = RunReport(
      ReportPlan(file: try ReportFile(folder.path("report.json")), isPrinted: false),
      clock: clock.locationClock)
    let recorder = try Recorder(appendingTo: folder.path("drive.jsonl"))
    recorder.keep(GPSDLines(bytes: Array("{}\r\n".utf8)[...], received: start))
    let calls = Collector<String>()
    var loop = try Self.loop(
      Feed(steps: steps, clock: clock, calls: calls), ticking, Output(calls: calls), Options(),
      recorder: recorder, report: report)
    _ = await loop.run()
    let end = try #require(loop.end)
    try report.write(isLast: true, at: end)
    let observed = Moment.second(1).duration(to: end).inSeconds
    #expect(folder.text(of: "report.json")?.contains("\"observed\":\(observed),") == true)
    let elapsed = start.duration(to: end).inSeconds
    #expect(folder.text(of: "drive.jsonl")?.hasSuffix("\"t\":\(elapsed)}\r\n") == true)
  }
}

extension RunResult {
  fileprivate var isClosedOutput: Bool { if case .output(.closed) = self { true } else { false } }
}

extension Moment {
  fileprivate static func second(_ second: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((second * 1000).rounded())))
  }
}
