public import GPSDLocation
public import LocationCore
import LocationTestKit
import Synchronization

/// A gpsd that follows a script: it refuses connections, sends lines, waits and hangs up.
///
/// ```swift
/// let gpsd = ScriptedGPSD(
///   clock: clock,
///   scripts: [.lines(fix), .hangUp], [.refuse], [.lines(fix), .wait(.seconds(20)), .lines(lost)])
/// let logger = TripLogger(gpsd.source())
/// ```
///
/// Each attempt to connect takes the next script, and the last script repeats. After the last step of a
/// script, the connection stays open and silent. Everything above the socket is real: the decoder, the
/// states, and the watchdog that closes a silent connection.
public final class ScriptedGPSD: Sendable {
  /// A step in the script of a connection.
  public enum Step: Hashable, Sendable {
    /// Refuses the connection. Only the first step of a script can refuse.
    case refuse
    /// Sends lines together, without their line ends.
    case lines([String])
    /// Waits before the next step.
    case wait(Duration)
    /// Ends the connection. Later steps are never taken.
    case hangUp

    /// Sends lines together, without their line ends.
    public static func lines(_ lines: String...) -> Step { .lines(lines) }
  }

  /// A call of a connection to this gpsd, with its argument.
  public enum Call: Hashable, Sendable {
    /// It was opened.
    case open(GPSDEndpoint)
    /// A command was sent.
    case send(GPSDCommand)
    /// Something was read.
    case read
    /// It was closed.
    case close
  }

  /// The clock that determines when steps are due.
  public let clock: LocationClock
  private let scripts: [[Step]]
  private let state = Mutex(State())

  private struct State {
    var attempts = 0
    var calls: [Call] = []
    var answers: [GPSDCommand: [String]] = [:]
  }

  /// Creates a gpsd with a script for each connection.
  ///
  /// - Parameters:
  ///   - clock: The test's clock.
  ///   - scripts: The scripts of the connections, in order. The last one repeats.
  public init(clock: ManualClock, scripts: [Step]...) {
    self.clock = clock.locationClock.inWakingOrder()
    self.scripts = scripts.isEmpty ? [[]] : scripts
  }

  /// Returns a provider that reports the receivers of this gpsd.
  ///
  /// - Parameters:
  ///   - endpoint: The address that appears in ``calls`` and in messages.
  ///   - device: The path of the only receiver to report; `nil` reports every receiver.
  public func source(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil
  ) -> GPSDLocationSource {
    GPSDLocationSource(endpoint: endpoint, device: device, clock: clock) { Session(gpsd: self) }
  }

  /// Sends lines whenever a command arrives on any connection, before the rest of the connection's script.
  ///
  /// ```swift
  /// gpsd.answer(.devices, with: #"{"class":"DEVICES","devices":[]}"#)
  /// ```
  ///
  /// - Parameters:
  ///   - command: The command, with its arguments.
  ///   - lines: The lines, without their line ends. Without lines, there is no answer, as before this call.
  package func answer(_ command: GPSDCommand, with lines: String...) {
    state.withLock { $0.answers[command] = lines.isEmpty ? nil : lines }
  }

  /// The calls of all connections, in order, including failed ones.
  public var calls: [Call] { state.withLock { $0.calls } }

  /// Returns a session for one connection.
  package func session() -> Session { Session(gpsd: self) }

  fileprivate func nextScript() -> [Step] {
    state.withLock { state in
      defer { state.attempts += 1 }
      return scripts[min(state.attempts, scripts.count - 1)]
    }
  }

  fileprivate func lines(answering command: GPSDCommand) -> [String] {
    state.withLock { $0.answers[command] ?? [] }
  }

  fileprivate func record(_ call: Call) { state.withLock { $0.calls.append(call) } }

  /// A session with a ``ScriptedGPSD``.
  package final class Session: GPSDSession {
    private struct State {
      var steps: ArraySlice<Step> = []
      /// When the next step is due.
      var due = Moment(uptime: .zero)
      /// The answers to commands that are not read yet.
      var answers: [String] = []
    }

    private let gpsd: ScriptedGPSD
    private let state = Mutex(State())

    fileprivate init(gpsd: ScriptedGPSD) { self.gpsd = gpsd }

    /// Begins the next script.
    ///
    /// - Throws: `LocationError` with code `LocationError.Code.unreachable` if the script refuses.
    package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
      gpsd.record(.open(endpoint))
      let script = gpsd.nextScript()
      if script.first == .refuse {
        throw LocationError(.unreachable, "\(endpoint): connection refused")
      }
      let now = gpsd.clock.now
      state.withLock { $0 = State(steps: script[...], due: now) }
    }

    /// Records the command, and takes the answer for the next read. It never fails.
    package func send(_ command: GPSDCommand) throws(LocationError) {
      gpsd.record(.send(command))
      let lines = gpsd.lines(answering: command)
      state.withLock { $0.answers += lines }
    }

    /// Returns the next step of the script, if it is due.
    ///
    /// - Throws: `LocationError` with code `LocationError.Code.disconnected` at a step that hangs up.
    package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
      gpsd.record(.read)
      if let answers = takeAnswers() { return Self.received(answers, at: now) }
      let (step, due) = takeStep(by: now)
      switch step {
      case .lines(let lines): return Self.received(lines, at: due ?? now)
      case .hangUp: throw LocationError(.disconnected, "gpsd hung up")
      case .refuse, .wait, nil: return .quiet(at: now)
      }
    }

    /// Returns when the next step is due.
    package func wait() -> Wait { Wait(until: takeStep(by: .past).due) }

    /// Records the call.
    package func close() { gpsd.record(.close) }

    private static func received(_ lines: [String], at moment: Moment) -> Polled<GPSDLines> {
      let bytes = Array(lines.lazy.map { $0 + "\r\n" }.joined().utf8)
      return .received(GPSDLines(bytes: bytes[...], received: moment))
    }

    private func takeAnswers() -> [String]? {
      state.withLock { state in
        defer { state.answers = [] }
        return state.answers.isEmpty ? nil : state.answers
      }
    }

    /// Returns the next step if it is due, and when it is due; `nil` at the end of the script.
    private func takeStep(by now: Moment) -> (step: Step?, due: Moment?) {
      state.withLock { state in
        while let step = state.steps.first {
          switch step {
          case .wait(let duration): state.due = state.due.advanced(by: duration)
          case .lines, .hangUp:
            return (state.due <= now ? state.steps.removeFirst() : nil, state.due)
          case .refuse: break
          }
          state.steps.removeFirst()
        }
        return (nil, nil)
      }
    }
  }
}
