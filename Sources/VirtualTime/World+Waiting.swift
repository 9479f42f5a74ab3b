import Synchronization

extension World {
  /// Waits until nothing in the world is ready to run. If several tasks wait, the first one continues, and
  /// the next one when everything waits again.
  ///
  /// - Returns: `false` if the task was cancelled, or the body of the world has returned.
  func settle() async -> Bool {
    let id = state.withLock { $0.rests.makeID() }
    let isSettled = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if Task.isCancelled { return true }
          state.rests.add(id, continuation)
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let continuation = state.withLock { $0.rests.cancel(id) }
      continuation?.resume(returning: false)
    }
    // A loop of such waits would keep all other tasks from running.
    if Task.isCancelled { await Task.yield() }
    return isSettled
  }

  /// Advances a clock to its next deadline whenever nothing in the world is ready to run, while a closure runs.
  func advancing<Value, Failure>(
    _ clock: ManualClock, during body: () async throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let id = state.withLock { $0.rests.add(clock) }
    defer { state.withLock { $0.rests.stopAdvancing(id) } }
    return try await body()
  }

  /// How long the world has waited for limits although nothing in it could happen.
  var patientTime: Duration { state.withLock(\.rests.patientTime) }

  /// Calls a closure once, when ``patientTime`` reaches a deadline.
  ///
  /// That time stands still while anything in the world is ready to run or ``settle()`` waits. After that, it advances
  /// to the next deadline. A limit is therefore reached when nothing else can happen or, if something always happens,
  /// after the same time in real time.
  ///
  /// - Parameter end: Receives `false` if the body of the world has returned. It is not called after
  ///   ``cancelLimit(_:)``.
  /// - Returns: An identifier for ``cancelLimit(_:)``.
  func limit(at deadline: Duration, _ end: @escaping @Sendable (_ isReached: Bool) -> Void) -> Int {
    state.withLock { $0.rests.addLimit(at: deadline, end) }
  }

  func cancelLimit(_ id: Int) { state.withLock { $0.rests.removeLimit(id) } }
}
