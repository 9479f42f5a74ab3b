import GPSDLocation
import Glibc

/// A stream socket that is closed at the end of its lifetime, and is not inherited by child
/// processes.
final class Socket: Sendable {
  let descriptor: CInt

  /// - Parameter options: Such as SOCK_NONBLOCK.
  init(_ family: CInt, options: UInt32 = 0) throws(GPSDError) {
    descriptor = socket(family, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | options), 0)
    guard descriptor >= 0 else { throw .cannotStart(errno) }
  }

  deinit { _ = close(descriptor) }

  /// Returns a socket that listens on a free port of the loopback interface, and its port.
  static func listeningOnLoopback() throws(GPSDError) -> (socket: Socket, port: UInt16) {
    let socket = try Socket(AF_INET)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let code = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe Glibc.bind(socket.descriptor, address, length) == 0 else { return errno }
        return unsafe getsockname(socket.descriptor, address, &length) == 0 ? 0 : errno
      }
    }
    guard code == 0 else { throw .cannotStart(code) }
    try socket.listen()
    return (socket, UInt16(bigEndian: address.sin_port))
  }

  /// Binds the socket to a path in the file system.
  func bind(to path: String) throws(GPSDError) {
    let code = unsafe Self.withAddress(path) { unsafe Glibc.bind(descriptor, $0, $1) }
    guard code == 0 else { throw .cannotStart(errno) }
  }

  /// Connects to a socket in the file system.
  ///
  /// - Returns: Whether the connection was made.
  func connect(to path: String) -> Bool {
    unsafe Self.withAddress(path) { unsafe Glibc.connect(descriptor, $0, $1) } == 0
  }

  /// Connects to a port of the loopback interface.
  ///
  /// - Returns: Whether the connection was made.
  func connect(toLoopbackPort port: UInt16) -> Bool {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    address.sin_port = port.bigEndian
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }

  /// Sends a short text. Returns whether that was possible.
  func send(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return unsafe Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL)) == bytes.count
  }

  func listen() throws(GPSDError) {
    guard Glibc.listen(descriptor, 16) == 0 else { throw .cannotStart(errno) }
  }

  private static func withAddress(
    _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let fits = unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      guard path.utf8.count < room.count else { return false }
      unsafe room.copyBytes(from: path.utf8)
      return true
    }
    guard fits else {
      errno = ENAMETOOLONG
      return -1
    }
    return unsafe withUnsafePointer(to: address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}

extension GPSDError {
  /// Returns the error for a system call that failed while starting gpsd.
  static func cannotStart(_ number: CInt) -> GPSDError {
    GPSDError(
      .cannotConnect, systemError: .errno(number), "cannot start gpsd: \(systemText(number))")
  }
}
