/// Decides which requests of browsers are granted.
///
/// A browser connects to the local computer on behalf of any site, and any site can give its own name the local
/// address. So only requests for an address or a name of this machine are granted, and only those that a browser's
/// user or the page itself made.
package struct RequestGuard: Sendable {
  private let names: Set<String>

  /// - Parameters:
  ///   - computer: The name of this machine, with or without a domain.
  ///   - others: More names.
  package init(computer: String, others: [String] = []) {
    let short = String(computer.prefix { $0 != "." })
    names = Set(
      (["localhost", computer, short, "\(short).local"] + others).map { $0.lowercased() })
  }

  /// Returns why a request is refused; `nil` if it is granted.
  package func refusal(of request: HTTPRequest) -> HTTPRefusal? {
    guard request.hosts.count == 1 || request.hosts.isEmpty && !request.needsHost else {
      return .noHost
    }
    let host = request.hosts.first
    if let host, !isOwn(host) { return .foreignName }
    guard request.origins.allSatisfy({ origin in host.map { origin == "http://\($0)" } ?? false }),
      request.sites.allSatisfy({ $0 == "none" || $0 == "same-origin" })
    else { return .foreignSite }
    return request.method == "GET" || request.method == "HEAD" ? nil : .wrongMethod
  }

  /// Returns whether a host is an address or a name of this machine. Any address is accepted, because no site can
  /// use one as its name: no name consists of digits and dots, or has brackets.
  private func isOwn(_ host: String) -> Bool {
    var name = host[...]
    if let colon = host.lastIndex(of: ":"), host[colon...].utf8.dropFirst().allSatisfy(isDigit) {
      name = host[..<colon]
    }
    if name.hasPrefix("["), name.hasSuffix("]") {
      let address = name.utf8.dropFirst().dropLast()
      return address.contains(UInt8(ascii: ":"))
        && address.allSatisfy { isDigit($0) || "abcdef:.".utf8.contains($0) }
    }
    if name.utf8.contains(where: isDigit),
      name.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") })
    {
      return true
    }
    return !name.isEmpty && names.contains(String(name))
  }

  private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }
}
