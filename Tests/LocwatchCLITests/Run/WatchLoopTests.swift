import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem
@testable import LocwatchTerminal

/// Which object calls which method, in order.
@Suite(.timeLimit(.minutes(5))) struct WatchLoopTests {
  /// What a feed gives, in turn.
  private enum Step {
    /// A fix that has to be waited for, and the second at which it comes.
    case fix(at: Double)
    /// A fix that is there already.
    case queued(at: Double)
    /// A fix that can be polled after a wait.
    case arriving(at: Double)
    /// A wait for an arrival that is cut short, with what cuts it.
    case interruption(@Sendable () -> Void)
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
      case .interruption: return .ended
      case .fix(let second), .queued(let second), .arriving(let second):
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
      calls.add("queued" + (deadline.map { " \($0.uptime.inSeconds)" } ?? ""))
      return fix(at: second)
    }

    mutating func arrival(before deadline: Moment?) -> ArrivalWait? {
      switch steps.first {
      case .arriving(let second):
        calls.add("arrival" + (deadline.map { " \($0.uptime.inSeconds)" } ?? ""))
        steps[0] = .queued(at: second)
        return ArrivalWait(for: Bell(), until: deadline)
      case .interruption(let interrupt):
        calls.add("arrival")
        return ArrivalWait(for: Bell(interrupt), until: deadline)
      default: return nil
      }
    }

    mutating func close() async { calls.add("close") }

  }

  /// Something has come at once; or nothing comes, and something else happens.
  private final class Bell: Arrival {
    private let interrupt: (@Sendable () -> Void)?
    private let signalled = Mailbox<Void>()

    init(_ interrupt: (@Sendable () -> Void)? = nil) { self.interrupt = interrupt }

    func hasCome(before deadline: Moment?) async -> Bool {
      guard let interrupt else { return true }
      // Not a child of the run, so that its cancellation does not end this wait.
      let waiting = Task.detached { await self.signalled.take() }
      interrupt()
      _ = await waiting.value
      return true
    }

    func signal() { signalled.send(()) }
  }

  /// An output that a test fills and empties.
  private struct Output: Presenter {
    let calls: Collector<String>
    let clock: ManualClock
    var status = OutputStatus()
    /// From when on the reader takes something; `nil` if it never does.
    var freesAt: Moment?
    /// The seconds of the fixes after which there is much to write.
    var worth: [Double] = []
    /// The second of the fix that fills the output, and what is full then.
    var fills: (second: Double, descriptor: Descriptor)?
    /// The flush that fills the output, and what is full then.
    var fillsAt: (call: String, descriptor: Descriptor)?
    /// The second of the fix for which the reader has made room.
    var empties: Double?
    /// The call that fails.
    var failing: String?
    var finishFailure: OutputError?

    mutating func begin(at now: Moment) { calls.add("begin \(now.uptime.inSeconds)") }

    mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
      let second = moment.uptime.inSeconds
      status.hasPending = true
      if second == fills?.second { status.blocked = fills?.descriptor }
      if second == empties { status.blocked = nil }
      status.isWorthFlushing = worth.contains(second)
      calls.add("fix \(second)")
    }

    mutating func flush(at moment: Moment) throws(OutputError) {
      status.hasPending = false
      status.isWorthFlushing = false
      // The wait for a reader goes by the machine's clock, for which the moment is long past.
      clock.jump(by: clock.locationClock.now.duration(to: moment))
      if let freesAt, freesAt <= moment { status.blocked = nil }
      let call = "flush \(moment.uptime.inSeconds)"
      calls.add(call)
      if call == fillsAt?.call { status.blocked = fillsAt?.descriptor }
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
    interruption: Interruption = Interruption(), passes: Int = 1,
    _ prepare: (inout Output) throws -> Void = { _ in }
  ) async throws -> (result: RunResult, calls: [String]) {
    let clock = ManualClock()
    let calls = Collector<String>()
    var output = Output(calls: calls, clock: clock)
    try prepare(&output)
    let options = try Options(arguments: arguments, environment: [:])
    var watch = Watch(
      output: WatchOutput(presenter: output, recorder: nil),
      isTimed: options.sourcePlan().isTimed
    ) { source, number in
      SourceWatch(number, source.plan, log: Log(Options()))
    }
    let source = ScriptedLocationSource(clock: clock, scripts: [.stayOpen])
    watch.add(WatchedSource(options.sourcePlan(), updates: source.updates(), clock: source.clock))
    var loop = WatchLoop(
      feed: Feed(steps: steps, clock: clock, calls: calls), clock: clock.locationClock,
      neverWaits: neverWaits, watch: watch, stale: options.stale, interruption: interruption,
      on: try #require(EventLoop.shared))
    var result = await loop.run()
    for _ in 1..<passes { result = await loop.run() }
    #expect(loop.end == clock.locationClock.now)
    return (result, calls.values)
  }

  @Test func `begins the output only once, although a replay goes back`() async throws {
    let calls = try await run(.fix(at: 1), .end, passes: 2).calls
    #expect(calls.filter { $0.hasPrefix("begin") } == ["begin 0.0"])
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
        clock.jump(by: .milliseconds(1)); return clock.locationClock.now
      }, sleepUntil: { _ in })
    let folder = try TemporaryFolder()
    let options = Options()
    let report = RunReport(
      ReportPlan(file: try ReportFile(folder.path("report.json")), isPrinted: false),
      clock: clock.locationClock)
    let recorder = try Recorder(appendingTo: folder.path("drive.jsonl"))
    recorder.keep(
      GPSDLines(bytes: Array("{}\r\n".utf8)[...], received: start))
    let calls = Collector<String>()
    var watch = Watch(
      output: WatchOutput(presenter: Output(calls: calls, clock: clock), recorder: recorder),
      isTimed: options.sourcePlan().isTimed
    ) { source, number in
      SourceWatch(
        number, source.plan, log: Log(Options()), report: report.part(nil))
    }
    let source = ScriptedLocationSource(clock: clock, scripts: [.stayOpen])
    watch.add(WatchedSource(options.sourcePlan(), updates: source.updates(), clock: ticking))
    var loop = WatchLoop(
      feed: Feed(steps: steps, clock: clock, calls: calls), clock: ticking, watch: watch,
      stale: options.stale, on: try #require(EventLoop.shared))
    _ = await loop.run()
    let end = try #require(loop.end)
    try report.write(isLast: true, at: end)
    let observed = Moment.second(1).duration(to: end).inSeconds
    #expect(folder.text(of: "report.json")?.contains("\"observed\":\(observed),") == true)
    let elapsed = start.duration(to: end).inSeconds
    #expect(folder.text(of: "drive.jsonl")?.hasSuffix("\"t\":\(elapsed)}\r\n") == true)
  }

  @Test func `takes all that is queued, then writes, then waits`() async throws {
    let (result, calls) = try await run(.fix(at: 1), .queued(at: 1.5), .fix(at: 2), .end)
    #expect(
      calls == [
        "begin 0.0", "flush 0.0", "wait", "fix 1.0", "queued", "fix 1.5", "flush 1.5", "wait",
        "fix 2.0", "flush 2.0", "wait", "close", "finish true",
      ])
    #expect(result.exitStatus == .success)
  }

  @Test func `polls when the awaited data has arrived, without a read`() async throws {
    let (_, calls) = try await run(
      .fix(at: 1), .arriving(at: 2), .queued(at: 3), .end,
      arguments: ["--duration", "8"])
    #expect(
      calls.dropFirst(3) == [
        "fix 1.0", "flush 1.0", "arrival 8.0", "queued 8.0", "fix 2.0", "queued 8.0", "fix 3.0",
        "flush 3.0", "wait 8.0", "close", "finish false",
      ])
  }

  @Test func `is cancelled while it waits for an arrival`() async throws {
    let interruption = Interruption()
    let task = Mutex<Task<(result: RunResult, calls: [String]), any Error>?>(nil)
    let gate = Mailbox<Void>()
    let running = Task {
      _ = await gate.take()
      return try await withTaskCancellationHandler {
        try await run(
          .interruption { task.withLock { $0?.cancel() } }, .end, interruption: interruption)
      } onCancel: {
        interruption.interrupt()
      }
    }
    task.withLock { $0 = running }
    gate.send(())
    let (result, calls) = try await running.value
    #expect(calls.dropFirst(2) == ["arrival", "wait", "close", "finish true"])
    #expect(result.exitStatus == .interrupted)
  }

  @Test func `writes before it takes what is queued if there is much to write`() async throws {
    let (_, calls) = try await run(
      .fix(at: 1), .queued(at: 2), .queued(at: 3), .end
    ) { $0.worth = [2] }
    #expect(
      calls.dropFirst(3).prefix(6) == [
        "fix 1.0", "queued", "fix 2.0", "flush 2.0", "queued", "fix 3.0",
      ])
  }

  @Test func `writes much at once if the source never waits`() async throws {
    let (_, calls) = try await run(.fix(at: 1), .fix(at: 2), .fix(at: 3), neverWaits: true) {
      $0.worth = [2]
    }
    #expect(calls.filter { $0.hasPrefix("flush") } == ["flush 0.0", "flush 2.0"])
  }

  @Test func `writes, and handles the time limit, after it waited long enough`() async throws {
    let (result, calls) = try await run(
      .fix(at: 1), .timeout, .end, arguments: ["-t", "4"])
    #expect(
      calls == [
        "begin 0.0", "flush 0.0", "wait 4.0", "fix 1.0", "flush 1.0", "wait 5.0", "flush 5.0",
        "close", "finish false",
      ])
    #expect(result.exitStatus == .timedOut)
  }

  @Test func `wakes for the output`() async throws {
    let (_, calls) = try await run(.timeout, .end) { $0.status.nextTick = .second(3) }
    #expect(calls.dropFirst(2) == ["wait 3.0", "flush 3.0", "wait 3.0", "close", "finish true"])
  }

  @Test func `takes nothing from the queue after the deadline`() async throws {
    let (_, calls) = try await run(
      .fix(at: 1), .queued(at: 2), .end, arguments: ["--duration", "3"])
    #expect(calls.contains("queued 3.0"))
  }

  @Test(arguments: ["flush 0.0", "flush 1.0"])
  func `closes the source and the output whichever call fails, and waits for no reader`(
    call: String
  ) async throws {
    let (result, calls) = try await run(.fix(at: 1), .end) { $0.failing = call }
    #expect(calls.suffix(3) == [call, "close", "finish false"])
    guard case .output(.closed) = result else {
      Issue.record("\(result)")
      return
    }
  }

  @Test func `ends with the error of the output if that cannot be finished`() async throws {
    let (result, _) = try await run(.fix(at: 1), .end) { $0.finishFailure = .closed }
    guard case .output(.closed) = result else {
      Issue.record("\(result)")
      return
    }
    let (failed, _) = try await run(.fail(LocationError(.unknownHost, "unknown"))) {
      $0.finishFailure = .closed
    }
    #expect(failed.message?.text.hasPrefix("unknown") == true)
  }

  // A reader that is behind

  @Test func `reads nothing for a second while the reader is behind, and then continues`()
    async throws
  {
    let full = try FullPipe()
    let (_, calls) = try await run(.fix(at: 1.02), .timeout, .end) {
      $0.status.blocked = full.descriptor
    }
    #expect(
      calls == [
        "begin 0.0", "flush 0.0",
        // The pause.
        "flush 1.0",
        // News, and a look at the output every 50 ms.
        "wait 1.05", "fix 1.02", "flush 1.02", "wait 1.07", "flush 1.07", "wait 1.12", "close",
        "finish true",
      ])
  }

  @Test func `pauses no longer than a quarter of --stale`() async throws {
    let full = try FullPipe()
    func pause(_ arguments: String...) async throws -> String {
      let (_, calls) = try await run(.end, arguments: arguments) {
        $0.status.blocked = full.descriptor
      }
      return calls[2]
    }
    #expect(try await pause("--stale", "2s") == "flush 0.5")
    #expect(try await pause("--stale", "4s") == "flush 1.0")
    #expect(try await pause("--stale", "1h") == "flush 1.0")
  }

  @Test func `pauses again when the reader has caught up and falls behind again`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.fix(at: 3), .fix(at: 5), .end) {
      $0.status.blocked = full.descriptor
      $0.empties = 3
      $0.fills = (5, full.descriptor)
    }
    #expect(
      calls.dropFirst(2) == [
        "flush 1.0", "wait 1.05", "fix 3.0", "flush 3.0", "wait", "fix 5.0", "flush 6.0",
        "wait 6.05", "close", "finish true",
      ])
  }

  @Test func `does not pause if the reader has taken something before the wait`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.fix(at: 1), .end) {
      $0.status.blocked = full.descriptor
      $0.freesAt = .past
    }
    #expect(calls.prefix(3) == ["begin 0.0", "flush 0.0", "wait"])
  }

  @Test func `does not pause if the reader has taken a part of a large write`()
    async throws
  {
    let full = try FullPipe()
    let (_, calls) = try await run(.fix(at: 1), .end) {
      $0.worth = [1]
      $0.fills = (1, full.descriptor)
      $0.freesAt = .second(1)
    }
    #expect(
      calls == [
        "begin 0.0", "flush 0.0", "wait", "fix 1.0", "flush 1.0", "wait", "close", "finish true",
      ])
  }

  @Test func `pauses if its writes have filled the output`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.fix(at: 1), .end) {
      $0.fillsAt = ("flush 1.0", full.descriptor)
    }
    #expect(
      calls.dropFirst(2) == [
        "wait", "fix 1.0", "flush 1.0", "flush 2.0", "wait 2.05", "close", "finish true",
      ])
  }

  @Test func `ends in a pause if it is cancelled`() async throws {
    let full = try FullPipe()
    let (result, calls) = try await Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await run(.fix(at: 1), .end) { $0.status.blocked = full.descriptor }
    }.value
    #expect(calls == ["begin 0.0", "flush 0.0", "close", "finish true"])
    #expect(result.exitStatus == .interrupted)
  }

  @Test func `ends a pause at the deadline`() async throws {
    let full = try FullPipe()
    let (result, calls) = try await run(.fix(at: 1), arguments: ["--duration", "500ms"]) {
      $0.status.blocked = full.descriptor
    }
    #expect(calls == ["begin 0.0", "flush 0.0", "flush 0.5", "close", "finish false"])
    #expect(result.exitStatus == .success)
  }

  @Test func `pauses after the news that filled the output`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.fix(at: 1), .queued(at: 1.5), .end) {
      $0.fills = (1, full.descriptor)
    }
    // What is queued waits, too.
    #expect(
      calls.prefix(6) == ["begin 0.0", "flush 0.0", "wait", "fix 1.0", "flush 2.0", "queued"])
  }
}

extension Moment {
  fileprivate static func second(_ second: Double) -> Moment {
    Moment(uptime: .milliseconds(Int64((second * 1000).rounded())))
  }
}

/// A pipe that takes nothing more.
private struct FullPipe {
  let pipe: PipeEnds
  var descriptor: Descriptor { pipe.descriptor }

  init() throws {
    pipe = try PipeEnds()
    let number = pipe.descriptor.number
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK)
    let piece = [UInt8](repeating: 0, count: 4096)
    while write(number, piece, piece.count) > 0 {}
  }
}
