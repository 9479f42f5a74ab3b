import GPSDProtocol
package import LocationCore

/// A line in a recording that states when the lines after it were received.
///
/// `{"class":"LOCWATCH","t":12.345}` is the time since the recording began, in seconds. The first time stamp of a
/// recording also has the time of day at which it began:
/// `{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}`. So does the first time stamp of each
/// recording that is appended, after a gap, and in a file that continues a removed file. After the machine's clock
/// was set, the next time stamp has the beginning by the new setting as `start`.
///
/// A time stamp with `start` also says whether something kept that clock right, such as NTP, if the program knew:
/// `{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z","sync":1}`, or `"sync":0` if nothing did. After a
/// change, the next time stamp has `start` and `sync` again.
///
/// In a recording of several sources, a time stamp also has the name of the source that sent the next lines:
/// `{"class":"LOCWATCH","t":12.345,"source":"boat"}`.
///
/// A time stamp without lines means that nothing arrived from the source until then. A recording ends with such a
/// time stamp, so that a replay knows how long the receivers were silent at the end; it is missing if the program was
/// killed. If the next recording begins more than 15 s later, a replay reports `LocationError.Code.notRecorded` in
/// between. Other such time stamps mark an event that followed from the silence of one of several sources, such as the
/// loss of a fix.
///
/// If lines could not be written, because the disk was full, the first time stamp after the gap has
/// their number: `{"class":"LOCWATCH","t":12.345,"lost":7}`.
///
/// If a line from gpsd looks like a time stamp, the time stamp before it ends in `,"verbatim":1}`,
/// and the line is read as gpsd's.
package struct RecordingTimestamp: Hashable, Sendable {
  /// The time since the recording began, in whole milliseconds.
  package var elapsed: Duration
  /// When the recording began, by the clock of the machine that made it; `nil` in all but the first
  /// time stamp of a recording, and the first after that clock was set.
  package var start: Timestamp?
  /// Whether something kept the clock right by which ``start`` was measured; `nil` if this is unknown, and without
  /// ``start``.
  package var isClockSynchronized: Bool?
  /// The name of the source of the next lines; `nil` in a recording of a single source.
  package var source: String?
  /// The number of gpsd's lines that are missing before this time stamp because they could not be written.
  package var lostLines = 0
  /// Whether the next line comes from gpsd even if it looks like a time stamp.
  package var isBeforeVerbatimLine = false

  /// Creates a time stamp to write before the lines received at that time.
  ///
  /// - Parameters:
  ///   - elapsed: The time since the recording began, which is truncated to milliseconds when written.
  ///   - start: When the recording began, for its first time stamp and the first after the machine's
  ///     clock was set; otherwise `nil`.
  ///   - isClockSynchronized: Whether something kept that clock right; `nil` if this is unknown. It is written only with
  ///     `start`.
  ///   - source: The name of the source of the next lines; `nil` in a recording of a single source.
  ///   - lostLines: The number of gpsd's lines that are missing before the time stamp.
  ///   - isBeforeVerbatimLine: Whether the next line comes from gpsd even if it looks like a time
  ///     stamp.
  package init(
    elapsed: Duration, start: Timestamp? = nil, isClockSynchronized: Bool? = nil,
    source: String? = nil, lostLines: Int = 0, isBeforeVerbatimLine: Bool = false
  ) {
    self.elapsed = elapsed
    self.start = start
    self.isClockSynchronized = start == nil ? nil : isClockSynchronized
    self.source = source
    self.lostLines = lostLines
    self.isBeforeVerbatimLine = isBeforeVerbatimLine
  }

  /// The latest time that can be written, after 136 years.
  private static let maximumMilliseconds = Int64(UInt32.max) * 1000 + 999

  private static let head: [UInt8] = Array(#"{"class":"LOCWATCH","t":"#.utf8)
  private static let startKey: [UInt8] = Array(#","start":""#.utf8)
  private static let syncKey: [UInt8] = Array(#","sync":"#.utf8)
  private static let sourceKey: [UInt8] = Array(#","source":"#.utf8)
  private static let lostKey: [UInt8] = Array(#","lost":"#.utf8)
  private static let verbatimKey: [UInt8] = Array(#","verbatim":1"#.utf8)
  private static let tail: [UInt8] = Array("}\r\n".utf8)
  /// The end of a time stamp before a verbatim line.
  package static let verbatimTail = verbatimKey + tail

  /// Returns whether `end`, whose line end may be missing, is the end of a time stamp before a
  /// verbatim line.
  ///
  /// - Parameter end: The last bytes of a file, as many as ``verbatimTail`` has; none if they are
  ///   unknown.
  package static func couldPrecedeVerbatimLine(_ end: [UInt8]) -> Bool {
    let key = verbatimKey + tail.prefix(1)
    return end.isEmpty || end.indices.contains { end[$0...].starts(with: key) }
  }

  /// Returns whether a line among several may begin like a time stamp: of gpsd's reports, only a few have the `W` of
  /// `LOCWATCH`.
  static func mayBegin(in lines: ArraySlice<UInt8>) -> Bool {
    lines.span.index(of: UInt8(ascii: "W"), from: 0) != nil
  }

  /// Creates a time stamp from a line; `nil` if the line is anything else, or truncated. Other programs may have
  /// written it again, in any form of JSON.
  package init?(line: ArraySlice<UInt8>) {
    guard OwnLine(line) == .timestamp, let time = Self(written: line) ?? Self(rewritten: line)
    else { return nil }
    self = time
  }

  /// Reads a line that another program has written.
  private init?(rewritten line: ArraySlice<UInt8>) {
    guard let record = TimestampRecord(line: line) else { return nil }
    let milliseconds = (record.elapsed * 1000).rounded()
    guard milliseconds <= Double(Self.maximumMilliseconds) else { return nil }
    elapsed = .milliseconds(Int64(milliseconds))
    start = record.start
    isClockSynchronized = start == nil ? nil : record.isClockSynchronized
    source = record.source
    lostLines = record.lostLines
    isBeforeVerbatimLine = record.isBeforeVerbatimLine
  }

  /// Reads a line in the form of ``append(to:)``, which takes less time.
  private init?(written line: ArraySlice<UInt8>) {
    guard line.starts(with: Self.head) else { return nil }
    var index = Self.head.count
    guard let milliseconds = line.span.milliseconds(&index) else { return nil }
    elapsed = .milliseconds(milliseconds)
    var rest = line.dropFirst(index)
    if rest.starts(with: Self.startKey) {
      let text = rest.dropFirst(Self.startKey.count).prefix { $0 != UInt8(ascii: "\"") }
      guard let start = Timestamp(iso8601: text.span) else { return nil }
      self.start = start
      rest = rest.dropFirst(Self.startKey.count + text.count + 1)
      if rest.starts(with: Self.syncKey) {
        rest = rest.dropFirst(Self.syncKey.count)
        guard let digit = rest.first, (0x30...0x31).contains(digit) else { return nil }
        isClockSynchronized = digit == UInt8(ascii: "1")
        rest = rest.dropFirst()
      }
    }
    if rest.starts(with: Self.sourceKey) {
      rest = rest.dropFirst(Self.sourceKey.count)
      var length = 0
      guard let text = rest.span.quotedText(&length) else { return nil }
      source = text
      rest = rest.dropFirst(length)
    }
    if rest.starts(with: Self.lostKey) {
      let digits = rest.dropFirst(Self.lostKey.count).prefix { (0x30...0x39).contains($0) }
      guard let count = Int(String(decoding: digits, as: UTF8.self)) else { return nil }
      lostLines = count
      rest = rest.dropFirst(Self.lostKey.count + digits.count)
    }
    if rest.starts(with: Self.verbatimKey) {
      isBeforeVerbatimLine = true
      rest = rest.dropFirst(Self.verbatimKey.count)
    }
    guard rest.starts(with: [UInt8(ascii: "}")]) else { return nil }
  }

  /// Appends the line to a buffer. It ends in CRLF as gpsd's lines do, because python-gps, which
  /// gpscsv and gpsprof use, accepts no other line end for JSON.
  package func append(to bytes: inout [UInt8]) {
    let milliseconds = min(max(0, elapsed.nanoseconds) / 1_000_000, Self.maximumMilliseconds)
    bytes += Self.head
    bytes += String(milliseconds / 1000).utf8
    bytes.append(UInt8(ascii: "."))
    let fraction = String(milliseconds % 1000)
    bytes += repeatElement(UInt8(ascii: "0"), count: 3 - fraction.utf8.count)
    bytes += fraction.utf8
    if let start {
      bytes += Self.startKey
      start.appendISO8601(to: &bytes)
      bytes.append(UInt8(ascii: "\""))
      if let isClockSynchronized {
        bytes += Self.syncKey
        bytes.append(UInt8(ascii: isClockSynchronized ? "1" : "0"))
      }
    }
    if let source {
      bytes += Self.sourceKey + Array("\"\(source.escapedForJSON)\"".utf8)
    }
    if lostLines > 0 {
      bytes += Self.lostKey
      bytes += String(lostLines).utf8
    }
    if isBeforeVerbatimLine { bytes += Self.verbatimKey }
    bytes += Self.tail
  }
}
