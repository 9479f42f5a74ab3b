/// The file `~/.netrc`, read as libcurl does.
///
/// Words are separated by blanks and line ends. A word that begins with `"` ends with the next `"`, and in it
/// `\n`, `\r` and `\t` are control characters, and a backslash before any other character is left out. A word that
/// begins with `#` begins a comment, which ends with its line. A macro, `macdef NAME`, ends with an empty line.
/// Bytes are taken as they are.
struct Netrc {
  /// Why nothing of a file is used: a quotation mark is not closed.
  struct OpenQuote: Error, Equatable {
    var line: Int
  }

  /// Which word comes next.
  private enum Place {
    case keyword, machine, login, password, account
  }

  private let host: String
  private var place = Place.keyword
  private var isInMacro = false
  private var isOfHost = false
  private var name: [UInt8]?
  private var password: [UInt8] = []
  private var isOver = false

  private init(of host: String) { self.host = host.lowercased() }

  /// Returns the first user of a host in the bytes of a file, or of `default`; `nil` if there is none.
  static func user(of host: String, in bytes: [UInt8]) throws(OpenQuote) -> CasterUser? {
    var reader = Netrc(of: host)
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated() where !reader.isOver {
      try reader.read(line.last == UInt8(ascii: "\r") ? line.dropLast() : line, number: index + 1)
    }
    guard reader.isOfHost, let name = reader.name else { return nil }
    return CasterUser(name, password: reader.password)
  }

  private mutating func read(_ line: ArraySlice<UInt8>, number: Int) throws(OpenQuote) {
    if isInMacro {
      isInMacro = !line.isEmpty
      return
    }
    var rest = line
    while let (word, isQuoted) = try Self.word(at: &rest, line: number), !isOver, !isInMacro {
      if !isQuoted, word.first == UInt8(ascii: "#") { return }
      handle(word)
    }
  }

  /// Takes the next word of a line; `nil` at its end.
  private static func word(
    at rest: inout ArraySlice<UInt8>, line: Int
  ) throws(OpenQuote) -> (word: [UInt8], isQuoted: Bool)? {
    rest = rest.drop(while: isBlank)
    guard let first = rest.first else { return nil }
    guard first == UInt8(ascii: "\"") else {
      let word = rest.prefix { !isBlank($0) }
      rest = rest[word.endIndex...]
      return (Array(word), false)
    }
    rest = rest.dropFirst()
    var word: [UInt8] = []
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "\""): return (word, true)
      case UInt8(ascii: "\\"):
        guard let escaped = rest.popFirst() else { throw OpenQuote(line: line) }
        word.append(unescaped(escaped))
      default: word.append(byte)
      }
    }
    throw OpenQuote(line: line)
  }

  private static func unescaped(_ byte: UInt8) -> UInt8 {
    switch byte {
    case UInt8(ascii: "n"): UInt8(ascii: "\n")
    case UInt8(ascii: "r"): UInt8(ascii: "\r")
    case UInt8(ascii: "t"): UInt8(ascii: "\t")
    default: byte
    }
  }

  private static func isBlank(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || (UInt8(ascii: "\t")...UInt8(ascii: "\r")).contains(byte)
  }

  private mutating func handle(_ word: [UInt8]) {
    switch place {
    case .keyword:
      begin(String(decoding: word, as: UTF8.self).lowercased())
      return
    case .machine: isOfHost = String(decoding: word, as: UTF8.self).lowercased() == host
    case .login: name = word
    case .password: password = word
    case .account: break
    }
    place = .keyword
  }

  private mutating func begin(_ keyword: String) {
    switch keyword {
    case "machine", "default":
      isOver = isOfHost && name != nil
      guard !isOver else { return }
      (isOfHost, name, password) = (keyword == "default", nil, [])
      if keyword == "machine" { place = .machine }
    case "macdef": isInMacro = true
    case "login": place = .login
    case "password": place = .password
    case "account": place = .account
    default: break
    }
  }
}
