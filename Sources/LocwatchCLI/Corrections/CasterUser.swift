/// The user and the password for a caster. They are in no message, and nothing prints them.
package struct CasterUser: Equatable, Sendable {
  private let name: String
  private let password: String

  init(_ name: String, password: String) {
    self.name = name
    self.password = password
  }

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
    guard let text = machine.text(of: path), let user = CasterUser(host, inNetrc: text) else {
      return nil
    }
    if let permissions = machine.permissions(of: path), permissions.mode & 0o077 != 0 {
      warn("\(path) can be read by other users: 'chmod 600 \(path)'")
    }
    return user
  }

  /// Reads `machine HOST login NAME password PASSWORD`, as ftp(1) takes it; `default` stands for any host.
  init?(_ host: String, inNetrc text: String) {
    var words = text.split { $0.isWhitespace }[...]
    var (isMeant, name, password): (Bool, String?, String) = (false, nil, "")
    while let word = words.popFirst(), !(isMeant && name != nil && Self.beginsEntry(word)) {
      switch word {
      case "machine":
        isMeant = words.popFirst().map { $0.lowercased() == host.lowercased() } ?? false
        (name, password) = (nil, "")
      case "default": (isMeant, name, password) = (true, nil, "")
      case "login": name = words.popFirst().map(String.init)
      case "password": password = words.popFirst().map(String.init) ?? ""
      default: break
      }
    }
    guard isMeant, let name else { return nil }
    self.init(name, password: password)
  }

  private static func beginsEntry(_ word: Substring) -> Bool {
    ["machine", "default", "macdef"].contains(word)
  }

  /// Both in base 64 (RFC 4648), as HTTP's basic authentication has them (RFC 7617).
  var encoded: String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    let bytes = Array("\(name):\(password)".utf8)
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
