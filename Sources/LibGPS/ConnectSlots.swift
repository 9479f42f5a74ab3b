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
    var waiting = WaitingLine()
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
          state.waiting.append(wakeup)
          return false
        }
        state.free -= 1
        state.waiting.remove(wakeup)
        return true
      }
      if isFree {
        wakeNext()
        return Slot(of: self)
      }
      if Task.isCancelled {
        state.withLock { $0.waiting.remove(wakeup) }
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

/// The points at which tasks wait, in the order in which they came. Thousands of sources can have one each, so
/// that none may be looked for one by one.
private struct WaitingLine {
  /// Those that came, and `nil` for those that have left.
  private var points: [WaitPoint?] = []
  /// How many that have left are no longer in `points`.
  private var removedCount = 0
  /// How many at the front of `points` have left.
  private var goneCount = 0
  /// The places of those that wait, counted from the first that ever came.
  private var places: [ObjectIdentifier: Int] = [:]

  var count: Int { places.count }

  var first: WaitPoint? { goneCount < points.count ? points[goneCount] : nil }

  /// Adds a point at the end, unless it is there.
  mutating func append(_ point: WaitPoint) {
    guard places[ObjectIdentifier(point)] == nil else { return }
    places[ObjectIdentifier(point)] = removedCount + points.count
    points.append(point)
  }

  /// Removes a point, if it is there.
  mutating func remove(_ point: WaitPoint) {
    guard let place = places.removeValue(forKey: ObjectIdentifier(point)) else { return }
    points[place - removedCount] = nil
    while goneCount < points.count, points[goneCount] == nil { goneCount += 1 }
    // Each is moved once at most, on average.
    guard 2 * goneCount >= points.count else { return }
    points.removeFirst(goneCount)
    removedCount += goneCount
    goneCount = 0
  }
}
