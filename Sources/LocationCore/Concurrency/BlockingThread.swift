#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A thread that runs blocking code.
///
/// A dispatch queue would leave idle worker threads behind: five threads in a command that needs
/// two.
package final class BlockingThread: Sendable {
  private let body: @Sendable () -> Void

  private init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Runs `body` on a new thread, which ends when `body` returns.
  ///
  /// - Returns: `false` if the system cannot create a thread.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    let argument = unsafe Unmanaged.passRetained(BlockingThread(body)).toOpaque()
    #if canImport(Darwin)
      var thread: pthread_t?
      let code = unsafe pthread_create(&thread, nil, { unsafe BlockingThread.run($0) }, argument)
    #else
      #if canImport(Musl)
        var thread: pthread_t?
      #else
        var thread = pthread_t()
      #endif
      let code = unsafe pthread_create(
        &thread, nil, { argument in unsafe argument.flatMap { unsafe BlockingThread.run($0) } },
        argument)
    #endif
    guard code == 0 else {
      unsafe Unmanaged<BlockingThread>.fromOpaque(argument).release()
      return false
    }
    #if canImport(Darwin) || canImport(Musl)
      if let thread = unsafe thread { unsafe pthread_detach(thread) }
    #else
      pthread_detach(thread)
    #endif
    return true
  }

  private static func run(_ argument: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe Unmanaged<BlockingThread>.fromOpaque(argument).takeRetainedValue().body()
    return nil
  }
}
