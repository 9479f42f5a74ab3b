import GPSDLocation

/// Starts a run on its executor, from that one's thread.
///
/// A task that starts elsewhere and changes over then makes Dispatch start threads of its own.
actor RunTask<Session: GPSDSession> {
  private let run: Run<Session>

  init(_ run: Run<Session>) { self.run = run }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe run.executor.asUnownedSerialExecutor()
  }

  /// - Parameter end: Called with the status, on the executor.
  nonisolated func start(then end: @escaping @Sendable (ExitStatus) -> Void) -> Task<Void, Never> {
    assumeIsolated { task in
      Task { end(await task.run.exitStatus()) }
    }
  }
}
