/// A request of HTTP/1, as far as its answer depends on it.
package struct HTTPRequest: Equatable, Sendable {
  package var method: String
  /// The path, without a query and without the host that a target can have.
  package var path: String
  /// Whether the version of HTTP requires a `Host` header.
  package var needsHost: Bool
  /// The values of these headers in their order. Hosts and origins are in lower case. A host in the target replaces that
  /// of the header.
  package var (hosts, origins, sites): ([String], [String], [String])
}

extension HTTPRequest {
  private static let newline = UInt8(ascii: "\n")

  /// - Parameter head: Everything up to the empty line, in any form.
  fileprivate init(head: [UInt8]) throws(HTTPRefusal) {
    var lines = head.split(separator: Self.newline, omittingEmptySubsequences: false)
    for index in lines.indices where lines[index].last == UInt8(ascii: "\r") {
      lines[index].removeLast()
    }
    guard lines.allSatisfy({ $0.allSatisfy(Self.isText) }) else { throw .noRequest }
    let words = lines[0].split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
    guard words.count == 3, case let version = Self.text(words[2]),
      version.utf8.count == 8, version.hasPrefix("HTTP/1."), version.last?.isNumber == true
    else { throw .noRequest }
    method = Self.text(words[0])
    var target = words[1]
    let host = Self.takeHost(of: &target)
    path = Self.text(target.prefix { $0 != UInt8(ascii: "?") })
    if host != nil, path.isEmpty { path = "/" }
    needsHost = version != "HTTP/1.0"
    (hosts, origins, sites) = ([], [], [])
    for line in lines.dropFirst() where !line.isEmpty {
      let name = line.prefix { $0 != UInt8(ascii: ":") }
      // A blank in a name, or before it, would be read differently by others.
      guard !name.isEmpty, name.endIndex < line.endIndex, name.allSatisfy({ $0 > 0x20 })
      else { throw .noRequest }
      let value = Self.text(Self.trimmed(line[name.endIndex...].dropFirst()))
      switch Self.text(name).lowercased() {
      case "host": hosts.append(value.lowercased())
      case "origin": origins.append(value.lowercased())
      case "sec-fetch-site": sites.append(value)
      default: break
      }
    }
    if let host, hosts.count == 1 || hosts.isEmpty && !needsHost { hosts = [host] }
  }

  /// Removes the scheme and the host from a target in absolute form (RFC 9112, 3.2.2). Returns the host, in lower case;
  /// `nil` if the target has another form.
  private static func takeHost(of target: inout ArraySlice<UInt8>) -> String? {
    let scheme = "http://"
    guard text(target.prefix(scheme.utf8.count)).lowercased() == scheme else { return nil }
    target = target.dropFirst(scheme.utf8.count)
    let host = target.prefix { !"/?".utf8.contains($0) }
    target = target[host.endIndex...]
    return text(host).lowercased()
  }

  private static func isText(_ byte: UInt8) -> Bool {
    byte >= 0x20 && byte != 0x7F || byte == UInt8(ascii: "\t")
  }

  private static func text(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes, as: UTF8.self)
  }

  private static func trimmed(_ value: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
    var value = value.drop(while: isBlank)
    while value.last.map(isBlank) == true { value.removeLast() }
    return value
  }
}

/// Reads a request in pieces of any size.
package struct HTTPRequestReader: Sendable {
  /// The maximum size of a request without its body, in bytes.
  package static let maximumSize = 8 * 1024

  private var head: [UInt8] = []
  private var isLineEmpty = true

  package init() {}

  /// Whether nothing has been read.
  package var isEmpty: Bool { head.isEmpty }

  /// Reads more bytes.
  ///
  /// - Returns: The request, once it is complete. The bytes after it are ignored.
  package mutating func read(_ bytes: some Sequence<UInt8>) throws(HTTPRefusal) -> HTTPRequest? {
    for byte in bytes {
      guard head.count < Self.maximumSize else { throw .tooLarge }
      head.append(byte)
      if byte == UInt8(ascii: "\n") {
        if isLineEmpty { return try HTTPRequest(head: head) }
        isLineEmpty = true
      } else if byte != UInt8(ascii: "\r") {
        isLineEmpty = false
      }
    }
    return nil
  }
}
