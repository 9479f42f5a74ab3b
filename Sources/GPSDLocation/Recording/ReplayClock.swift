package import LocationCore
import Synchronization

/// The time of a replay, which stands still until a reader moves it. A person may control how fast that is, and where it
/// goes. It may be used on any thread.
package final class ReplayClock: Sendable {
  fileprivate struct State {
    /// The moment that was reached, of the recording.
    var now = Moment(uptime: .zero)
    var playback: Playback
    /// When the latest lines were that the playback has passed; `nil` before.
    var reachedLines: Moment?
    /// Where the reader waits; `nil` before it has waited.
    var listener: Listener?
    /// Called when the wanted moment is reached.
    var didArrive: (@Sendable () -> Void)?
  }

  /// Whether nothing takes time: nobody controls the replay, which is as fast as possible.
  package let isImmediate: Bool
  /// Measures the time that the replay takes.
  let realClock: LocationClock
  private let state: Mutex<State>

  /// - Parameters:
  ///   - speed: The speed at the beginning.
  ///   - isControlled: Whether a person controls the replay, for whom the first lines and those after a long silence come
  ///     at once.
  ///   - singlePassFile: The name of a file that cannot be read again; `nil` if all can.
  ///   - realClock: Measures the time that the replay takes.
  package init(
    speed: Playback.Speed, isControlled: Bool = false, singlePassFile: String? = nil,
    realClock: LocationClock
  ) {
    isImmediate = speed == .maximum && !isControlled
    self.realClock = realClock
    state = Mutex(
      State(
        playback: Playback(
          speed: speed, isControlled: isControlled, singlePassFile: singlePassFile,
          at: realClock.now)))
  }

  /// The moment of the recording that was reached.
  package var now: Moment { state.withLock(\.now) }

  /// Sets the time to that of lines. It never goes back.
  func reach(_ moment: Moment) { state.withLock { $0.now = max($0.now, moment) } }

  /// Moves the time to a moment without lines, whose time of day is not known.
  func advance(to moment: Moment) { state.withLock { $0.advance(to: moment) } }

  /// Moves the time to a moment if that is due now.
  ///
  /// - Parameters:
  ///   - lines: When the next lines are, at that moment or later.
  ///   - listener: Where the reader waits if it is not due.
  /// - Returns: What to do before; `Playback.Step.advance` if the time was moved.
  func move(to moment: Moment, before lines: Moment, _ listener: Listener) -> Playback.Step {
    edit { state, real in
      state.listener = listener
      // The time of day is that of the recording.
      let target = lines <= moment ? lines : state.now.later(by: state.now.nanoseconds(to: moment))
      let step = state.playback.step(to: target, before: max(lines, target), at: real)
      if step == .advance {
        state.advance(to: target)
        if target == lines { state.reachedLines = lines }
      }
      return step
    }
  }

  /// Returns whether lines may be read whose moment has been reached.
  func reaches(linesAt moment: Moment) -> Bool {
    if state.withLock({ $0.reachedLines == moment }) { return true }
    return edit { state, real in
      guard state.playback.step(to: moment, before: moment, at: real) == .advance else {
        return false
      }
      state.reachedLines = moment
      return true
    }
  }

  /// Waits as long as the replay takes until a moment, at full speed as long as the recording took.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  func sleep(until moment: Moment) async throws {
    let real = realClock.now
    let due = state.withLock {
      $0.playback.due(moment) ?? real.later(by: $0.now.nanoseconds(to: moment))
    }
    try await realClock.sleep(until: due)
    advance(to: moment)
  }

  private func edit<Result>(_ body: (inout State, Moment) -> Result) -> Result {
    let now = realClock.now
    let (result, didArrive) = state.withLock { state in
      let wasSeeking = state.playback.isSeeking
      let result = body(&state, now)
      return (result, wasSeeking && !state.playback.isSeeking ? state.didArrive : nil)
    }
    didArrive?()
    return result
  }
}

// MARK: - Control

extension ReplayClock {
  /// Calls a function whenever the wanted moment is reached.
  package func watch(_ didArrive: @escaping @Sendable () -> Void) {
    state.withLock { $0.didArrive = didArrive }
  }

  package var status: Playback.Status {
    let now = realClock.now
    return state.withLock { $0.playback.status(at: now) }
  }

  /// The moment of the recording that is shown.
  package var position: Moment {
    let now = realClock.now
    return state.withLock { $0.playback.position(at: now) }
  }

  /// Whether another pass has to begin.
  package var needsPass: Bool { state.withLock(\.playback.needsPass) }

  /// Whether the pass has not yet reached the moment for which it began, so that nothing is shown.
  package var isGoingBack: Bool { state.withLock(\.playback.isGoingBack) }

  package func handle(_ command: Playback.Command) {
    let listener = edit { state, real in
      state.playback.handle(command, at: real)
      return state.listener
    }
    listener?.interrupt()
  }

  /// Records that a state has changed.
  package func recordTransition() { edit { $0.playback.recordTransition(at: $1) } }

  /// Begins a pass.
  ///
  /// - Parameter start: The beginning of the recording, as far as it is known before its first line.
  package func beginPass(at start: Moment) {
    edit { state, real in
      state.now = start
      state.reachedLines = nil
      state.playback.beginPass(at: start, real: real)
    }
  }

  /// Has the first lines wait as long as they are after a moment, unless a person controls the replay.
  func beginWait(at moment: Moment) { edit { $0.playback.beginWait(at: moment, real: $1) } }

  /// Ends a pass at the end of the recording.
  package func endPass() { edit { $0.playback.endPass(at: $1) } }
}

extension ReplayClock.State {
  fileprivate mutating func advance(to moment: Moment) {
    now = now.later(by: max(.zero, now.nanoseconds(to: moment)))
  }
}
