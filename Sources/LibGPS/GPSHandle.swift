import CGPS
import CGPSShims
import GPSDLocation
import Glibc

/// An open libgps connection, which is closed once, when the handle is deallocated.
///
/// libgps is called only by `init` and `deinit`. All reads and writes use the descriptor directly.
@safe final class GPSHandle: Sendable {
  let descriptor: CInt
  // Written only in init and read only in deinit, which never run concurrently.
  nonisolated(unsafe) private let gps: UnsafeMutablePointer<gps_data_t>
  // gps_open keeps this pointer; like the above, it is for init and deinit alone.
  nonisolated(unsafe) private let address: UnsafeMutablePointer<CChar>
  // As the address: kept by gps_open, and freed in deinit.
  nonisolated(unsafe) private let port: UnsafeMutablePointer<CChar>

  /// Connects to a numeric address. Blocks until the connection is established or fails.
  init(address: String, port: UInt16) throws(GPSDError) {
    unsafe gps = .allocate(capacity: 1)
    // A failing gps_open() leaves most of it unchanged.
    unsafe gps.initialize(to: gps_data_t())
    unsafe self.address = address.withCString { unsafe strdup($0) }
    unsafe self.port = String(port).withCString { unsafe strdup($0) }
    let code = unsafe lw_gps_open(gps, self.address, self.port)
    descriptor = code == 0 ? unsafe lw_gps_fd(gps) : -1
    guard descriptor >= 0 else {
      let reason = code > 0 ? code : ConnectFailure.reason(address: address, port: port)
      let text = unsafe String(cString: lw_gps_open_error(reason > 0 ? reason : code))
      throw GPSDError(
        .cannotConnect, systemError: reason > 0 ? .errno(reason) : .libgps(code),
        text.lowercasedFirst)
    }
    harden()
  }

  deinit {
    if descriptor >= 0 { _ = unsafe gps_close(gps) }
    unsafe gps.deallocate()
    unsafe free(address)
    unsafe free(port)
  }

  /// Keeps child processes from inheriting the descriptor, and enables detection of a vanished peer.
  private func harden() {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
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

extension String {
  fileprivate var lowercasedFirst: String { prefix(1).lowercased() + dropFirst() }
}
