import LocationCore
import GPSDProtocol

extension ArraySlice<UInt8> {
  /// Replaces the user info of URLs, such as `user:password` in `ntrip://user:password@host/mount`,
  /// by as many asterisks.
  ///
  /// A URL ends with the JSON string that contains it, or with its line. Its user info ends at the
  /// last `@`, since a password can contain any character. Without an `@`, which may have been cut off,
  /// everything is replaced unless a host and at most a port come first, or the form of one, such as
  /// `HOST[:PORT]`. The URL of a receiver, `tcp://` or `udp://`, is then left as it is.
  package mutating func hideUserInfo() {
    guard span.mayContainURL else { return }
    var start = startIndex
    while start < endIndex {
      let end = self[start...].firstIndex(of: UInt8(ascii: "\n")) ?? endIndex
      if let last = self[start..<end].lastIndex(where: { $0 > UInt8(ascii: " ") }) {
        hideUserInfo(inLine: start..<last + 1)
      }
      start = end + 1
    }
  }

  private mutating func hideUserInfo(inLine line: Range<Int>) {
    var index = line.lowerBound
    // The end of the text that is known to contain no `@`.
    var textEnd = index
    var matched = 0
    // Where the scheme of a URL may end.
    var colon = index
    while index < line.upperBound {
      let first = index
      let character = nextCharacter(&index, before: line.upperBound)
      // JSON within a JSON string escapes its backslashes.
      if character == UInt8(ascii: "\\") { continue }
      switch (matched, character) {
      case (_, UInt8(ascii: ":")):
        matched = 1
        colon = first
      case (1, UInt8(ascii: "/")): matched = 2
      case (2, UInt8(ascii: "/")):
        matched = 0
        if index >= textEnd {
          let text = text(from: index, before: line.upperBound)
          textEnd = text.end
          if let userInfoEnd = text.lastAt {
            hide(index..<userInfoEnd)
            index = textEnd
            continue
          }
        }
        if !beginsWithHost(index..<textEnd), !isReceiver(self[line.lowerBound..<colon]) {
          hide(index..<textEnd)
          index = textEnd
        }
      default: matched = 0
      }
    }
  }

  private mutating func hide(_ range: Range<Int>) {
    for index in range { self[index] = UInt8(ascii: "*") }
  }

  /// Returns whether a text ends with the scheme of a receiver on the network.
  private func isReceiver(_ text: ArraySlice<UInt8>) -> Bool {
    guard ["tcp", "udp"].contains(String(decoding: text.suffix(3), as: UTF8.self).lowercased())
    else { return false }
    return text.dropLast(3).last.map { !$0.isPartOfScheme } ?? true
  }

  /// Returns the end of the text that a URL is in, and its last `@`; `nil` if there is none.
  ///
  /// gpsd does not escape quotation marks in the name of a device. If no JSON follows a quotation mark, it is
  /// part of the text.
  private func text(from start: Int, before end: Int) -> (end: Int, lastAt: Int?) {
    var lastAt: Int?
    var index = start
    while index < end {
      if self[index] == UInt8(ascii: "\""), isEndOfString(index + 1, before: end) { break }
      let first = index
      if nextCharacter(&index, before: end) == UInt8(ascii: "@") { lastAt = first }
    }
    return (index, lastAt)
  }

  private func isEndOfString(_ start: Int, before end: Int) -> Bool {
    let next = self[start..<end].first { $0 > UInt8(ascii: " ") }
    return next.map { ",:]}".utf8.contains($0) } ?? true
  }

  /// Returns whether a range begins with a host, with or without a port, which a slash or the end of the word
  /// follows.
  private func beginsWithHost(_ range: Range<Int>) -> Bool {
    var index = range.lowerBound
    func next() -> UInt8? {
      guard index < range.upperBound else { return nil }
      return nextCharacter(&index, before: range.upperBound)
    }
    var character = next()
    if character == UInt8(ascii: "[") {
      repeat { character = next() } while character.map(\.isPartOfAddress) ?? false
      guard character == UInt8(ascii: "]") else { return false }
      character = next()
    }
    while let part = character, part.isPartOfHost { character = next() }
    if character == UInt8(ascii: "[") {
      return self[index..<range.upperBound].starts(with: ":PORT]".utf8)
    }
    if character == UInt8(ascii: ":") {
      if self[index..<range.upperBound].starts(with: "PORT/".utf8) { return true }
      character = next()
      var digits = 0
      while let digit = character, (0x30...0x39).contains(digit) {
        digits += 1
        character = next()
      }
      if digits > 5 { return false }
      // In a message, a text may follow the address.
      if digits > 0, character == UInt8(ascii: ":") {
        return next().map { $0 == UInt8(ascii: " ") } ?? true
      }
    }
    return character.map { "/?# \"'(),;<>".utf8.contains($0) } ?? true
  }

  /// Returns the character at an index, which may be a JSON escape, and moves the index past it.
  /// Bytes of a character that is not ASCII are returned one by one; an escape of one is 0xFF.
  private func nextCharacter(_ index: inout Int, before end: Int) -> UInt8 {
    let first = self[index]
    index += 1
    guard first == UInt8(ascii: "\\"), index < end else { return first }
    let escaped = self[index]
    index += 1
    guard escaped == UInt8(ascii: "u"), end - index >= 4 else { return escaped }
    var value: UInt32 = 0
    for digit in self[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(digit)).hexDigitValue else { return escaped }
      value = value << 4 | UInt32(digit)
    }
    index += 4
    return value < 0x80 ? UInt8(value) : 0xFF
  }
}

extension String {
  /// The text with the user info of URLs replaced by asterisks.
  package var withoutUserInfo: String {
    guard withBytes({ $0.mayContainURL }) else { return self }
    var bytes = Array(utf8)[...]
    bytes.hideUserInfo()
    return String(decoding: bytes, as: UTF8.self)
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
  fileprivate var mayContainURL: Bool {
    if index(of: UInt8(ascii: "\\"), from: 0) != nil { return true }
    var start = 0
    while let slash = index(of: UInt8(ascii: "/"), from: start) {
      start = slash + 1
      if byte(start) == UInt8(ascii: "/") { return true }
    }
    return false
  }
}

extension UInt8 {
  fileprivate var isPartOfHost: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "-"), UInt8(ascii: "."),
      UInt8(ascii: "_"), UInt8(ascii: "*"), 0x80...0xFF:
      true
    default: false
    }
  }

  /// Whether the byte can be in the scheme of a URL.
  fileprivate var isPartOfScheme: Bool {
    switch self {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "+"), UInt8(ascii: "-"),
      UInt8(ascii: "."):
      true
    default: false
    }
  }

  /// Whether the byte can be in an IPv6 address, perhaps with a zone.
  fileprivate var isPartOfAddress: Bool {
    isPartOfHost || self == UInt8(ascii: ":") || self == UInt8(ascii: "%")
  }
}
