import LocationCore
import Synchronization

/// Makes a session for each connection, and knows what tells their time.
final class SessionSupply<Session: GPSDSession>: Sendable {
  private struct State {
    /// One that was made to learn its clock, and has no connection yet.
    var spare: Session?
    var clock: LocationClock?
  }

  private let make: @Sendable () -> Session
  private let state: Mutex<State>

  /// - Parameter clock: What tells the time; `nil` is the clock of the first session.
  init(clock: LocationClock?, _ make: @escaping @Sendable () -> Session) {
    self.make = make
    state = Mutex(State(clock: clock))
  }

  /// The session of one connection more.
  func next() -> Session {
    if let spare = state.withLock({ $0.spare.take() }) { return spare }
    let session = make()
    state.withLock { if $0.clock == nil { $0.clock = session.clock } }
    return session
  }

  var clock: LocationClock {
    if let clock = state.withLock(\.clock) { return clock }
    let session = make()
    return state.withLock { state in
      // Another task may have asked meanwhile, and its session be the spare one.
      if state.spare == nil { state.spare = session }
      let clock = state.clock ?? session.clock
      state.clock = clock
      return clock
    }
  }
}
