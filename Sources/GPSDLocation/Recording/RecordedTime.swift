public import LocationCore

/// The lines that a recording has between gpsd's own: when the lines after them came.
///
/// `{"class":"LOCWATCH","t":12.345}` is seconds since the recording began. The first one also says
/// when that was, `{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:50.120Z"}`, and so does the
/// first one of each recording that was appended. A later one says so where the machine's clock was set:
/// when the recording began by that.
public struct RecordedTime: Hashable, Sendable {
  /// Time since the recording began, in whole milliseconds.
  public var elapsed: Duration
  /// When the recording began, by the clock of the machine that made it; `nil` in all but the first
  /// of a recording, and the first after that clock was set.
  public var start: Timestamp?

  /// A line to put before those that come now.
  ///
  /// - Parameters:
  ///   - elapsed: Time since the recording began; it is cut to whole milliseconds.
  ///   - start: When the recording began; for its first line, and after the machine's clock was set.
  public init(elapsed: Duration, start: Timestamp? = nil) {
    self.elapsed = elapsed
    self.start = start
  }

  private static let head: [UInt8] = Array(#"{"class":"LOCWATCH","t":"#.utf8)
  private static let startKey: [UInt8] = Array(#","start":""#.utf8)
  private static let tail: [UInt8] = Array("}\r\n".utf8)

  /// Reads such a line; `nil` for any other one, and where it is torn.
  public init?(line: ArraySlice<UInt8>) {
    // Where a report has `TPV` or `SKY`, most lines differ already.
    guard line.dropFirst(10).first == UInt8(ascii: "L"), line.starts(with: Self.head) else {
      return nil
    }
    var rest = line.dropFirst(Self.head.count)
    let number = rest.prefix { $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "}") }
    rest = rest.dropFirst(number.count)
    let parts = number.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 3,
      let seconds = UInt32(String(decoding: parts[0], as: UTF8.self)),
      let milliseconds = UInt32(String(decoding: parts[1], as: UTF8.self))
    else { return nil }
    elapsed = .seconds(Int64(seconds)) + .milliseconds(Int64(milliseconds))
    if rest.starts(with: Self.startKey) {
      let text = rest.dropFirst(Self.startKey.count).prefix { $0 != UInt8(ascii: "\"") }
      guard let start = Timestamp(iso8601: text.span) else { return nil }
      self.start = start
      rest = rest.dropFirst(Self.startKey.count + text.count + 1)
    }
    guard rest.starts(with: [UInt8(ascii: "}")]) else { return nil }
  }

  /// Appends the line. It ends in CRLF as gpsd's own do: python-gps, and with it gpscsv and gpsprof,
  /// takes no other for JSON.
  public func append(to bytes: inout [UInt8]) {
    let milliseconds = max(0, elapsed.nanoseconds) / 1_000_000
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
    }
    bytes += Self.tail
  }
}
