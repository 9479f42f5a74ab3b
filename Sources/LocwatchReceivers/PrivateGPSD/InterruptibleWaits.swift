import LocationCore
import Synchronization

/// The waits of a session's reader, which end before their deadline when the reader has something else to look at.
final class InterruptibleWaits: Sendable {
  private struct State {
    /// Where the reader waits. It is weak, because a point has to be released before the descriptor that it watches is
    /// closed. Interruptions and the close run on the loop, so no reference outlives the session.
    weak var arrival: (any Arrival)?
  }

  private let state = Mutex(State())

  /// Ends the wait.
  func interrupt() { state.withLock(\.arrival)?.signal() }

  /// Has later interruptions end a wait. The reader has to look for what came before.
  func interruptible(_ wait: Wait) -> Wait {
    state.withLock { $0.arrival = wait.arrival }
    return wait
  }
}

extension Moment {
  /// Returns when a moment of a clock is by that of the loop.
  func onLoop(from clock: LocationClock) -> Moment {
    LocationClock.live.now.later(by: clock.now.nanoseconds(to: self))
  }
}
