import Synchronization

/// The clock for the limits of waits in tests.
///
/// In virtual time, it measures how long the ``World`` waits although nothing in it can happen any more. Elsewhere it
/// waits in steps of 10 ms, and after each step it gives the tasks that are ready 20 turns. On a busy machine that runs
/// many tests, a limit is therefore reached later. Its time is then always zero, so a wait whose task begins late is as
/// long as any other.
package struct Patience: Sendable {
  private let world: World?

  /// The clock where the current task runs.
  package static var current: Patience { Patience(world: .current) }

  /// Whether the clock is that of a virtual time.
  package var isVirtual: Bool { world != nil }

  /// The time; it has no meaning apart from its differences.
  package var now: Duration { world?.patientTime ?? .zero }

  /// Calls a closure after a duration, unless the function that is returned is called before.
  func limit(after duration: Duration, _ end: @escaping @Sendable () -> Void) -> () -> Void {
    if let world {
      let deadline = ManualClock.Instant(offset: now).advanced(by: duration).offset
      let id = world.limit(at: deadline) { _ in end() }
      return { world.cancelLimit(id) }
    }
    let timer = Task { if await Self.sleep(for: duration) { end() } }
    return { timer.cancel() }
  }

  /// Waits until a time.
  ///
  /// - Returns: `false` if the task was cancelled, or the virtual time has ended.
  package func sleep(until deadline: Duration) async -> Bool {
    guard let world else { return await Self.sleep(for: deadline) }
    let waiting = Mutex<CheckedContinuation<Bool, Never>?>(nil)
    @Sendable func end(_ isReached: Bool) {
      waiting.withLock { $0.take() }?.resume(returning: isReached)
    }
    let limit = world.limit(at: deadline, end)
    defer { world.cancelLimit(limit) }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiting.withLock { $0 = continuation }
        if Task.isCancelled { end(false) }
      }
    } onCancel: {
      end(false)
    }
  }

  private static func sleep(for duration: Duration) async -> Bool {
    var rest = duration
    while rest > .zero {
      let step = min(rest, .milliseconds(10))
      guard (try? await Task.sleep(for: step)) != nil else { return false }
      rest -= step
      for _ in 0..<20 {
        await Self.turn()
        if Task.isCancelled { return false }
      }
    }
    return true
  }

  /// Waits until the tasks that are ready have had a turn, including those on the main actor.
  private static func turn() async { await Task.detached { await MainActor.run {} }.value }
}
