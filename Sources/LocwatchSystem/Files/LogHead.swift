package import GPSDLocation
import GPSDProtocol
import LocationText

/// The beginning of a file, which distinguishes a receiver's log from gpsd's reports. It can have
/// comments, as the logs of gpsd's own tests have, the lines with which gpsd greets `gpspipe`, and blank lines.
package struct LogHead {
  /// How many bytes of a file are looked at.
  package static let length = 16 * 1024
  /// The number of bytes that suffice to recognise the contents.
  private static let sampleLength = 512
  /// The endings of files that can be anything but gpsd's reports.
  private static let endings: Set<String> = ["nmea", "ubx", "log", "raw", "bin", "sbf", "tsip"]
  /// The beginnings of the lines of a greeting, the last of which is the end of it.
  private static let greetings = ["VERSION", "DEVICES", "WATCH"].map {
    Array("{\"class\":\"\($0)\"".utf8)
  }

  /// What comes after the comments, the blank lines and the greeting.
  package private(set) var contents: ArraySlice<UInt8>
  /// Whether the greeting says that what a receiver sent follows, and no reports; `nil` if it says nothing.
  private var isAnnounced: Bool?
  /// Whether all of the greeting was read.
  private var isGreeted = false

  /// - Parameter bytes: The first bytes of the file.
  package init(_ bytes: [UInt8]) {
    contents = bytes[...]
    while isAnnounced == nil, let end = contents.firstIndex(of: 0x0A) {
      let line = contents[...end]
      guard isComment || line.isBlank || Self.greetings.contains(where: { line.starts(with: $0) })
      else { return }
      if line.starts(with: Self.greetings[2]) {
        isGreeted = true
        isAnnounced =
          line.contains(part: #""json":false"#.utf8)
          ? true : line.contains(part: #""json":true"#.utf8) ? false : nil
      }
      contents = contents[(end + 1)...]
    }
  }

  /// Whether half a comment follows.
  package var isComment: Bool { contents.first == UInt8(ascii: "#") }

  /// Whether the contents have begun.
  package var isOver: Bool {
    isAnnounced != nil || !contents.isEmpty && !isComment && !isHalfGreeting
  }

  /// What has to be read again with the rest of its line.
  package var rest: ArraySlice<UInt8> { isComment ? contents.prefix(1) : contents }

  private var isHalfGreeting: Bool {
    contents.count < LineFramer.maximumLineLength && !contents.contains(0x0A)
      && Self.greetings.contains { $0.starts(with: contents.prefix($0.count)) }
  }

  /// Whether more bytes could not change what ``isRaw(name:)`` returns.
  package var isEnough: Bool {
    isGreeted
      || isOver && (contents.count >= Self.sampleLength || contents.contains(0x0A) && isCut != nil)
  }

  /// Whether the first line is the rest of one whose beginning was not recorded: text, but none of the lines that begin
  /// a file, and a sentence follows it. `nil` if the line after it is not complete.
  private var isCut: Bool? {
    guard case .unknown = ForeignFile(Array(contents)), contents.first != UInt8(ascii: "{"),
      let end = contents.firstIndex(of: 0x0A),
      contents[..<end].allSatisfy({ 0x20...0x7E ~= $0 || $0 == 0x0D })
    else { return false }
    let rest = contents[(end + 1)...].drop { $0 <= 0x20 }
    return rest.firstIndex(of: 0x0A).map { rest[..<$0].isSentence }
  }

  /// Returns whether the file is what a receiver sent.
  ///
  /// - Parameter name: The name of the file, which decides where the contents can be anything; `nil` for a
  ///   stream, whose first line then must not be text.
  package func isRaw(name: String?) -> Bool {
    if let isAnnounced { return isAnnounced }
    switch ForeignFile(Array(contents)) {
    case .nmea, .ubx: return true
    // iTalk begins like XML.
    case .unknown, .xml:
      guard let first = contents.first, first != UInt8(ascii: "{"), !isComment else { return false }
      if isCut == true { return true }
      guard let name else {
        let line = contents.prefix(Self.sampleLength).prefix { $0 != 0x0A }
        return line.contains { $0 < 0x09 || $0 > 0x7E }
      }
      // The contents of a compressed file are those of the name before the ending.
      let ending = name.split(separator: ".").map { $0.lowercased() }.last { $0 != "gz" }
      return ending.map(Self.endings.contains) ?? false
    case .gzip, .gpx, .stampedJSON, .records: return false
    }
  }
}

extension ArraySlice<UInt8> {
  fileprivate var isBlank: Bool { allSatisfy { " \t\r\n".utf8.contains($0) } }

  /// Whether a line, without its end, is a sentence of NMEA with the right checksum.
  fileprivate var isSentence: Bool {
    guard ForeignFile(Array(self)) == .nmea, let star = lastIndex(of: UInt8(ascii: "*")) else {
      return false
    }
    let sum = UInt8(String(decoding: self[star...].dropFirst().prefix(2), as: UTF8.self), radix: 16)
    return self[..<star].dropFirst().reduce(0, ^) == sum
  }
}

extension LogHead {
  /// Returns whether a file is what a receiver sent, judged by its beginning and its name.
  package static func isRaw(_ file: RecordingFile) -> Bool {
    LogHead(file.head(upTo: LogHead.length)).isRaw(name: file.size == nil ? nil : file.name)
  }
}
