import LocationCore
import Synchronization

/// Work that is done in order on a separate thread, which exists only while there is work.
final class BackgroundWork: Sendable {
  private struct State {
    var isRunning = false
    var next: [@Sendable () -> Void] = []
  }

  private let start: @Sendable (@escaping @Sendable () -> Void) -> Bool
  private let state = Mutex(State())
  /// Signalled when all work is done.
  private let end = Mailbox<Void>()

  /// - Parameter start: Runs a body on another thread. Returns `false` if none can be started.
  init(start: @escaping @Sendable (@escaping @Sendable () -> Void) -> Bool = BlockingThread.start) {
    self.start = start
  }

  /// Whether work is in progress or waiting.
  var isBusy: Bool { state.withLock { $0.isRunning } }

  /// Adds work. If no thread can be started, the work is done together with the next work that is added.
  func add(_ work: @escaping @Sendable () -> Void) {
    let isFirst = state.withLock { state in
      state.next.append(work)
      defer { state.isRunning = true }
      return !state.isRunning
    }
    guard isFirst, !start({ self.run() }) else { return }
    state.withLock { $0.isRunning = false }
  }

  /// Waits until all work is done, up to a deadline. Returns whether it is done.
  ///
  /// - Parameter executor: Where the timer runs by preference; `nil` for the shared thread pool.
  func finish(
    until deadline: Moment, by clock: LocationClock, on executor: (any TaskExecutor)?
  ) async -> Bool {
    while isBusy {
      guard case .value = await end.take(until: deadline, by: clock, on: executor) else {
        return !isBusy
      }
    }
    return true
  }

  private func run() {
    while let work = takeNext() { work() }
    end.send(())
  }

  private func takeNext() -> (@Sendable () -> Void)? {
    state.withLock { state in
      guard !state.next.isEmpty else {
        state.isRunning = false
        return nil
      }
      return state.next.removeFirst()
    }
  }
}
