import EventLoop
import Synchronization

/// Runs something on an event loop of its own, on this thread.
enum LoopRun {
  /// The system has no descriptor left for a loop.
  struct NoLoop: Error {}

  static func result<Result: Sendable>(
    of body: @escaping @Sendable (EventLoop) async -> Result
  ) throws -> Result {
    guard let loop = EventLoop() else { throw NoLoop() }
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
