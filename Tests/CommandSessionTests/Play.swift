import EventLoop
import GPSDLocation
import Glibc
import LocationCore
import LocwatchTerminalTestSupport
import LocwatchTestSupport
import Synchronization

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Plays one command line of a session in this process. Time passes only while the command waits.
final class Play: Sendable {
  /// The limits of a play, in milliseconds of its time and in waits.
  private static let (longest, mostRests) = (100_000_000, 200_000)
  /// How often, at 1 ms each, the command may wait for something that is not played, such as a thread.
  private static let patience = 3000
  /// If the command blocks in real time for so many seconds, the process ends.
  private static let deadlock = 60.0

  private let session: Session
  private let stage: Stage
  /// The current moment, in milliseconds.
  private let moment = Mutex(0)
  private let state: Mutex<State>
  private let signals = (report: PlayedSignal(), hangUp: PlayedSignal())

  private struct State {
    /// What the user has not done yet.
    var events: ArraySlice<TimedLine>
    var transcript: Transcript
    var task: Task<Void, Never>?
    /// The event after which the terminal is looked at.
    var look: String?
    var request: PageRequest?
    var status: ExitStatus?
    var rests = 0
    /// The waits in a row for something that is not played.
    var vainRests = 0
    var hasGivenUp = false
  }

  private init(_ session: Session, on stage: Stage, _ options: Options) {
    self.session = session
    self.stage = stage
    let events = session.lines(of: .user).flatMap(TimedLine.read).inOrder
    let transcript = Transcript(of: stage, isTimed: options.takesTime, isOfView: options.view)
    state = Mutex(State(events: events[...], transcript: transcript))
  }

  /// Returns what comes out of a command line, and the status.
  ///
  /// - Parameter change: Changes the options.
  static func output(
    of arguments: [String], _ environment: [String: String] = [:], in session: Session,
    _ folder: TemporaryFolder, with change: @Sendable (inout Options) -> Void = { _ in }
  ) async throws -> [String] {
    let stage = try Stage(of: session, in: folder, environment)
    var variables = environment
    if stage.hasTerminal { variables["LC_ALL"] = environment["LC_ALL"] ?? "C.UTF-8" }
    let request = Command.request(
      arguments.map { Argument(stage.argument($0)) }, Environment(variables),
      messagesTo: stage.errors.descriptor)
    switch request {
    case .run(var options, let log):
      change(&options)
      return await Play(session, on: stage, options).perform(options, log, Environment(variables))
    case .print(let text):
      return text.split(separator: "\n").map(String.init) + ["= 0"]
    case .fail(let status, let reason, let log):
      log.error(reason)
      return stage.errors.takeText().split(separator: "\n").map { stage.shown("\($0)") }
        + ["= \(status.rawValue)"]
    }
  }

  private func perform(_ options: Options, _ log: Log, _ environment: Environment) async -> [String]
  {
    let time = PlayedTime(
      now: { [self] in
        let moment = moment.withLock(\.self)
        return Moment(uptime: .milliseconds(moment), wall: TimedLine.time(moment))
      }, rest: { [self] in rest(until: $0) })
    guard let loop = EventLoop(in: time) else { return ["no event loop"] }
    let gpsds = PlayedGPSDs(session)
    let asks = state.withLock(\.events).contains { $0.text.hasPrefix("SIG") }
    var run = Run(
      options, log: log, environment: environment, loop: loop,
      reportSignal: asks ? signals.report.request : nil,
      hangUpSignal: asks ? signals.hangUp.request : nil
    ) { gpsds.session(on: loop) }
    // Delays have their mean.
    run.retries.random = { 0.5 }
    stage.prepare(&run)
    let task = RunTask(run).start { [self] status in
      state.withLock { $0.status = status }
      loop.finish()
    }
    run.cancellation.attach(task)
    state.withLock { $0.task = task }
    let watchdog = Watchdog(Self.deadlock, "the session blocks: \(session.testDescription)")
    await withCheckedContinuation { end in
      let isStarted = BlockingThread.start {
        loop.run()
        end.resume()
      }
      precondition(isStarted)
    }
    watchdog.end()
    return state.withLock { state in
      return state.transcript.end(state.status, at: moment.withLock(\.self))
    }
  }

  // MARK: While the command waits

  /// Looks at what came out, and then does what comes next, or lets time pass.
  private func rest(until deadline: Moment?) {
    state.withLock { state in
      let now = moment.withLock(\.self)
      state.transcript.takeOutput(at: now)
      if let look = state.look.take() { state.transcript.look(after: look, at: now) }
      if let request = state.request {
        guard let answer = request.answer() else { return waitInVain(&state, at: now) }
        state.request = nil
        state.transcript.add(answer, to: request, at: now)
      }
      state.rests += 1
      guard !state.hasGivenUp else { return }
      if let event = state.events.first, event.moment ?? 0 <= now {
        state.events.removeFirst()
        return perform(event.text, &state, at: now)
      }
      let next = [deadline.map(\.inMilliseconds), state.events.first?.moment].compactMap(\.self)
        .min()
      guard let next else { return waitInVain(&state, at: now) }
      state.vainRests = 0
      if next > Self.longest { return giveUp("does not end within a day", &state, at: now) }
      if state.rests > Self.mostRests { return giveUp("waits too often", &state, at: now) }
      moment.withLock { $0 = max(now, next) }
    }
  }

  /// Waits for something that is not played.
  private func waitInVain(_ state: inout State, at moment: Int) {
    state.vainRests += 1
    if state.vainRests == Self.patience { giveUp("waits for nothing", &state, at: moment) }
    usleep(1000)
  }

  private func giveUp(_ reason: String, _ state: inout State, at moment: Int) {
    state.hasGivenUp = true
    state.transcript.add("locwatch \(reason)", at: moment)
    state.task?.cancel()
  }

  private func perform(_ event: String, _ state: inout State, at moment: Int) {
    let words = event.split(separator: " ").map(String.init)
    switch words[0] {
    case "SIGINT": state.task?.cancel()
    case "SIGUSR1": signals.report.send()
    case "SIGHUP": signals.hangUp.send()
    case "key", "press":
      stage.screen.type(words.dropFirst().map(Self.sequence).joined())
      state.look = event
    case "look", "glance": state.look = event
    case "resize" where words.count == 3:
      stage.screen.size = (Int(words[1]) ?? 80, Int(words[2]) ?? 24)
      state.transcript.followSize()
    case "reader" where words.last == "stops": state.transcript.stopReading()
    case "reader": state.transcript.continueReading()
    case "get" where words.count > 1:
      state.request = PageRequest(of: words[1], at: stage.port, into: words.dropFirst(2).first)
    case "$":
      for line in stage.shell(String(event.dropFirst(2))) { state.transcript.add(line, at: moment) }
    default: state.transcript.add("unknown event: \(event)", at: moment)
    }
  }

  /// Returns what a terminal sends for a key.
  private static func sequence(of key: String) -> String {
    let sequences = [
      "Up": "\u{1b}[A", "Down": "\u{1b}[B", "Right": "\u{1b}[C", "Left": "\u{1b}[D",
      "PageUp": "\u{1b}[5~", "PageDown": "\u{1b}[6~", "Space": " ", "Tab": "\t",
    ]
    return sequences[key] ?? key
  }
}

extension Moment {
  /// Rounded up, so that the moment has come.
  fileprivate var inMilliseconds: Int { Int((uptimeNanoseconds + 999_999) / 1_000_000) }
}

extension Options {
  /// Whether time passes during the run. A replay at the highest speed takes none.
  fileprivate var takesTime: Bool { !isReplay || view || speed != .max }
}
