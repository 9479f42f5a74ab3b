import GPSDLocation
import Glibc

/// An address that needs no name server: what a host's name stands for.
enum NumericAddress {
  /// All addresses of `host`, in the order in which the system prefers them. It blocks as long as
  /// the name server takes.
  static func resolve(_ host: String, port: UInt16) -> Result<[String], GPSDError> {
    lookUp(host, port: port, flags: AI_ADDRCONFIG)
  }

  /// `host` itself where it is numeric already; `nil` where it is a name. It does not block.
  static func parse(_ host: String, port: UInt16) -> [String]? {
    try? lookUp(host, port: port, flags: AI_NUMERICHOST).get()
  }

  private static func lookUp(
    _ host: String, port: UInt16, flags: CInt
  ) -> Result<[String], GPSDError> {
    var hints = unsafe hints(flags: flags)
    var list: UnsafeMutablePointer<addrinfo>?
    let code = unsafe getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      let reason = unsafe String(cString: gai_strerror(code))
      return .failure(GPSDError(.unknownHost, number: code, "\(host): \(reason)"))
    }
    defer { unsafe freeaddrinfo(list) }
    var addresses: [String] = []
    var next = unsafe list
    while let entry = unsafe next {
      if let text = unsafe text(entry.pointee), !addresses.contains(text) { addresses.append(text) }
      unsafe next = entry.pointee.ai_next
    }
    return .success(addresses)
  }

  /// What to look for: stream sockets.
  static func hints(flags: CInt) -> addrinfo {
    var hints = unsafe addrinfo()
    unsafe hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
    unsafe hints.ai_flags = flags
    return unsafe hints
  }

  private static func text(_ info: addrinfo) -> String? {
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(NI_MAXHOST)) { buffer in
      let code = unsafe getnameinfo(
        info.ai_addr, info.ai_addrlen, buffer.baseAddress, socklen_t(buffer.count), nil, 0,
        NI_NUMERICHOST)
      return code == 0 ? unsafe String(cString: buffer.baseAddress!) : nil
    }
  }
}
