import GPSDLocation
import Glibc

/// A port of the loopback interface on which nobody listens.
enum LoopbackPort {
  /// Below the ports that the system gives to clients: a client that waits there for gpsd to start
  /// could be given the very port it connects to, and be connected to itself.
  private static let range: ClosedRange<UInt16> = 20_000...31_999
  private static let tries = 100

  /// One that is free now. Somebody else may take it before it is used; then gpsd does not start, and
  /// the next attempt takes another.
  static func free() throws(GPSDError) -> UInt16 {
    for _ in 0..<tries {
      let port = UInt16.random(in: range)
      if isFree(port) { return port }
    }
    throw GPSDError(.cannotConnect, number: EADDRINUSE, "no free port: \(systemText(EADDRINUSE))")
  }

  private static func isFree(_ port: UInt16) -> Bool {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { _ = close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    return unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
  }
}
