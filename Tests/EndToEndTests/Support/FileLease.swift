import DaemonHarness
import Glibc
import SimulatedReceiver

/// A file that no other process can open while this exists, or for 45 s: open(2) waits that long.
final class FileLease: Sendable {
  // <fcntl.h> defines them only with _GNU_SOURCE.
  private static let setLease: CInt = 1024
  private static let getLease: CInt = 1025

  private let descriptor: CInt

  init(on path: String) throws(SystemError) {
    // SIGIO tells the holder of a lease that somebody waits, and SIGIO would end the tests.
    signal(SIGIO, SIG_IGN)
    descriptor = open(path, O_RDWR | O_CLOEXEC)
    guard descriptor >= 0 else { throw SystemError("open") }
    guard fcntl(descriptor, Self.setLease, F_WRLCK) == 0 else {
      let error = SystemError("fcntl(F_SETLEASE)")
      close(descriptor)
      throw error
    }
  }

  deinit { close(descriptor) }

  /// Whether somebody waits to open the file: the lease is then one that is to become none.
  var isWanted: Bool { fcntl(descriptor, Self.getLease) != F_WRLCK }
}
