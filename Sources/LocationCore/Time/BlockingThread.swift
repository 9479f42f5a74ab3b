import Glibc

/// Runs what blocks for as long as it likes.
///
/// A queue of Dispatch's would do the same, and leave its workers behind: five threads in a command
/// that needs two.
package final class BlockingThread: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Runs `body` on a thread of its own, which ends with it.
  ///
  /// - Returns: `false` where the system has no thread left.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let argument = unsafe Unmanaged.passRetained(BlockingThread(body))
    var thread = pthread_t()
    let code = unsafe pthread_create(
      &thread, nil,
      { argument in
        if let argument = unsafe argument {
          unsafe Unmanaged<BlockingThread>.fromOpaque(argument).takeRetainedValue().body()
        }
        return nil
      }, argument.toOpaque())
    guard code == 0 else {
      unsafe argument.release()
      return false
    }
    pthread_detach(thread)
    return true
  }
}
