package import GPSDLocation
import Glibc

/// The source of live fixes.
package enum Target: Equatable, Sendable {
  /// A gpsd, optionally with one of its receivers.
  case gpsd(GPSDEndpoint, device: String?)
  /// A serial device, by its path.
  case tty(String)
}

/// A target, and the name of its source in records.
package struct NamedTarget: Equatable, Sendable {
  package var name: String
  package var target: Target

  init(_ name: String, _ target: Target) {
    self.name = name
    self.target = target
  }

  /// Reads `[NAME=]TARGET`. The name ends at the first `=`, unless a slash or a colon comes before it.
  /// Without a name, the source is named as the target is written.
  init(operand: String) throws(UsageError) {
    let end = operand.firstIndex { "=/:".contains($0) }
    guard let end, operand[end] == "=" else {
      name = operand
      target = try Target(operand: operand)
      return
    }
    name = try OptionValues.name(operand[..<end], of: operand)
    target = try Target(operand: String(operand[end...].dropFirst()))
  }
}

extension Target {
  /// Reads `SERVER[:PORT[:DEVICE]]`, `[v6addr]:PORT` or a path.
  init(operand: String) throws(UsageError) {
    if operand.hasPrefix("/") || operand.hasPrefix("./") || operand.hasPrefix("../") {
      self = .tty(operand)
      return
    }
    try Self.refuseURL(operand)
    try Self.refuseDevice(operand)
    let (host, rest) = try Self.splitHost(operand)
    guard !Self.pseudoHosts.contains(host.lowercased()) else {
      throw UsageError("'\(host)' is not a host: locwatch talks to gpsd over TCP only")
    }
    let isOdd = host.unicodeScalars.contains { $0 <= " " || $0 == "\u{7f}" || $0 == "/" }
    guard !isOdd, !host.hasPrefix("-") else {
      throw UsageError("'\(host)' is not a host")
    }
    var endpoint = GPSDEndpoint()
    if !host.isEmpty { endpoint.host = host }
    guard let rest else {
      self = .gpsd(endpoint, device: nil)
      return
    }
    let parts = rest.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let device = parts.count > 1 ? String(parts[1]) : nil
    if device == "" { throw UsageError("no device after the last colon of '\(operand)'") }
    if device.map(Self.couldEndAnAddress) == true {
      throw UsageError("write an IPv6 address in brackets: '[\(operand)]'")
    }
    if !(parts[0].isEmpty && device != nil) { endpoint.port = try Self.port(parts[0]) }
    self = .gpsd(endpoint, device: device)
  }

  /// Rejects a URL.
  private static func refuseURL(_ operand: String) throws(UsageError) {
    let scheme = operand.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    let rest = operand[scheme.endIndex...]
    guard !scheme.isEmpty, rest.hasPrefix("://") else { return }
    var server = rest.dropFirst(3)
    while server.hasSuffix("/") { server.removeLast() }
    throw UsageError(
      "'\(operand)' is a URL; write the server without \(scheme)://"
        + (server.isEmpty ? "" : ": '\(server)'"))
  }

  /// Rejects a device without its full path, which would be taken as a host name.
  private static func refuseDevice(_ operand: String) throws(UsageError) {
    guard !operand.contains(":"), !operand.isEmpty else { return }
    if operand.hasPrefix("dev/") {
      throw UsageError("'\(operand)' is not a host; did you mean '/\(operand)'?")
    }
    var status = stat()
    let isDevice =
      unsafe !operand.contains("/") && stat("/dev/\(operand)", &status) == 0
      && status.st_mode & S_IFMT == S_IFCHR
    guard isDevice || operand.hasPrefix("tty") else { return }
    throw UsageError(
      "'\(operand)' is read as a host; write '/dev/\(operand)' for the receiver, or "
        + "'\(operand):2947' for a host of that name")
  }

  /// Names with a special meaning in libgps.
  private static let pseudoHosts = ["shared memory", "dbus export", "local file"]

  /// Returns the host without brackets, and the text after the colon that follows it.
  private static func splitHost(
    _ operand: String
  ) throws(UsageError) -> (host: String, rest: Substring?) {
    if operand.isEmpty { throw UsageError("the name of the server must not be empty") }
    guard operand.hasPrefix("[") else {
      let colon = operand.firstIndex(of: ":") ?? operand.endIndex
      let rest = colon == operand.endIndex ? nil : operand[colon...].dropFirst()
      return (String(operand[..<colon]), rest)
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
  private static func couldEndAnAddress(_ device: String) -> Bool {
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
