import Glibc
import LocwatchSystem

/// The user and the password for a caster. They are in no message, and nothing prints them.
package struct CasterUser: Equatable, Sendable {
  /// Bytes, since a file need not be UTF-8.
  private let name: [UInt8]
  private let password: [UInt8]

  init(_ name: some Sequence<UInt8>, password: some Sequence<UInt8>) {
    self.name = Array(name)
    self.password = Array(password)
  }

  init(_ name: String, password: String) { self.init(name.utf8, password: password.utf8) }

  /// Finds the user of a caster: in the environment, or else in `~/.netrc`.
  ///
  /// - Parameter warn: Called with what is wrong with the file.
  /// - Returns: `nil` if neither names one.
  static func find(
    for host: String, in environment: Environment, on machine: Machine = .this,
    warn: (String) -> Void
  ) -> CasterUser? {
    if let name = environment["NTRIP_USER"] {
      return CasterUser(name, password: environment["NTRIP_PASSWORD", default: ""])
    }
    guard let home = environment["HOME"] else { return nil }
    let path = "\(home)/.netrc"
    guard let bytes = machine.bytes(of: path) else { return nil }
    if bytes.count >= Machine.maximumText {
      warn("\(path) is too long: only its first \(Machine.maximumText / 1024) KiB are read")
    }
    let user: CasterUser?
    do throws(Netrc.OpenQuote) {
      user = try Netrc.user(of: host, in: bytes)
    } catch {
      warn("\(path) is not used: a quotation mark in its line \(error.line) is not closed")
      return nil
    }
    guard let user else { return nil }
    guard let permissions = machine.permissions(of: path) else { return user }
    guard permissions.mode & 0o022 == 0, [0, geteuid()].contains(permissions.user) else {
      warn("\(path) is not used: other users can write to it; 'chmod 600 \(path)' if it is yours")
      return nil
    }
    if permissions.mode & 0o077 != 0 {
      warn("\(path) can be read by other users: 'chmod 600 \(path)'")
    }
    return user
  }

  /// Both in base 64 (RFC 4648), as HTTP's basic authentication has them (RFC 7617).
  var encoded: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = name + [UInt8(ascii: ":")] + password
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start...].prefix(3)
      var bits: UInt32 = 0
      for byte in group { bits = bits << 8 | UInt32(byte) }
      bits <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        let digit = alphabet[Int(bits >> UInt32(18 - 6 * place) & 63)]
        text.append(place <= group.count ? digit : "=")
      }
    }
    return text
  }
}

extension CasterUser: CustomStringConvertible {
  package var description: String { "a user" }
}
