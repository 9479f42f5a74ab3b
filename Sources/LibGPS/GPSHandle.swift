import CGPS
import CGPSShims
import GPSDLocation
import Glibc

/// An open connection of libgps's. It is closed, once, when the last one lets go of it.
///
/// libgps is called when it is made and when it goes, and nowhere between: what happens on its
/// descriptor is ours.
@safe final class GPSHandle: Sendable {
  let descriptor: CInt
  // Written in init and read in deinit alone, which no two threads run at the same time.
  nonisolated(unsafe) private let gps: UnsafeMutablePointer<gps_data_t>
  nonisolated(unsafe) private let address: UnsafeMutablePointer<CChar>
  nonisolated(unsafe) private let port: UnsafeMutablePointer<CChar>

  /// Connects to a numeric address, and blocks until that came about or failed.
  init(address: String, port: UInt16) throws(GPSDError) {
    unsafe gps = .allocate(capacity: 1)
    // A failing gps_open() leaves most of it as it was.
    unsafe gps.initialize(to: gps_data_t())
    unsafe self.address = address.withCString { unsafe strdup($0) }
    unsafe self.port = String(port).withCString { unsafe strdup($0) }
    let code = unsafe lw_gps_open(gps, self.address, self.port)
    descriptor = code == 0 ? unsafe lw_gps_fd(gps) : -1
    guard descriptor >= 0 else {
      let reason = code > 0 ? code : ConnectFailure.reason(address: address, port: port)
      let text = unsafe String(cString: lw_gps_open_error(reason > 0 ? reason : code))
      throw GPSDError(.cannotConnect, number: reason > 0 ? reason : code, text.lowercasedFirst)
    }
    harden()
  }

  deinit {
    if descriptor >= 0 { _ = unsafe gps_close(gps) }
    unsafe gps.deallocate()
    unsafe free(address)
    unsafe free(port)
  }

  /// Makes the descriptor one that no child inherits and on which a vanished peer is noticed.
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
