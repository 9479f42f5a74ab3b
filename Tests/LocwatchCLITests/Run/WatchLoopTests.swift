import EventLoop
import Glibc
import LocationCore
import LocationTestKit
import Testing

@testable import LocwatchCLI

/// Who calls what, in which order.
@Suite(.timeLimit(.minutes(5))) struct `The main loop` {
  /// What a feed gives, in turn.
  private enum Step {
    /// News that have to be waited for, and the second at which they come.
    case news(String, at: Double)
    /// News that are there already.
    case queued(String, at: Double)
    case timeout
    case fail(LocationError)
    case end
  }

  private struct Feed: UpdateFeed {
    var steps: [Step]
    let clock: ManualClock
    let calls: Collector<String>

    private func moment(_ second: Double) -> Moment {
      Moment(uptime: .milliseconds(Int64((second * 1000).rounded())))
    }

    mutating func next(until deadline: Moment?) async throws(LocationError) -> TimedRead<String> {
      calls.add("wait" + (deadline.map { " \($0.uptime.inSeconds)" } ?? ""))
      guard !steps.isEmpty else { return .ended }
      switch steps.removeFirst() {
      case .news(let name, let second), .queued(let name, let second):
        let moment = moment(second)
        clock.advance(by: clock.locationClock.now.duration(to: moment))
        return .value(name, at: moment)
      case .timeout:
        let now = clock.locationClock.now
        if let deadline { clock.advance(by: now.duration(to: deadline)) }
        return .timedOut(at: deadline ?? now)
      case .fail(let error): throw error
      case .end: return .ended
      }
    }

    mutating func nextQueued(until deadline: Moment?) -> TimedRead<String>? {
      guard case .queued(let name, let second) = steps.first else { return nil }
      steps.removeFirst()
      calls.add("queued" + (deadline.map { " \($0.uptime.inSeconds)" } ?? ""))
      return .value(name, at: moment(second))
    }

    mutating func close() async { calls.add("close") }
  }

  private struct Follower: FeedFollower {
    let calls: Collector<String>
    let clock: ManualClock
    var hasPending = false
    var blockedOutput: Descriptor?
    var deadline: Moment?
    var wakes: Moment?
    /// From when on the reader takes something; `nil` if it never does.
    var freesAt: Moment?
    /// The output that is full after the news `block`.
    var blocks: Descriptor?
    var last: String?
    /// The call that throws an ending, and the ending.
    var failure: (call: String, ending: Ending)?
    var finishFailure: OutputError?

    private func note(_ call: String, _ moment: Moment) throws(Ending) {
      let call = "\(call) \(moment.uptime.inSeconds)"
      calls.add(call)
      if let failure, failure.call == call { throw failure.ending }
    }

    mutating func begin(at moment: Moment) { calls.add("begin \(moment.uptime.inSeconds)") }
    mutating func wake(after now: @autoclosure () -> Moment) -> Moment? { wakes }

    mutating func take(_ news: String, at moment: Moment) throws(Ending) -> Bool {
      hasPending = true
      if news == "block" { blockedOutput = blocks }
      if news == "free" { blockedOutput = nil }
      try note("take \(news)", moment)
      return news == last
    }

    mutating func advise(at moment: Moment) throws(Ending) { try note("advise", moment) }

    mutating func expire(at moment: Moment) throws(Ending) -> Bool {
      try note("expire", moment)
      return deadline.map { $0 <= moment } ?? false
    }

    func end() throws(Ending) -> Ending {
      calls.add("end")
      return .ended
    }

    func ending(_ error: LocationError) -> Ending { .failed(error, "\(error)") }

    mutating func flushIfWorthwhile(at moment: Moment) throws(Ending) {
      try note("flush if worthwhile", moment)
    }

    mutating func flush(at moment: Moment) throws(Ending) {
      hasPending = false
      // The wait for a reader goes by the machine's clock, for which the moment is long past.
      clock.advance(by: clock.locationClock.now.duration(to: moment))
      if let freesAt, freesAt <= moment { blockedOutput = nil }
      try note("flush", moment)
    }

    mutating func finish(at moment: Moment, waitsForReader: Bool) throws(OutputError) {
      #expect(moment == clock.locationClock.now)
      calls.add("finish \(waitsForReader)")
      if let finishFailure { throw finishFailure }
    }
  }

  /// Runs to the end. Returns how it ended, and the calls.
  private func run(
    _ steps: Step..., neverWaits: Bool = false, arguments: [String] = [],
    _ prepare: (inout Follower) throws -> Void = { _ in }
  ) async throws -> (ending: Ending, calls: [String]) {
    let clock = ManualClock()
    let calls = Collector<String>()
    var follower = Follower(calls: calls, clock: clock)
    try prepare(&follower)
    let options = try Options(arguments: arguments, environment: [:])
    var watch = WatchLoop(
      feed: Feed(steps: steps, clock: clock, calls: calls), clock: clock.locationClock,
      neverWaits: neverWaits, follower: follower, options: options,
      on: try #require(EventLoop.shared))
    let ending = await watch.run()
    return (ending, calls.values)
  }

  @Test func `takes all that is queued, then writes, then waits`() async throws {
    let (ending, calls) = try await run(
      .news("a", at: 1), .queued("b", at: 1), .news("c", at: 2), .end)
    #expect(
      calls == [
        "begin 0.0", "flush 0.0", "wait",
        "take a 1.0", "advise 1.0", "flush if worthwhile 1.0",
        "queued", "take b 1.0", "advise 1.0", "flush if worthwhile 1.0",
        "flush 1.0", "wait", "take c 2.0", "advise 2.0", "flush if worthwhile 2.0",
        "flush 2.0", "wait", "end", "close", "finish true",
      ])
    #expect(ending.exitStatus == .success)
  }

  @Test func `writes only much at once where the source never waits`() async throws {
    let (_, calls) = try await run(.news("a", at: 1), .news("b", at: 2), neverWaits: true)
    #expect(calls.filter { $0.hasPrefix("flush ") && !$0.contains("if") } == ["flush 0.0"])
    #expect(calls.count { $0.hasPrefix("flush if worthwhile") } == 2)
  }

  @Test func `writes, follows the time and advises when it waited long enough`() async throws {
    let (_, calls) = try await run(.news("a", at: 1), .timeout, .end) {
      $0.wakes = Moment(uptime: .seconds(5))
    }
    #expect(
      calls.dropFirst(7) == [
        "wait 5.0", "flush 5.0", "expire 5.0", "advise 5.0", "wait 5.0", "end", "close",
        "finish true",
      ])
  }

  @Test func `ends when the follower is done`() async throws {
    let (ending, calls) = try await run(.news("a", at: 1), .news("b", at: 2)) { $0.last = "a" }
    #expect(calls.suffix(3) == ["take a 1.0", "close", "finish true"])
    guard case .done = ending else {
      Issue.record("\(ending)")
      return
    }
  }

  @Test func `ends at the deadline`() async throws {
    let (ending, calls) = try await run(.timeout, .news("a", at: 9)) {
      $0.deadline = Moment(uptime: .seconds(3))
      $0.wakes = $0.deadline
    }
    #expect(
      calls == [
        "begin 0.0", "flush 0.0", "wait 3.0", "flush 3.0", "expire 3.0", "close", "finish true",
      ])
    guard case .done = ending else {
      Issue.record("\(ending)")
      return
    }
  }

  @Test func `takes nothing from the queue after the deadline`() async throws {
    let (_, calls) = try await run(.news("a", at: 1), .queued("b", at: 2), .end) {
      $0.deadline = Moment(uptime: .seconds(3))
    }
    #expect(calls.contains("queued 3.0"))
  }

  @Test(arguments: [
    "flush 0.0", "take a 1.0", "advise 1.0", "flush if worthwhile 1.0", "flush 1.0",
  ])
  func `closes the source and the output whichever call fails, and waits for no reader`(
    call: String
  ) async throws {
    let (ending, calls) = try await run(.news("a", at: 1), .end) {
      $0.failure = (call, .timedOut("late"))
    }
    #expect(calls.suffix(3) == [call, "close", "finish false"])
    #expect(ending.exitStatus == .timedOut)
  }

  @Test func `says how the source failed`() async throws {
    let (ending, calls) = try await run(.fail(LocationError(.unreachable, "refused")))
    #expect(ending.message == "refused")
    #expect(calls.suffix(2) == ["close", "finish false"])
  }

  @Test func `ends with the error of the output if that cannot be finished`() async throws {
    let (ending, _) = try await run(.news("a", at: 1), .end) { $0.finishFailure = .closed }
    guard case .output(.closed) = ending else {
      Issue.record("\(ending)")
      return
    }
    let (failed, _) = try await run(.fail(LocationError(.unreachable, "refused"))) {
      $0.finishFailure = .closed
    }
    #expect(failed.message == "refused")
  }

  // A reader that is behind

  @Test func `reads nothing for a second while the reader is behind, and then goes on`()
    async throws
  {
    let full = try FullPipe()
    let (_, calls) = try await run(.news("a", at: 1.02), .timeout, .end) {
      $0.blockedOutput = full.descriptor
    }
    #expect(
      calls == [
        "begin 0.0", "flush 0.0",
        // The pause.
        "flush 1.0", "expire 1.0", "advise 1.0",
        // News, and a look at the output every 50 ms.
        "wait 1.05", "take a 1.02", "advise 1.02", "flush if worthwhile 1.02",
        "flush 1.02", "wait 1.07", "flush 1.07", "expire 1.07", "advise 1.07", "wait 1.12", "end",
        "close", "finish true",
      ])
  }

  @Test func `pauses no longer than a quarter of --stale`() async throws {
    let full = try FullPipe()
    func pause(_ arguments: String...) async throws -> String {
      let (_, calls) = try await run(.end, arguments: arguments) {
        $0.blockedOutput = full.descriptor
      }
      return calls[2]
    }
    #expect(try await pause("--stale", "2s") == "flush 0.5")
    #expect(try await pause("--stale", "4s") == "flush 1.0")
    #expect(try await pause("--stale", "1h") == "flush 1.0")
  }

  @Test func `pauses again when the reader has caught up and falls behind again`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.news("free", at: 3), .news("block", at: 5), .end) {
      $0.blockedOutput = full.descriptor
      $0.blocks = full.descriptor
    }
    #expect(
      calls.filter { $0.hasPrefix("expire") } == ["expire 1.0", "expire 6.0"])
  }

  @Test func `does not pause where the reader has taken something before the wait`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.news("a", at: 1), .end) {
      $0.blockedOutput = full.descriptor
      $0.freesAt = .past
    }
    #expect(calls.prefix(3) == ["begin 0.0", "flush 0.0", "wait"])
  }

  @Test func `ends a pause at the deadline`() async throws {
    let full = try FullPipe()
    let (ending, calls) = try await run(.news("a", at: 1)) {
      $0.blockedOutput = full.descriptor
      $0.deadline = Moment(uptime: .milliseconds(500))
    }
    #expect(
      calls == ["begin 0.0", "flush 0.0", "flush 0.5", "expire 0.5", "close", "finish true"])
    #expect(ending.exitStatus == .success)
  }

  @Test func `pauses after the news that filled the output`() async throws {
    let full = try FullPipe()
    let (_, calls) = try await run(.news("block", at: 1), .queued("b", at: 1), .end) {
      $0.blocks = full.descriptor
    }
    // What is queued waits, too.
    #expect(
      calls.prefix(11) == [
        "begin 0.0", "flush 0.0", "wait", "take block 1.0", "advise 1.0",
        "flush if worthwhile 1.0", "flush 2.0", "expire 2.0", "advise 2.0", "queued", "take b 1.0",
      ])
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
