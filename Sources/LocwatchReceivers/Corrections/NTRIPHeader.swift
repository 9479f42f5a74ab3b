/// The header with which a caster answers, in NTRIP 1 (`ICY 200 OK`, `SOURCETABLE 200 OK`, `ERROR - …`)
/// or in HTTP/1.1, which NTRIP 2 uses.
struct NTRIPHeader: Equatable {
  enum Content: Equatable {
    case corrections
    case sourceTable
    /// The caster has no corrections for us.
    case refusal(String)
    /// The peer is no caster.
    case nonsense(String)
  }

  /// A longer header is invalid.
  static let maximumLength = 8192
  /// The number of bytes of a header that a message quotes.
  private static let maximumQuote = 64

  let content: Content
  /// Whether the rest comes in chunks.
  let isChunked: Bool

  /// Takes a header from the beginning of what has arrived.
  ///
  /// - Returns: `nil` if it is not complete.
  init?(takingFrom bytes: inout [UInt8]) {
    guard let first = bytes.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let status = Self.text(bytes[..<first])
    // In NTRIP 1 a stream may begin after the first line.
    guard !status.hasPrefix("ICY 200") else {
      // The empty line, if there is one, has the length of its end.
      guard bytes.count >= first + 3 else { return nil }
      let isFollowed = bytes[first + 1] == 0x0D && bytes[first + 2] == 0x0A
      bytes.removeFirst(first + (isFollowed ? 3 : 1))
      (content, isChunked) = (.corrections, false)
      return
    }
    guard status.hasPrefix("HTTP/1.") || status.hasPrefix("SOURCETABLE") else {
      bytes = []
      isChunked = false
      content =
        status.hasPrefix("ERROR")
        ? .refusal(Self.quote(status.dropFirst(status.hasPrefix("ERROR - ") ? 8 : 0)))
        : .nonsense("not an NTRIP caster: it says '\(Self.quote(status))'")
      return
    }
    var fields: [String: String] = [:]
    var start = first + 1
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      let line = Self.text(bytes[start..<end])
      start = end + 1
      guard !line.isEmpty else {
        bytes.removeFirst(start)
        (content, isChunked) = Self.meaning(of: status, fields)
        return
      }
      guard let colon = line.firstIndex(of: ":") else { continue }
      let value = line[colon...].dropFirst().drop { $0 == " " }
      fields[line[..<colon].lowercased()] = String(value)
    }
    return nil
  }

  private static func meaning(
    of status: String, _ fields: [String: String]
  ) -> (Content, isChunked: Bool) {
    let isChunked = fields["transfer-encoding"]?.lowercased() == "chunked"
    let type = fields["content-type", default: ""].lowercased()
    let words = status.split(separator: " ", maxSplits: 1)
    let result = words.count > 1 ? quote(words[1]) : ""
    switch result.prefix(1) {
    case "2" where status.hasPrefix("SOURCETABLE") || type.hasPrefix("gnss/sourcetable"):
      return (.sourceTable, isChunked)
    case "2" where type.hasPrefix("text/"):
      return (.refusal("it sends \(quote(type)), not corrections"), isChunked)
    case "2": return (.corrections, isChunked)
    case "3":
      let place = fields["location"].map { " to \(quote($0))" } ?? ""
      return (.refusal(result + place), isChunked)
    default: return (.refusal(result.isEmpty ? status : result), isChunked)
    }
  }

  /// Returns the text of a line without its end.
  private static func text(_ line: ArraySlice<UInt8>) -> String {
    String(decoding: line.last == 0x0D ? line.dropLast() : line, as: UTF8.self)
  }

  private static func quote(_ text: Substring) -> String { String(text.prefix(maximumQuote)) }
  private static func quote(_ text: String) -> String { quote(text[...]) }
}
