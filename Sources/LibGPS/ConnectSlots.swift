import EventLoop
import Synchronization

/// Limits how many threads look up names or connect at the same time. Those that wait come in order.
final class ConnectSlots: Sendable {
  /// The right to start such a thread. It ends when the last reference to it is released, which may be
  /// that of a thread that nobody waits for any more.
  final class Slot: Sendable {
    private let slots: ConnectSlots

    fileprivate init(of slots: ConnectSlots) { self.slots = slots }

    deinit { slots.release() }
  }

  private struct State {
    var free: Int
    var waiting: [WaitPoint] = []
  }

  private let state: Mutex<State>

  init(count: Int) { state = Mutex(State(free: count)) }

  /// How many tasks wait.
  var waitingCount: Int { state.withLock(\.waiting.count) }

  /// Waits for a slot.
  ///
  /// - Parameter wakeup: The point to wait at.
  /// - Returns: `nil` if the task is cancelled first.
  func take(_ wakeup: WaitPoint) async -> Slot? {
    while true {
      let isFree = state.withLock { state in
        let isNext = state.waiting.first.map { $0 === wakeup } ?? true
        guard state.free > 0, isNext, !Task.isCancelled else {
          if !state.waiting.contains(where: { $0 === wakeup }) { state.waiting.append(wakeup) }
          return false
        }
        state.free -= 1
        state.waiting.removeAll { $0 === wakeup }
        return true
      }
      if isFree {
        wakeNext()
        return Slot(of: self)
      }
      if Task.isCancelled {
        state.withLock { $0.waiting.removeAll { $0 === wakeup } }
        wakeNext()
        return nil
      }
      _ = await wakeup.wait()
    }
  }

  private func release() {
    state.withLock { $0.free += 1 }
    wakeNext()
  }

  private func wakeNext() {
    state.withLock { $0.free > 0 ? $0.waiting.first : nil }?.signal()
  }
}
