import Glibc

/// Where blocking calls go: tests share a pool of few threads, none of which may block.
enum BackgroundThread {
  /// Starts a thread that does `body`, and does not wait for it.
  static func start(_ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(Body(body))
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        // A write to what was closed then fails with EPIPE, and does not end the tests.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        Unmanaged<Body>.fromOpaque(context).takeRetainedValue().body()
        return nil
      }, box.toOpaque())
    precondition(status == 0, "pthread_create: \(status)")
    pthread_detach(thread)
  }

  /// Does `body` on a thread of its own, and waits for it without blocking.
  static func run<Value: Sendable>(
    _ body: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      start { continuation.resume(with: Result(catching: body)) }
    }
  }

  private final class Body {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }
}
