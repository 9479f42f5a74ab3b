import LocationCore
import Synchronization

/// An arrival that a test rings. A wait with a deadline is over at once.
final class Doorbell: Arrival {
  private struct State {
    var isRung = false
    var waiter: CheckedContinuation<Bool, Never>?
    var deadlines: [Moment?] = []
  }

  private let state = Mutex(State())

  /// When each wait was to end.
  var deadlines: [Moment?] { state.withLock { $0.deadlines } }

  func hasCome(before deadline: Moment?) async -> Bool {
    await withCheckedContinuation { waiter in
      let outcome: Bool? = state.withLock { state in
        state.deadlines.append(deadline)
        if state.isRung || deadline != nil {
          defer { state.isRung = false }
          return state.isRung
        }
        state.waiter = waiter
        return nil
      }
      if let outcome { waiter.resume(returning: outcome) }
    }
  }

  func signal() {
    let waiter = state.withLock { state in
      state.isRung = state.waiter == nil
      return state.waiter.take()
    }
    waiter?.resume(returning: true)
  }
}
