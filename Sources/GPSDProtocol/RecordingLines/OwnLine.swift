import LocationCore

/// The kind of a line that locwatch adds to gpsd's reports.
///
/// Its class decides. Other programs, such as jq, may have rewritten the line with other spaces and another order of
/// its members.
package enum OwnLine: Sendable {
  /// A line that states when the lines after it were received. ``TimestampRecord`` reads it.
  case timestamp
  /// A line about the connection to gpsd. ``LinkRecord`` reads it.
  case link
  /// A line about corrections. ``CorrectionsRecord`` reads it.
  case corrections
  /// A line of a later version.
  case other

  /// `class":"`, which follows the first two bytes of a line as gpsd and locwatch write it, with its first byte in the
  /// lowest place.
  private static let classKey: UInt64 = 0x223A_2273_7361_6C63
  /// `LOCWATCH`, the beginning of each class.
  private static let name: UInt64 = 0x4843_5441_5743_4F4C

  /// Returns the kind of a line, which may be truncated; `nil` for a report.
  package init?(_ line: ArraySlice<UInt8>) {
    let line = line.span
    // Nearly every line ends the comparison here.
    guard !Self.isUsualReport(line, from: 0) else { return nil }
    let isInUsualForm = line.eightBytes(at: 2) == Self.classKey
    if isInUsualForm, line.eightBytes(at: 10) == Self.name, line.byte(18) == UInt8(ascii: "\"") {
      self = .timestamp
    } else {
      self.init(inAnyForm: line)
    }
  }

  /// Returns whether the line at an index begins like gpsd's reports. Most have the `T` of `TPV` or the `S` of `SKY` after
  /// the key of the class.
  @inline(__always)
  package static func isUsualReport(_ bytes: Span<UInt8>, from start: Int) -> Bool {
    bytes.eightBytes(at: start + 2) == classKey && bytes.byte(start + 10) != UInt8(ascii: "L")
  }

  @inline(never)
  private init?(inAnyForm line: Span<UInt8>) {
    guard Self.isNamed(in: line), let name = Self.className(of: line) else { return nil }
    switch name {
    case TimestampRecord.className: self = .timestamp
    case LinkRecord.className: self = .link
    case CorrectionsRecord.className: self = .corrections
    default:
      guard name.hasPrefix("\(TimestampRecord.className)_") else { return nil }
      self = .other
    }
  }

  /// Returns whether a line contains the beginning of a class anywhere.
  private static func isNamed(in line: Span<UInt8>) -> Bool {
    var start = 0
    while let index = line.index(of: UInt8(ascii: "W"), from: start) {
      if line.eightBytes(at: index - 3) == name { return true }
      start = index + 1
    }
    return false
  }

  private static func className(of line: Span<UInt8>) -> String? {
    var (index, keys) = (0, DecoderKeys())
    line.skipSpace(&index)
    do throws(MalformedReport) {
      index = try ReportHeader(line, &index, &keys).nameStart
      return line.quotedText(&index)
    } catch {
      return nil
    }
  }
}

extension ArraySlice<UInt8> {
  /// The lines without those that only locwatch writes. gpsd, or whoever answers in its place, must not say
  /// what becomes of corrections, nor of the connection.
  package var withoutOwnLines: ArraySlice<UInt8> {
    var rest = self
    var kept: [UInt8]?
    while let line = rest.firstLineOrEmptyLines {
      rest = rest[line.endIndex...]
      switch OwnLine(line) {
      case .corrections, .link: kept = kept ?? Array(self[..<line.startIndex])
      case .timestamp, .other, nil: kept? += line
      }
    }
    return kept.map { $0[...] } ?? self
  }
}
