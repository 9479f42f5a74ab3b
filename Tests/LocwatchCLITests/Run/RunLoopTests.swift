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
@Suite(.timeLimit(.minutes(5))) struct RunLoopTests {
  private struct Output: Presenter {
    let calls = Collector<String>()
    /// When something was presented.
    let moments = Collector<Moment>()
    var status = OutputStatus()
    /// The call that fails.
    var failing: String?
    var finishFailure: OutputError?

    mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
      status.hasPending = true
      moments.add(moment)
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

  private static let fix: [ScriptedLocationSource.Step] = [
    .wait(.seconds(1)), .event(.fix(.scripted(1))),
  ]

  private let time = ManualClock()

  /// A clock on which a wait takes no time of the machine.
  ///
  /// - Parameter tick: How far it is on by the next time that it is read.
  private func clock(tick: Duration = .zero) -> LocationClock {
    let clock = time.locationClock
    return LocationClock(
      now: { [time] in
        time.jump(by: tick)
        return clock.now
      }, move: { [time] moment, _ in time.jump(by: max(.zero, clock.now.duration(to: moment))) },
      sleepUntil: { _ in })
  }

  private func loop(
    over source: ScriptedLocationSource, by clock: LocationClock, _ output: Output,
    recorder: Recorder? = nil, report: RunReport? = nil
  ) throws -> RunLoop {
    let sources = RunSources(output: SharedOutput(presenter: output, recorder: recorder)) {
      source, number in
      SourceParts(number, source.options, log: Log(Options()), report: report?.part(nil))
    }
    var loop = RunLoop(
      sources, hearing: Listener(at: clock.semaphore), clock: clock, stale: nil,
      on: try #require(EventLoop.shared))
    loop.add(
      RunSource(
        Options(), updates: source.updates(retries: .never), clock: clock))
    return loop
  }

  /// Runs to the end. Returns how it ended, and the calls of the output and of the source.
  private func run(
    _ script: [ScriptedLocationSource.Step], prepare: (inout Output) -> Void
  ) async throws -> (result: RunResult, calls: [String], source: [ScriptedLocationSource.Call]) {
    let source = ScriptedLocationSource(clock: time, scripts: script)
    var output = Output()
    prepare(&output)
    var loop = try loop(over: source, by: clock(), output)
    let result = await loop.run()
    #expect(loop.end == time.locationClock.now)
    return (result, output.calls.values, source.calls)
  }

  @Test(arguments: ["flush 0.0", "flush 1.0"])
  func `closes the source and the output whichever call fails, and waits for no reader`(
    call: String
  ) async throws {
    let (result, calls, source) = try await run(Self.fix) { $0.failing = call }
    #expect(calls.suffix(2) == [call, "finish false"])
    #expect(source.last == (call == "flush 0.0" ? nil : .close))
    #expect(result.isClosedOutput, "\(result)")
  }

  @Test func `ends with the error of the output if that cannot be finished`() async throws {
    let (result, _, _) = try await run(Self.fix + [.end]) { $0.finishFailure = .closed }
    #expect(result.isClosedOutput, "\(result)")
    let (failed, _, _) = try await run([.fail(LocationError(.unknownHost, "unknown"))]) {
      $0.finishFailure = .closed
    }
    #expect(failed.message?.text.hasPrefix("unknown") == true)
  }

  /// A clock may be a millisecond on by the second time that it is read.
  @Test func `ends the recording when the report on the last source ends`() async throws {
    let start = time.locationClock.now
    let folder = try TemporaryFolder()
    var options = Options()
    options.report = try ReportFile(folder.path("report.json"))
    let report = try #require(RunReport(options, clock: time.locationClock))
    let recorder = try Recorder(appendingTo: folder.path("drive.jsonl"))
    recorder.keep(GPSDLines(bytes: Array("{}\r\n".utf8)[...], received: start))
    let source = ScriptedLocationSource(clock: time, scripts: Self.fix + [.end])
    let output = Output()
    var loop = try loop(
      over: source, by: clock(tick: .milliseconds(1)), output, recorder: recorder,
      report: report)
    _ = await loop.run()
    let end = try #require(loop.end)
    try report.write(isLast: true, at: end)
    let observed = try #require(output.moments.values.first).duration(to: end).inSeconds
    #expect(folder.text(of: "report.json")?.contains("\"observed\":\(observed),") == true)
    let elapsed = start.duration(to: end).inSeconds
    #expect(folder.text(of: "drive.jsonl")?.hasSuffix("\"t\":\(elapsed)}\r\n") == true)
  }
}

extension RunResult {
  fileprivate var isClosedOutput: Bool { if case .output(.closed) = self { true } else { false } }
}
