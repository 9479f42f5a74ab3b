import EventLoop
import GPSDLocation
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Rare failures, and a clock that is read twice.
@Suite(.timeLimit(.minutes(5))) struct WatchLoopTests {
  /// What a feed gives, in turn.
  private enum Step {
    /// A fix, and the second at which it comes.
    case fix(at: Double)
    case fail(LocationError)
    case end
  }

  private struct Feed: WatchFeed {
    var steps: [Step]
    let clock: ManualClock
    let calls: Collector<String>

    mutating func next(until deadline: Moment?) async -> TimedRead<FleetNews> {
      guard !steps.isEmpty else { return .ended }
      switch steps.removeFirst() {
      case .fix(let second):
        clock.jump(by: clock.locationClock.now.duration(to: .second(second)))
        return .value(.update(.fix(.scripted(second)), of: 0), at: .second(second))
      case .fail(let error): return .value(.ended(error, of: 0), at: clock.locationClock.now)
      case .end: return .value(.ended(nil, of: 0), at: clock.locationClock.now)
      }
    }

    mutating func poll(until deadline: Moment?) -> TimedRead<FleetNews>? { nil }
    mutating func arrival(before deadline: Moment?) -> ArrivalWait? { nil }
    mutating func close() async { calls.add("close") }
  }

  private struct Output: Presenter {
    let calls: Collector<String>
    var status = OutputStatus()
    /// The call that fails.
    var failing: String?
    var finishFailure: OutputError?

    mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
      status.hasPending = true
    }

    mutating func flush(at moment: Moment) throws(OutputError) {
      status.hasPending = false
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
    _ steps: Step..., prepare: (inout Output) -> Void
  ) async throws -> (result: RunResult, calls: [String]) {
    let clock = ManualClock()
    var output = Output(calls: Collector<String>())
    prepare(&output)
    var loop = try Self.loop(
      Feed(steps: steps, clock: clock, calls: output.calls), clock.locationClock, output)
    let result = await loop.run()
    #expect(loop.end == clock.locationClock.now)
    return (result, output.calls.values)
  }

  private static func loop(
    _ feed: Feed, _ clock: LocationClock, _ output: Output, recorder: Recorder? = nil,
    report: RunReport? = nil
  ) throws -> WatchLoop<Feed> {
    var watch = Watch(output: WatchOutput(presenter: output, recorder: recorder)) {
      source, number in
      SourceWatch(number, source.plan, log: Log(Options()), report: report?.part(nil))
    }
    let source = ScriptedLocationSource(clock: feed.clock, scripts: [.stayOpen])
    watch.add(WatchedSource(Options().sourcePlan(), updates: source.updates(), clock: clock))
    return WatchLoop(
      feed: feed, clock: clock, watch: watch, stale: nil, on: try #require(EventLoop.shared))
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
      Feed(steps: steps, clock: clock, calls: calls), ticking, Output(calls: calls),
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
