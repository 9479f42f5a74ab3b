package import Glibc
package import LocationCore

/// A numeric address on the network, with a port.
package struct HostAddress: Hashable, Sendable {
  /// As in `sockaddr`.
  private var bytes: [UInt8]

  private init(_ address: UnsafePointer<sockaddr>, _ length: socklen_t) {
    unsafe bytes = Array(UnsafeRawBufferPointer(start: address, count: Int(length)))
  }

  /// Creates an address that a system call writes.
  ///
  /// - Parameter body: Returns `nil` if it has not written an address.
  package init?(_ body: (UnsafeMutablePointer<sockaddr>, inout socklen_t) -> Void?) {
    var storage = sockaddr_storage()
    var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let address: HostAddress? = unsafe withUnsafeMutablePointer(to: &storage) { storage in
      unsafe storage.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        guard unsafe body(address, &length) != nil else { return nil }
        return unsafe HostAddress(
          address, min(length, socklen_t(MemoryLayout<sockaddr_storage>.size)))
      }
    }
    guard let address else { return nil }
    self = address
  }

  /// AF_INET or AF_INET6.
  package var family: CInt {
    unsafe withSocketAddress { address, _ in CInt(unsafe address.pointee.sa_family) }
  }

  /// The bytes of the address without its port.
  package var host: [UInt8] {
    switch family {
    case AF_INET: Array(bytes.dropFirst(4).prefix(4))
    case AF_INET6: Array(bytes.dropFirst(8).prefix(16))
    default: bytes
    }
  }

  /// Whether only this machine can reach the address.
  package var isLoopback: Bool {
    host.count == 4 ? host[0] == 127 : host == Array(repeating: 0, count: 15) + [1]
  }

  /// Whether it stands for all addresses of this machine, as 0.0.0.0 and [::] do.
  package var isUnspecified: Bool { host.allSatisfy { $0 == 0 } }

  /// The port.
  package var port: UInt16 { bytes.dropFirst(2).prefix(2).reduce(0) { $0 << 8 | UInt16($1) } }

  func withSocketAddress<Result>(
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe body(
        bytes.baseAddress!.assumingMemoryBound(to: sockaddr.self), socklen_t(bytes.count))
    }
  }

  /// Returns the addresses of a receiver's host, in the system's order of preference. Blocks until the
  /// name server answers.
  package static func resolve(_ receiver: NetworkAddress) throws(LocationError) -> [HostAddress] {
    try resolve(receiver, receiver.host.isEmpty ? AI_PASSIVE : AI_ADDRCONFIG)
  }

  /// Returns the addresses of a host without a name, for which no name server is asked; `nil` for one with a name.
  package static func known(of receiver: NetworkAddress) -> [HostAddress]? {
    try? resolve(receiver, receiver.host.isEmpty ? AI_PASSIVE : AI_NUMERICHOST)
  }

  private static func resolve(
    _ receiver: NetworkAddress, _ flags: CInt
  ) throws(LocationError) -> [HostAddress] {
    var hints = unsafe addrinfo()
    let kind = receiver.transport == .tcp ? SOCK_STREAM : SOCK_DGRAM
    unsafe hints.ai_socktype = CInt(kind.rawValue)
    unsafe hints.ai_flags = flags
    var list: UnsafeMutablePointer<addrinfo>?
    let host = receiver.host.isEmpty ? nil : receiver.host
    let code = unsafe getaddrinfo(host, String(receiver.port), &hints, &list)
    guard code == 0 else {
      let reason = unsafe String(cString: gai_strerror(code))
      throw LocationError(.unknownHost, systemError: .resolver(code), reason)
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [HostAddress] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let address = unsafe entry.pointee.ai_addr {
        unsafe addresses.append(HostAddress(address, entry.pointee.ai_addrlen))
      }
      unsafe next = entry.pointee.ai_next
    }
    // A socket of IPv6 that is bound to no address receives datagrams of both.
    return host == nil ? addresses.sorted { $0.family > $1.family } : addresses
  }
}

extension HostAddress: CustomStringConvertible {
  /// As in `192.168.1.7:9999` or `[::1]:9999`.
  package var description: String {
    let (hostRoom, portRoom) = (Int(NI_MAXHOST), 8)
    return unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: hostRoom + portRoom) {
      buffer in
      guard let host = buffer.baseAddress else { return "?" }
      let port = unsafe host + hostRoom
      let code = unsafe withSocketAddress { address, length in
        unsafe getnameinfo(
          address, length, host, socklen_t(hostRoom), port, socklen_t(portRoom),
          NI_NUMERICHOST | NI_NUMERICSERV)
      }
      guard code == 0 else { return "?" }
      let name = unsafe String(cString: host)
      let isIPv6 = name.utf8.contains(UInt8(ascii: ":"))
      return unsafe (isIPv6 ? "[\(name)]" : name) + ":" + String(cString: port)
    }
  }
}
