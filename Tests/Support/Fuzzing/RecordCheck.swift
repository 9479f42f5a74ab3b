import Foundation
import LocationCore
import LocationFormats
import LocationSamples
import LocwatchCLI
import TestSupport

/// Whether what a renderer wrote is what its format asks for. The parsers are not ours.
package enum RecordCheck {
  static func complaint(about bytes: [UInt8], _ format: FormatCase.Grammar) -> String? {
    let allowsReturns = format == .csv || format == .nmea
    if let complaint = complaintAboutText(bytes, allowingReturns: allowsReturns) {
      return complaint
    }
    switch format {
    case .line: return bytes.split(separator: newline).count == 1 ? nil : "no single line"
    case .csv: return cells(of: bytes) == FixField.allCases.count ? nil : "cells went astray"
    case .json: return complaint(aboutJSON: bytes)
    case .gpx, .kml, .geojson, .metrics: return nil
    case .object, .nmea:
      return lines(of: bytes).lazy.compactMap { format.complaint(aboutLine: $0) }.first
    }
  }

  static func complaint(
    aboutDocument bytes: [UInt8], _ format: FormatCase.Grammar
  ) -> String? {
    if format == .metrics {
      return lines(of: bytes).lazy.compactMap { format.complaint(aboutLine: $0) }.first
    }
    guard format == .gpx || format == .kml else {
      let document = try? JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any]
      return document?["features"] is [[String: Any]] ? nil : "the GeoJSON does not parse"
    }
    guard isWholeXML(bytes) else { return "the XML does not parse" }
    return format == .kml ? complaint(aboutKML: lines(of: bytes)) : nil
  }

  /// Whether each track has all of its times before its places.
  private static func complaint(aboutKML lines: [Substring]) -> String? {
    for track in lines.split(separator: "</gx:Track>") {
      let times = track.filter { $0.hasPrefix("<when>") }.count
      let points = track.drop { !$0.hasPrefix("<when>") }
      guard points.prefix(times).allSatisfy({ $0.hasPrefix("<when>") }),
        points.dropFirst(times).filter({ $0.hasPrefix("<gx:coord>") }).count == times
      else { return "the times and places of a track are mixed" }
    }
    return nil
  }

  private static func lines(of bytes: [UInt8]) -> [Substring] {
    String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline)
  }

  /// Whether there is anything that a terminal would act on, or that changes how the rest is read.
  package static func complaintAboutText(_ bytes: [UInt8], allowingReturns: Bool = false) -> String?
  {
    var isPlain = true
    for byte in bytes {
      switch byte {
      case newline: break
      case 0x0D where allowingReturns: break
      case 0x20...0x7E: break
      case 0x80...: isPlain = false
      default: return "a control character \(byte)"
      }
    }
    if isPlain { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else { return "no UTF-8" }
    let isSafe = text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control: scalar.isASCII  // Those were looked at.
      case .format, .surrogate, .lineSeparator, .paragraphSeparator: false
      default: !blanks.contains { $0.contains(scalar) }
      }
    }
    return isSafe ? nil : "a character that nobody sees"
  }

  /// Characters of categories that are seen, but for these.
  private static let blanks: [ClosedRange<Unicode.Scalar>] = [
    "\u{A0}"..."\u{A0}", "\u{34F}"..."\u{34F}", "\u{115F}"..."\u{1160}", "\u{17B4}"..."\u{17B5}",
    "\u{180B}"..."\u{180F}", "\u{2000}"..."\u{200F}", "\u{2800}"..."\u{2800}",
    "\u{3164}"..."\u{3164}", "\u{FE00}"..."\u{FE0F}", "\u{FFA0}"..."\u{FFA0}",
    "\u{E0100}"..."\u{E01EF}",
  ]

  private static let newline = UInt8(ascii: "\n")

  private static func complaint(aboutJSON bytes: [UInt8]) -> String? {
    guard bytes.last == newline, bytes.count(where: { $0 == newline }) == 1 else {
      return "no single line"
    }
    guard let record = record(of: bytes), record["type"] is String else { return "no JSON" }
    for (name, limit) in [("lat", 90.0), ("lon", 180.0)] {
      guard let number = record[name] else { continue }
      guard let number = number as? Double, abs(number) <= limit else {
        return "\(name) is \(number)"
      }
    }
    guard record["type"] as? String != "report" else { return nil }
    for name in magnitudes {
      guard let number = record[name] as? Double, !(0..<1e15).contains(number) else { continue }
      return "\(name) is \(number)"
    }
    return nil
  }

  /// The members of a fix that cannot be negative.
  private static let magnitudes =
    FieldCase.all.filter { $0.range.lowerBound == 0 && $0.words.isEmpty }.map(\.quantity.row.name)

  /// Reads a record. Foundation refuses numbers that no Double holds; reports are passed on with them.
  private static func record(of bytes: [UInt8]) -> [String: Any]? {
    var text = String(decoding: bytes, as: UTF8.self)
    if text.hasPrefix(#"{"type":"report""#) { text.replace(/[eE]\+?[0-9]{3,}/, with: "e99") }
    return try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
  }

  /// How many cells a line of CSV has, by RFC 4180.
  private static func cells(of bytes: [UInt8]) -> Int {
    var isQuoted = false
    var count = 1
    for byte in bytes {
      if byte == UInt8(ascii: "\"") { isQuoted.toggle() }
      if byte == UInt8(ascii: ","), !isQuoted { count += 1 }
    }
    return isQuoted ? -1 : count
  }
}
