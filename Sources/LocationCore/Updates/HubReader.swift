import Synchronization

/// The updates that one reader of a hub has not read yet.
final class HubReader: Sendable {
  /// The maximum number of waiting updates. Beyond it, the oldest are dropped.
  private static let maximumCount = 1024

  private struct State {
    var queue: [TimedUpdate] = []
    var dropped = 0
    /// `nil` while the hub runs.
    var end: Result<Void, LocationError>?
    var isStopped = false
  }

  private let keepsAllFixes: Bool
  private let state = Mutex(State())
  /// Rung when there is something to poll.
  private let bell = Bell()

  /// - Parameter keepsAllFixes: Whether unread fixes wait, rather than only the latest of each receiver.
  init(keepsAllFixes: Bool = false) { self.keepsAllFixes = keepsAllFixes }

  var droppedCount: Int { state.withLock(\.dropped) }

  /// Whether the hub was stopped, rather than ended by its provider.
  var isStopped: Bool { state.withLock(\.isStopped) }

  /// Adds an update. Unless all fixes are kept, one replaces an unread one of the same receiver.
  func add(_ update: LocationUpdate, at moment: Moment) {
    state.withLock { state in
      if !keepsAllFixes, case .fix(let fix) = update {
        let older = state.queue.lastIndex { $0.update.isFix(of: fix.device) }
        if let older {
          state.queue.remove(at: older)
          state.dropped += 1
        }
      }
      if state.queue.count >= Self.maximumCount {
        state.queue.removeFirst()
        state.dropped += 1
      }
      state.queue.append((update, moment))
    }
    bell.ring()
  }

  /// Ends the iteration after the updates that are unread, because the hub was stopped.
  func stop() {
    state.withLock { $0.isStopped = true }
    finish(nil)
  }

  /// Ends the iteration after the updates that are unread.
  func finish(_ error: LocationError?) {
    state.withLock { $0.end = error.map { .failure($0) } ?? .success(()) }
    bell.ring()
  }

}

extension HubReader: Pollable {
  func poll(at now: Moment) throws(LocationError) -> Polled<TimedUpdate> {
    let next: Result<Polled<TimedUpdate>, LocationError> = state.withLock { state in
      if !state.queue.isEmpty { return .success(.received(state.queue.removeFirst())) }
      guard let end = state.end else { return .success(.quiet(at: now)) }
      state.end = .success(())
      return end.map { .ended }
    }
    return try next.get()
  }

  func wait() -> Wait { Wait(for: bell) }
}

extension LocationUpdate {
  fileprivate func isFix(of device: String?) -> Bool {
    if case .fix(let fix) = self { isSamePath(fix.device, device) } else { false }
  }
}
