import GPSDLocation
import Glibc

/// A port of the loopback interface on which nobody listens.
enum LoopbackPort {
  /// The system's next free one. Somebody else may take it before it is used; then gpsd does not
  /// start, and the next attempt takes another.
  static func free() throws(GPSDError) -> UInt16 {
    let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
    defer { _ = close(descriptor) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { address in
      unsafe address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, length) == 0
          && getsockname(descriptor, address, &length) == 0
      }
    }
    guard isBound else {
      throw GPSDError(.cannotConnect, number: errno, "no free port: \(systemText(errno))")
    }
    return UInt16(bigEndian: address.sin_port)
  }
}
