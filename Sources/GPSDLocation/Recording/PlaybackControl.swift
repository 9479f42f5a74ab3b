package import LocationCore
import Synchronization

/// Controls a replay while it runs. It may be used on any thread.
package final class PlaybackControl: Sendable {
  private struct State {
    var playback: Playback
    /// Called when the wanted moment is reached.
    var didArrive: (@Sendable () -> Void)?
  }

  private let clock: LocationClock
  private let executor: (any TaskExecutor)?
  private let state: Mutex<State>
  /// Signalled when the reader may have something else to do.
  private let change = Mailbox<Void>()

  /// - Parameters:
  ///   - speed: The speed at the beginning.
  ///   - singlePassFile: The name of a file that cannot be read again; `nil` if all can.
  ///   - clock: The machine's clock.
  ///   - executor: Where it waits by preference; `nil` for the shared thread pool.
  package init(
    speed: Playback.Speed, singlePassFile: String? = nil, clock: LocationClock,
    on executor: (any TaskExecutor)? = nil
  ) {
    self.clock = clock
    self.executor = executor
    let playback = Playback(speed: speed, singlePassFile: singlePassFile, at: clock.now)
    state = Mutex(State(playback: playback))
  }

  /// Calls a function whenever the wanted moment is reached.
  package func watch(_ didArrive: @escaping @Sendable () -> Void) {
    state.withLock { $0.didArrive = didArrive }
  }

  package var status: Playback.Status {
    let now = clock.now
    return state.withLock { $0.playback.status(at: now) }
  }

  /// The moment of the recording that is shown.
  package var position: Moment {
    let now = clock.now
    return state.withLock { $0.playback.position(at: now) }
  }

  /// Whether another pass has to begin.
  package var needsPass: Bool { state.withLock(\.playback.needsPass) }

  /// Whether the pass has not yet reached the moment for which it began, so that nothing is shown.
  package var isGoingBack: Bool { state.withLock(\.playback.isGoingBack) }

  package func handle(_ command: Playback.Command) {
    edit { $0.handle(command, at: $1) }
    change.send(())
  }

  /// Records that a state has changed.
  package func recordTransition() { edit { $0.recordTransition(at: $1) } }

  /// Begins a pass.
  ///
  /// - Parameter start: The beginning of the recording, as far as it is known before its first line.
  package func beginPass(at start: Moment) { edit { $0.beginPass(at: start, real: $1) } }

  /// Ends a pass at the end of the recording.
  package func endPass() { edit { $0.endPass(at: $1) } }

  /// Waits until a moment is due.
  ///
  /// - Parameter next: When the next lines are due, which is that moment or later.
  /// - Returns: `false` if the pass ends first, or if the task is cancelled.
  package func wait(for moment: Moment, before next: Moment) async -> Bool {
    // Several sources are read while others still handle what they read.
    if state.withLock(\.playback.seeksTransition) { await Task.yield() }
    while !Task.isCancelled {
      switch edit({ $0.step(to: moment, before: next, at: $1) }) {
      case .pass: return true
      case .end: return false
      case .wait(let due): _ = await change.take(until: due, by: clock, on: executor)
      }
    }
    return false
  }

  private func edit<Result>(_ body: (inout Playback, Moment) -> Result) -> Result {
    let now = clock.now
    let (result, didArrive) = state.withLock { state in
      let wasSeeking = state.playback.isSeeking
      let result = body(&state.playback, now)
      return (result, wasSeeking && !state.playback.isSeeking ? state.didArrive : nil)
    }
    didArrive?()
    return result
  }
}
