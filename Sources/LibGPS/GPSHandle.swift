import CGPS
import CGPSShims
import Glibc
import LocationCore

/// A connection to gpsd, which libgps has opened unless there was one. It is closed once, when the handle is deallocated.
///
/// `gps_open` keeps buffers of 40 KB that only libgps's own readers use. The handle keeps a duplicate of
/// only the descriptor, so that a thousand sources take little memory.
final class GPSHandle: Sendable {
  let descriptor: CInt

  /// Connects to a numeric address. Blocks until the connection is established or fails.
  init(address: String, port: UInt16) throws(LocationError) {
    let opened = Self.open(address, port.digits)
    descriptor = opened.descriptor
    guard descriptor >= 0 else {
      let reason =
        opened.code > 0 ? opened.code : ConnectFailure.reason(address: address, port: port)
      let text = unsafe String(cString: lw_gps_open_error(reason > 0 ? reason : opened.code))
      throw LocationError(
        .unreachable, systemError: reason > 0 ? .errno(reason) : .libgps(opened.code),
        text.lowercasedFirst)
    }
    harden()
  }

  /// Copies the descriptor of a connection.
  init(copying connection: CInt) throws(LocationError) {
    descriptor = fcntl(connection, F_DUPFD_CLOEXEC, 0)
    let number = errno
    guard descriptor >= 0 else {
      throw LocationError(
        .unreachable, systemError: .errno(number), unsafe String(cString: strerror(number)))
    }
    harden()
  }

  deinit { if descriptor >= 0 { _ = close(descriptor) } }

  /// Returns the descriptor of a new connection; or -1, and a negative code of libgps or a positive error
  /// number of the system.
  private static func open(_ address: String, _ port: String) -> (descriptor: CInt, code: CInt) {
    // From 3.25 on, gps_open keeps both strings until gps_close.
    unsafe address.withCString { address in
      unsafe port.withCString { port in
        let gps = UnsafeMutablePointer<gps_data_t>.allocate(capacity: 1)
        defer { unsafe gps.deallocate() }
        // A failing gps_open() leaves most of it unchanged.
        unsafe gps.initialize(to: gps_data_t())
        let code = unsafe lw_gps_open(gps, address, port)
        guard code == 0 else { return (-1, code) }
        let descriptor = unsafe fcntl(lw_gps_fd(gps), F_DUPFD_CLOEXEC, 0)
        let number = errno
        _ = unsafe gps_close(gps)
        return (descriptor, number)
      }
    }
  }

  /// Enables detection of a vanished peer.
  private func harden() {
    set(SOL_SOCKET, SO_KEEPALIVE, to: 1)
    set(CInt(IPPROTO_TCP), TCP_KEEPIDLE, to: 10)
    set(CInt(IPPROTO_TCP), TCP_KEEPINTVL, to: 5)
    set(CInt(IPPROTO_TCP), TCP_KEEPCNT, to: 3)
    set(CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: 20_000)
  }

  private func set(_ level: CInt, _ option: CInt, to value: CInt) {
    var value = value
    _ = unsafe setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<CInt>.size))
  }
}

extension UInt16 {
  /// The number as text. The standard library's conversion of integers would take 140 KB of memory.
  fileprivate var digits: String {
    let digits = [10_000, 1000, 100, 10, 1].drop { $0 > self }
      .map { UInt8(ascii: "0") + UInt8(self / $0 % 10) }
    return String(decoding: digits, as: UTF8.self)
  }
}

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
