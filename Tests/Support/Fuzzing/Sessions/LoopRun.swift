import EventLoop
import Synchronization

/// Runs something on an event loop of its own, on this thread.
enum LoopRun {
  /// The system has no descriptor left for a loop.
  struct NoLoop: Error {}

  /// The loop has outlived the run.
  struct Leak: Error {}

  static func result<Result: Sendable>(
    of body: @escaping @Sendable (EventLoop) async -> Result
  ) throws -> Result {
    weak var used: EventLoop?
    let value = try run(body) { used = $0 }
    guard used == nil else { throw Leak() }
    return value
  }

  private static func run<Result: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async -> Result, _ note: (EventLoop) -> Void
  ) throws -> Result {
    guard let loop = EventLoop() else { throw NoLoop() }
    note(loop)
    let result = Mutex<Result?>(nil)
    Task(executorPreference: loop) {
      let value = await body(loop)
      result.withLock { $0 = value }
      loop.finish()
    }
    loop.run()
    guard let value = result.withLock(\.self) else { throw NoLoop() }
    return value
  }
}
