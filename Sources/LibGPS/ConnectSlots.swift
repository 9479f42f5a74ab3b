import EventLoop
import Synchronization

/// Limits how many threads look up names or connect at the same time. Those that wait come in order.
///
/// A thread that waits for a host that does not answer is set aside, so that the others need not wait for it. Another
/// limit holds for such threads.
final class ConnectSlots: Sendable {
  /// The right to start such a thread. It ends when the last reference to it is released, which may be
  /// the slot of an abandoned thread.
  final class Slot: Sendable {
    private let slots: ConnectSlots
    private let isSlow = Mutex(false)

    fileprivate init(of slots: ConnectSlots) { self.slots = slots }

    /// Gives the place of the slot to another, as soon as not too many are set aside.
    func setAside() {
      let isNew = isSlow.withLock { isSlow in
        defer { isSlow = true }
        return !isSlow
      }
      if isNew { slots.change(quick: -1, slow: 1) }
    }

    deinit {
      let isSlow = isSlow.withLock(\.self)
      slots.change(quick: isSlow ? 0 : -1, slow: isSlow ? -1 : 0)
    }
  }

  private struct State {
    /// The slots in use, without those that were to be set aside.
    var quickCount = 0
    /// The slots in use that were to be set aside.
    var slowCount = 0
    var waiting = WaitingLine()
  }

  private let state = Mutex(State())
  private let count: Int
  private let maximumAside: Int

  /// - Parameter maximumAside: How many slots can be set aside.
  init(count: Int, maximumAside: Int) {
    self.count = count
    self.maximumAside = maximumAside
  }

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
        guard hasFree(state), isNext, !Task.isCancelled else {
          state.waiting.append(wakeup)
          return false
        }
        state.quickCount += 1
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

  private func change(quick: Int, slow: Int) {
    state.withLock { state in
      state.quickCount += quick
      state.slowCount += slow
    }
    wakeNext()
  }

  private func hasFree(_ state: borrowing State) -> Bool {
    state.quickCount + max(0, state.slowCount - maximumAside) < count
  }

  private func wakeNext() {
    state.withLock { hasFree($0) ? $0.waiting.first : nil }?.signal()
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
