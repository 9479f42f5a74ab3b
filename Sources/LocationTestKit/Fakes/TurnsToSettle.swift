import Synchronization

/// Lets the clocks of a process settle one at a time, in the order in which they ask.
///
/// Clocks that settle side by side would take one another's looks at threads for work, and wait for it.
final class TurnsToSettle: Sendable {
  static let shared = TurnsToSettle()

  private struct Waiting {
    var id: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  private struct State {
    var isTaken = false
    var waiting: [Waiting] = []
    /// Those that were cancelled before they waited.
    var cancelled: Set<Int> = []
    var nextID = 0
  }

  private let state = Mutex(State())

  /// Waits for the turn, which ends with ``pass()``.
  ///
  /// - Returns: `false` if the task was cancelled first; then nothing is to be passed on.
  func take() async -> Bool {
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if state.isTaken {
            state.waiting.append(Waiting(id: id, continuation: continuation))
            return nil
          }
          state.isTaken = true
          return true
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiting: Waiting? = state.withLock { state in
        guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
          state.cancelled.insert(id)
          return nil
        }
        return state.waiting.remove(at: index)
      }
      waiting?.continuation.resume(returning: false)
    }
  }

  /// Gives the turn to the one that has waited for it longest.
  func pass() {
    let next: Waiting? = state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.isTaken = false
        return nil
      }
      return state.waiting.removeFirst()
    }
    next?.continuation.resume(returning: true)
  }

  /// How many wait.
  var count: Int { state.withLock(\.waiting.count) }
}
