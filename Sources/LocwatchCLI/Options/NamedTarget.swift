import GPSDLocation
import GPSDProtocol
import Glibc
package import LocwatchReceivers
import LocwatchSystem

/// A target, and the name of its source in records.
package struct NamedTarget: Equatable, Sendable {
  package var name: String
  package var target: Target

  init(_ name: String, _ target: Target) {
    self.name = name
    self.target = target
  }

  /// Reads `[NAME=]TARGET`. The name ends at the first `=`, unless a slash or a colon comes before it.
  /// Without a name, the name of the source is the target as it was typed, without the user info of a URL.
  init(operand: String) throws(UsageError) {
    let end = operand.utf8.firstIndex { "=/:".utf8.contains($0) }
    guard let end, operand.utf8[end] == UInt8(ascii: "=") else {
      name = operand.withoutUserInfo
      target = try Target(operand: operand)
      return
    }
    name = try OptionValues.name(operand[..<end], of: operand)
    target = try Target(operand: String(Substring(operand.utf8[end...].dropFirst())))
  }

  /// Reads the targets of a command line, whose names are distinct.
  static func all(_ operands: [String]) throws(UsageError) -> [NamedTarget] {
    var names: Set<String> = []
    var targets: [NamedTarget] = []
    for operand in operands {
      let target = try NamedTarget(operand: operand)
      guard names.insert(target.name).inserted else {
        throw UsageError("two targets are named '\(target.name)'")
      }
      targets.append(target)
    }
    return targets
  }
}

extension Target {
  /// Reads `SERVER[:PORT[:DEVICE]]`, `[v6addr]:PORT`, `tcp://HOST:PORT`, `udp://[HOST]:PORT` or a path.
  ///
  /// A message does not repeat what may be a password in a misspelt URL.
  init(operand: String) throws(UsageError) {
    let hidden = operand.withoutTypedUserInfo
    guard hidden != operand, operand.scheme == nil else {
      try self.init(text: operand)
      return
    }
    let misspelt = UsageError(
      "'\(hidden)' is neither a server nor a receiver; a caster's user and password belong in "
        + "~/.netrc, or in NTRIP_USER and NTRIP_PASSWORD")
    if operand.utf8.starts(with: "//".utf8) { throw misspelt }
    do throws(UsageError) { try self.init(text: operand) } catch { throw misspelt }
  }

  private init(text operand: String) throws(UsageError) {
    if ["/", "./", "../"].contains(where: { operand.utf8.starts(with: $0.utf8) }) {
      try Self.refuse(path: operand[...], longerThan: Self.maximumPath)
      try Self.refuseUnescaped(operand)
      self = .tty(operand)
      return
    }
    if let address = try Self.network(operand) {
      self = .network(address)
      return
    }
    try Self.refuseDevice(operand)
    let (host, rest) = try Self.splitHost(operand)
    try Self.refuse(host: host)
    if rest == nil { try Self.refuse(lonePort: host) }
    var endpoint = GPSDEndpoint()
    if !host.isEmpty { endpoint.host = host }
    guard let rest else {
      self = .gpsd(endpoint, device: nil)
      return
    }
    let (port, device) = Self.split(rest)
    if device?.isEmpty == true {
      throw UsageError("no device after the last colon of '\(operand)'")
    }
    if device.map(Self.couldEndAnAddress) == true {
      throw UsageError("write an IPv6 address in brackets: '[\(operand)]'")
    }
    if let device { try Self.refuse(device: device) }
    if !(port.isEmpty && device != nil) { endpoint.port = try Self.port(port) }
    self = .gpsd(endpoint, device: device.map(String.init))
  }

  /// Returns the text before the first colon, and the text after it.
  private static func split(_ text: Substring) -> (head: Substring, tail: Substring?) {
    guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return (text, nil) }
    return (text[..<colon], Substring(text.utf8[colon...].dropFirst()))
  }

  /// Rejects a number that is probably a port.
  private static func refuse(lonePort host: String) throws(UsageError) {
    guard (try? port(host[...])) != nil else { return }
    throw UsageError(
      "'\(host)' is taken for a host; for a port, write 'localhost:\(host)'")
  }

  /// Rejects a name that no receiver of gpsd can have.
  static func refuse(device: Substring) throws(UsageError) {
    try refuse(path: device, longerThan: maximumDevice)
    if String(device).isSourceOfCorrections {
      throw UsageError("'\(device)' is a source of corrections, not a receiver")
    }
    if isNameInDev(device) {
      throw UsageError("'\(device)' is not the path of a receiver; did you mean '/dev/\(device)'?")
    }
  }

  /// Returns the address of a receiver on the network; `nil` if the text is not a URL. Rejects any other URL.
  private static func network(_ operand: String) throws(UsageError) -> NetworkAddress? {
    guard let scheme = operand.scheme else { return nil }
    var server = operand[scheme.endIndex...].dropFirst(3)
    while server.hasSuffix("/") { server.removeLast() }
    if operand.isSourceOfCorrections {
      let form = Substring(scheme).lowercased() == "ntrips" ? "ntrips" : "ntrip"
      throw UsageError(
        "'\(operand)' is a source of corrections, not a receiver: "
          + "'locwatch /dev/ttyACM0 --corrections \(form)://…'")
    }
    if let transport = NetworkAddress.Transport(rawValue: Substring(scheme).lowercased()) {
      return try network(transport, String(server), in: operand)
    }
    // gpsd has no users.
    if let at = server.lastIndex(of: "@") { server = server[at...].dropFirst() }
    throw UsageError(
      "'\(operand)' is a URL; write the server without \(Substring(scheme))://"
        + (server.isEmpty ? "" : ": '\(server)'"))
  }

  /// Reads the part of a receiver's URL after the scheme.
  private static func network(
    _ transport: NetworkAddress.Transport, _ server: String, in operand: String
  ) throws(UsageError) -> NetworkAddress {
    guard !server.utf8.contains(UInt8(ascii: "@")) else {
      throw UsageError("a receiver on the network has no user: '\(operand)'")
    }
    let colons = server.utf8.count { $0 == UInt8(ascii: ":") }
    if colons > 1, !server.hasPrefix("["), couldEndAnAddress(server[...]) {
      throw UsageError(
        "'\(operand)': write an IPv6 address in brackets, as in '\(transport.rawValue)://[::1]:10110'"
      )
    }
    var (host, rest): (String, Substring?) = ("", nil)
    if !server.isEmpty { (host, rest) = try splitHost(server) }
    if rest == nil, (try? port(host[...])) != nil {
      let server = transport == .udp ? "" : "HOST"
      throw UsageError(
        "'\(operand)' has no port, because \(host) is taken for the host; did you mean "
          + "'\(transport.rawValue)://\(server):\(host)'?")
    }
    guard let rest else {
      throw UsageError(
        "'\(operand)' has no port; NMEA often has 10110: '\(transport.rawValue)://\(host):10110'")
    }
    guard transport == .udp || !host.isEmpty else { throw UsageError("'\(operand)' has no host") }
    if !host.isEmpty { try refuse(host: host) }
    return NetworkAddress(transport, host: host, port: try port(rest))
  }

  /// Reads `HOST` or `HOST:PORT` of a server that is not gpsd.
  static func server(
    _ text: String, defaultPort: UInt16
  ) throws(UsageError) -> (host: String, port: UInt16) {
    let (host, rest) = try splitHost(text)
    try refuse(host: host)
    return (host, try rest.map { port throws(UsageError) in try Self.port(port) } ?? defaultPort)
  }

  /// Rejects a device without its full path, which would be taken as a host name.
  private static func refuseDevice(_ operand: String) throws(UsageError) {
    guard !operand.utf8.contains(UInt8(ascii: ":")), !operand.isEmpty else { return }
    if operand.hasPrefix("dev/") {
      throw UsageError("'\(operand)' is not a host; did you mean '/\(operand)'?")
    }
    guard isNameInDev(operand[...]) else { return }
    throw UsageError(
      "'\(operand)' is taken for a host; write '/dev/\(operand)' for the receiver, or "
        + "'\(operand):2947' for a host of that name")
  }

  /// Whether a name without a slash is, or looks like, the name of a device.
  private static func isNameInDev(_ name: Substring) -> Bool {
    guard !name.utf8.contains(UInt8(ascii: "/")) else { return false }
    var status = stat()
    let isDevice =
      unsafe stat("/dev/\(name)", &status) == 0 && status.st_mode & S_IFMT == S_IFCHR
    return isDevice || name.hasPrefix("tty") && name.utf8.allSatisfy { isalnum(CInt($0)) != 0 }
  }

  /// Names with a special meaning in libgps.
  private static let pseudoHosts = ["shared memory", "dbus export", "local file"]
  /// The maximum length of a host's name, in bytes (RFC 1035, without the lengths of its labels).
  private static let maximumHost = 253
  /// The maximum length of a local path, in bytes (PATH_MAX, without the NUL at its end).
  private static let maximumPath = 4095
  /// The maximum length of a receiver's name that is compared with gpsd's, in bytes.
  private static let maximumDevice = 255

  /// Rejects a name that no host can have. U+FFFD stands for bytes that are not UTF-8.
  private static func refuse(host: String) throws(UsageError) {
    guard host.utf8.count <= maximumHost else {
      throw UsageError(
        "the name of a host has at most \(maximumHost) bytes, not \(host.utf8.count)")
    }
    let isOdd = host.unicodeScalars.contains {
      $0.properties.isWhitespace || $0.properties.generalCategory == .control || $0 == "\u{fffd}"
    }
    guard !isOdd, !host.utf8.contains(UInt8(ascii: "/")), !host.utf8.starts(with: "-".utf8) else {
      let reason =
        if pseudoHosts.contains(host.lowercased()) {
          ": locwatch talks to gpsd over TCP only"
        } else if Machine.this.isFile(host) {
          "; \(Hint.replay(host))"
        } else {
          ""
        }
      throw UsageError("'\(host)' is not a host\(reason)")
    }
  }

  /// Rejects a path that no device can have.
  private static func refuse(path: Substring, longerThan limit: Int) throws(UsageError) {
    guard path.utf8.count <= limit else {
      throw UsageError("the path of a receiver has at most \(limit) bytes, not \(path.utf8.count)")
    }
  }

  /// Rejects a path with which gpsd's reports are not JSON, because gpsd escapes nothing.
  private static func refuseUnescaped(_ path: String) throws(UsageError) {
    guard path.utf8.contains(where: { $0 < 0x20 || $0 == 0x22 || $0 == 0x5C }) else { return }
    throw UsageError(
      "'\(path)' has a quotation mark, a backslash or a control character, with which gpsd's reports are not "
        + "JSON; make a link to it, and name that")
  }

  /// Returns the host without brackets, and the text after the colon that follows it.
  private static func splitHost(
    _ operand: String
  ) throws(UsageError) -> (host: String, rest: Substring?) {
    if operand.isEmpty { throw UsageError("the name of the server must not be empty") }
    guard operand.utf8.first == UInt8(ascii: "[") else {
      let (host, rest) = split(operand[...])
      return (String(host), rest)
    }
    guard let bracket = operand.firstIndex(of: "]") else {
      throw UsageError("no ']' after the address in '\(operand)'")
    }
    let host = String(operand[..<bracket].dropFirst())
    let rest = operand[bracket...].dropFirst()
    guard !host.isEmpty, rest.isEmpty || rest.hasPrefix(":") else {
      throw UsageError("'\(operand)' is not [ADDRESS]:PORT")
    }
    return (host, rest.isEmpty ? nil : rest.dropFirst())
  }

  private static func port(_ text: Substring) throws(UsageError) -> UInt16 {
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(text), port > 0
    else { throw UsageError("port '\(text)' is not a number from 1 to 65535") }
    return port
  }

  /// Returns whether the device could be the end of an IPv6 address without brackets.
  private static func couldEndAnAddress(_ device: Substring) -> Bool {
    device.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
        UInt8(ascii: "A")...UInt8(ascii: "F"), UInt8(ascii: ":"), UInt8(ascii: "."):
        true
      default: false
      }
    }
  }
}

extension String {
  /// The text before the `://` of a URL; `nil` if the text is not a URL.
  fileprivate var scheme: Substring? {
    let scheme = utf8.prefix { isalnum(CInt($0)) != 0 || "+-.".utf8.contains($0) }
    guard !scheme.isEmpty, utf8[scheme.endIndex...].starts(with: "://".utf8) else { return nil }
    return Substring(scheme)
  }
}
