import Glibc
import LocationCore

/// The descriptor of a connection to gpsd, which is closed when the handle is deallocated.
final class GPSHandle: Sendable {
  let descriptor: CInt

  /// Takes over the descriptor of a connection, and enables detection of a vanished peer.
  init(descriptor: CInt) {
    self.descriptor = descriptor
    set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
    set(CInt(IPPROTO_TCP), TCP_KEEPIDLE, to: 10)
    set(CInt(IPPROTO_TCP), TCP_KEEPINTVL, to: 5)
    set(CInt(IPPROTO_TCP), TCP_KEEPCNT, to: 3)
    set(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 20_000)
  }

  /// Copies the descriptor of a connection.
  convenience init(copying connection: CInt) throws(LocationError) {
    let descriptor = fcntl(connection, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { throw LocationError.system(errno) }
    self.init(descriptor: descriptor)
  }

  deinit { _ = close(descriptor) }

  private func set(_ level: CInt, _ option: CInt, to value: CInt) {
    var value = value
    _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }
}
