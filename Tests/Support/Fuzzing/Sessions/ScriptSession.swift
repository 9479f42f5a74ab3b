import GPSDLocation
import LocationCore
import Synchronization

/// A conversation with a gpsd that follows a script, on a clock on which waiting takes no time.
///
/// After a hang-up, the next connection continues where the last one ended.
final class ScriptSession: GPSDSession {
  fileprivate struct State {
    var steps: ArraySlice<FuzzScript.Step>
    /// When the wait that has begun is over.
    var end: Moment?
  }

  /// During longer pauses the machine is suspended, and nothing is done at a deadline.
  private static let longestWait = Duration.seconds(20_000)

  private let state: Mutex<State>
  private let fuzzClock: FuzzClock

  init(_ script: FuzzScript, clock: FuzzClock) {
    fuzzClock = clock
    state = Mutex(State(steps: script.steps[...]))
  }

  func open(_ endpoint: GPSDEndpoint) throws(LocationError) {
    let isRefused = state.withLock { state in
      guard case .refuse? = state.steps.first else { return false }
      state.steps.removeFirst()
      return true
    }
    if isRefused { throw LocationError(.unreachable, "connection refused") }
  }

  func send(_ command: GPSDCommand) {}
  func close() {}

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try state.withLock { state throws(LocationError) in
      while let step = state.steps.first {
        if case .line = step {
          let lines = state.takeLines()
          return .received(GPSDLines(bytes: lines[...], received: fuzzClock.now))
        }
        if case .wait(let pause) = step {
          let end = state.end ?? now.advanced(by: pause)
          state.end = end
          guard end <= now else { return .quiet(at: now) }
          state.end = nil
        }
        state.steps.removeFirst()
        switch step {
        case .hangUp: throw LocationError(.disconnected, "closed by gpsd")
        case .setClock(let change): fuzzClock.setWall(by: change)
        case .wait, .line, .refuse: break
        }
      }
      return .ended
    }
  }

  func wait() -> Wait {
    let (step, end) = state.withLock { ($0.steps.first, $0.end) }
    if case .wait(let pause) = step, pause > Self.longestWait, let end {
      fuzzClock.advance(to: end)
    }
    return Wait(until: end)
  }
}

extension ScriptSession.State {
  /// Takes the lines that come at the same time.
  fileprivate mutating func takeLines() -> [UInt8] {
    var bytes: [UInt8] = []
    while case .line(let line)? = steps.first {
      bytes += line.utf8
      bytes += "\r\n".utf8
      steps.removeFirst()
    }
    return bytes
  }
}
