import GPSDLocation
import Glibc

/// Why nothing could be connected to. libgps up to 3.25 says only that it failed, and its successors
/// do not always say more: a second try on a plain socket tells the system's own reason.
enum ConnectFailure {
  /// The errno of a connection to a numeric address; 0 where this time it came about, or where it
  /// takes longer than a second.
  static func reason(address: String, port: UInt16) -> CInt {
    var hints = unsafe NumericAddress.hints(flags: AI_NUMERICHOST)
    var list: UnsafeMutablePointer<addrinfo>?
    guard unsafe getaddrinfo(address, String(port), &hints, &list) == 0, let info = unsafe list
    else { return 0 }
    defer { unsafe freeaddrinfo(list) }
    let descriptor = socket(unsafe info.pointee.ai_family, CInt(SOCK_STREAM.rawValue), 0)
    guard descriptor >= 0 else { return errno }
    defer { _ = close(descriptor) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
    if unsafe Glibc.connect(descriptor, info.pointee.ai_addr, info.pointee.ai_addrlen) == 0 {
      return 0
    }
    guard errno == EINPROGRESS else { return errno }
    var waited = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
    guard unsafe poll(&waited, 1, 1000) == 1 else { return 0 }
    var reason: CInt = 0
    var length = socklen_t(MemoryLayout<CInt>.size)
    _ = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &reason, &length)
    return reason
  }
}
