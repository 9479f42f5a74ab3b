import Glibc
package import SimulatedReceiver

/// A TCP socket on 127.0.0.1. It closes itself.
final class LoopbackSocket: Sendable {
  let descriptor: CInt

  init(isBlocking: Bool = true) throws(SystemError) {
    let type = SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue
    descriptor = socket(
      AF_INET, CInt(isBlocking ? type : type | SOCK_NONBLOCK.rawValue), 0)
    guard descriptor >= 0 else { throw SystemError("socket") }
  }

  deinit { close(descriptor) }

  /// Starts to listen.
  ///
  /// - Parameter port: 0 for one that the system chooses.
  func listen(port: Int = 0, backlog: CInt = 128) throws(SystemError) {
    // A port whose last connections are hardly over can be taken again.
    var isOn: CInt = 1
    setsockopt(
      descriptor, SOL_SOCKET, SO_REUSEADDR, &isOn, socklen_t(MemoryLayout<CInt>.size))
    try bind(port: port)
    guard Glibc.listen(descriptor, backlog) == 0 else { throw SystemError("listen") }
  }

  func bind(port: Int) throws(SystemError) {
    let status = withAddress(port: port) { Glibc.bind(descriptor, $0, $1) }
    guard status == 0 else { throw SystemError("bind to port \(port)") }
  }

  func connect(port: Int, patience: Duration = .seconds(5)) throws(SystemError) {
    var limit = timeval(patience)
    setsockopt(
      descriptor, SOL_SOCKET, SO_SNDTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
    let status = withAddress(port: port) { Glibc.connect(descriptor, $0, $1) }
    guard status == 0 else { throw SystemError("connect to port \(port)") }
  }

  var localPort: Int {
    var address = sockaddr_in()
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutableBytes(of: &address) { bytes in
      _ = getsockname(
        descriptor, bytes.baseAddress?.assumingMemoryBound(to: sockaddr.self), &length)
    }
    return Int(UInt16(bigEndian: address.sin_port))
  }

  private func withAddress(
    port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
  ) -> CInt {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(port).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
    return withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}

extension timeval {
  init(_ duration: Duration) {
    let (seconds, attoseconds) = duration.components
    self.init(tv_sec: Int(seconds), tv_usec: Int(attoseconds / 1_000_000_000_000))
  }
}

/// A port of the loopback interface that nobody listens on.
///
/// It is below the range that the system takes outgoing connections' ports from: a connect that is
/// tried again and again on a port of that range may meet itself.
package func freePort() throws(SystemError) -> Int {
  for _ in 0..<1000 {
    let port = Int.random(in: 10_000..<32_000)
    let socket = try LoopbackSocket()
    if (try? socket.bind(port: port)) != nil { return port }
  }
  throw SystemError("bind", code: EADDRINUSE)
}
