import LocationCore

extension ArraySlice<UInt8> {
  /// The line with the user info of URLs, such as `user:password` in `ntrip://user:password@host/mount`, replaced by as
  /// many asterisks.
  ///
  /// A URL ends with the JSON string that contains it, or with a line that is not JSON: gpsd does not escape the name of
  /// a device. Its user info ends at the last `@`, since a password can contain any character. Without an `@`, which may
  /// have been cut off, everything is replaced unless a host and at most a port come first, or the form of one, such as
  /// `HOST[:PORT]`. The URL of a receiver, `tcp://` or `udp://`, is then left as it is.
  package var withoutUserInfo: ArraySlice<UInt8> {
    guard span.mayContainURL else { return self }
    var result = self
    var rest = self
    while let line = rest.firstLine {
      rest = rest[line.endIndex...]
      let end = line.lastIndex { $0 > UInt8(ascii: " ") }.map { $0 + 1 } ?? line.startIndex
      for range in LineCharacters(self[line.startIndex..<end]).userInfos {
        for index in range { result[index] = UInt8(ascii: "*") }
      }
    }
    return result
  }
}

extension String {
  /// The text with the user info of URLs replaced by asterisks.
  package var withoutUserInfo: String {
    guard withBytes({ $0.mayContainURL }) else { return self }
    return String(decoding: Array(utf8)[...].withoutUserInfo, as: UTF8.self)
  }

  /// The text of an address as somebody typed it, with everything before its last `@` replaced by asterisks,
  /// because a misspelt URL may contain a user and a password there. The path of a device is left as it is.
  package var withoutTypedUserInfo: String {
    let isPath = utf8.first == UInt8(ascii: "/") || utf8.first == UInt8(ascii: ".")
    guard !isPath || utf8.starts(with: "//".utf8),
      let end = utf8.lastIndex(of: UInt8(ascii: "@"))
    else { return self }
    return String(repeating: "*", count: utf8[..<end].count) + self[end...]
  }

  /// Whether a device of gpsd is a source of corrections, and not a receiver.
  package var isSourceOfCorrections: Bool {
    // The paths of nearly all receivers are absolute.
    guard utf8.first != UInt8(ascii: "/") else { return false }
    let scheme = utf8.prefix { $0 != UInt8(ascii: ":") }
    guard utf8[scheme.endIndex...].starts(with: "://".utf8) else { return false }
    return ["ntrip", "ntrips", "dgpsip"].contains(Substring(scheme).lowercased())
  }
}

extension Span where Element == UInt8 {
  /// Whether a `://` is possible: there are two slashes, or escapes.
  var mayContainURL: Bool {
    if index(of: UInt8(ascii: "\\"), from: 0) != nil { return true }
    var start = 0
    while let slash = index(of: UInt8(ascii: "/"), from: start) {
      start = slash + 1
      if byte(start) == UInt8(ascii: "/") { return true }
    }
    return false
  }

  /// Whether all of it is one value of JSON.
  fileprivate var isJSON: Bool {
    do throws(MalformedReport) { return try endOfValue(0, depth: 0) == count } catch {
      return false
    }
  }
}

/// The characters of a line, which JSON may have escaped.
private struct LineCharacters {
  private let isJSON: Bool
  /// ASCII, the bytes of other characters, and 0xFF for an escaped one of these. Backslashes are left out: JSON within
  /// a JSON string escapes its own.
  private var characters: [UInt8] = []
  /// Where each character begins, and the end of the line.
  private var starts: [Int] = []
  /// The indices of quotation marks that are not escaped.
  private var quotes: [Int] = []

  init(_ line: ArraySlice<UInt8>) {
    isJSON = line.span.isJSON
    var index = line.startIndex
    while index < line.endIndex {
      let start = index
      let character = line.character(&index)
      if character == UInt8(ascii: "\\") { continue }
      if line[start] == UInt8(ascii: "\"") { quotes.append(characters.count) }
      characters.append(character)
      starts.append(start)
    }
    starts.append(line.endIndex)
  }

  /// Where the user infos of URLs are in the line.
  var userInfos: [Range<Int>] {
    var ranges: [Range<Int>] = []
    // The string that a URL is in ends here, with its last `@`.
    var (end, lastAt) = (0, 0)
    var quotes = quotes[...]
    var index = 0
    while index + 2 < characters.count {
      guard characters[index...].starts(with: "://".utf8) else {
        index += 1
        continue
      }
      let start = index + 3
      if start >= end {
        quotes = quotes.drop { $0 < start }
        end = isJSON ? quotes.first ?? characters.count : characters.count
        lastAt = characters[start..<end].lastIndex(of: UInt8(ascii: "@")) ?? 0
      }
      let hasAt = start <= lastAt
      if hasAt || !characters[start..<end].beginsWithHost && !characters[..<index].endsWithReceiver
      {
        ranges.append(starts[start]..<starts[hasAt ? lastAt : end])
        index = end
      } else {
        index = start
      }
    }
    return ranges
  }
}

extension ArraySlice<UInt8> {
  /// Returns the character at an index, which may be a JSON escape, and moves the index past it.
  fileprivate func character(_ index: inout Int) -> UInt8 {
    let first = self[index]
    index += 1
    guard first == UInt8(ascii: "\\"), index < endIndex else { return first }
    let escaped = self[index]
    index += 1
    guard escaped == UInt8(ascii: "u"), endIndex - index >= 4 else { return escaped }
    var value: UInt32 = 0
    for digit in self[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(digit)).hexDigitValue else { return escaped }
      value = value << 4 | UInt32(digit)
    }
    index += 4
    return value < 0x80 ? UInt8(value) : 0xFF
  }

  /// Whether characters begin with a host, with or without a port, which a slash or the end of the word follows.
  fileprivate var beginsWithHost: Bool {
    var rest = self
    if rest.first == UInt8(ascii: "[") {
      rest = rest.dropFirst().drop { $0.isPartOfAddress }
      guard rest.popFirst() == UInt8(ascii: "]") else { return false }
    }
    rest = rest.drop { $0.isPartOfHost }
    if rest.starts(with: "[:PORT]".utf8) || rest.starts(with: ":PORT/".utf8) { return true }
    if rest.first == UInt8(ascii: ":") {
      let port = rest.dropFirst().prefix { (0x30...0x39).contains($0) }
      rest = self[port.endIndex...]
      if port.count > 5 { return false }
      // In a message, a text may follow the address.
      if !port.isEmpty, rest.first == UInt8(ascii: ":") {
        return rest.dropFirst().first.map { $0 == UInt8(ascii: " ") } ?? true
      }
    }
    return rest.first.map { "/?# \"'(),;<>".utf8.contains($0) } ?? true
  }

  /// Whether characters end with the scheme of a receiver on the network.
  fileprivate var endsWithReceiver: Bool {
    let start = lastIndex { !$0.isPartOfScheme }.map { $0 + 1 } ?? startIndex
    return ["tcp", "udp"].contains(String(decoding: self[start...], as: UTF8.self).lowercased())
  }
}

extension UInt8 {
  private var isLetterOrDigit: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"):
      true
    default: false
    }
  }

  fileprivate var isPartOfHost: Bool {
    isLetterOrDigit || self >= 0x80 || "-._*".utf8.contains(self)
  }

  /// Whether the byte can be in the scheme of a URL.
  fileprivate var isPartOfScheme: Bool { isLetterOrDigit || "+-.".utf8.contains(self) }

  /// Whether the byte can be in an IPv6 address, perhaps with a zone.
  fileprivate var isPartOfAddress: Bool { isPartOfHost || ":%".utf8.contains(self) }
}
