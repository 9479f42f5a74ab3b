import EventLoop
import Synchronization

/// Limits how many threads look up names or connect at the same time. Those that wait come in order.
final class ConnectSlots: Sendable {
  /// The right to start such a thread. It ends when the last reference to it is released, which may be
  /// the slot of an abandoned thread.
  final class Slot: Sendable {
    private let slots: ConnectSlots

    fileprivate init(of slots: ConnectSlots) { self.slots = slots }

    deinit { slots.release() }
  }

  private struct State {
    var free: Int
    /// The points at which tasks wait, by their numbers in the order in which they came. Thousands of sources can have
    /// one each, so that none may be looked for one by one.
    var waiting: [Int: WaitPoint] = [:]
    /// The number of the first point that waits, and of the next one that comes.
    var first = 0
    var next = 0

    mutating func remove(_ number: Int) {
      waiting[number] = nil
      while first < next, waiting[first] == nil { first += 1 }
    }
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
    let number = state.withLock { state in
      state.waiting[state.next] = wakeup
      state.next += 1
      return state.next - 1
    }
    while true {
      let isFree = state.withLock { state in
        guard state.free > 0, state.first == number, !Task.isCancelled else { return false }
        state.free -= 1
        state.remove(number)
        return true
      }
      if isFree {
        wakeNext()
        return Slot(of: self)
      }
      if Task.isCancelled {
        state.withLock { $0.remove(number) }
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
    state.withLock { $0.free > 0 ? $0.waiting[$0.first] : nil }?.signal()
  }
}
