import Foundation
import LocationSamples

extension FormatCase.Grammar {
  /// What is wrong with a line, by the grammar of a format whose lines have one.
  func complaint(aboutLine line: Substring) -> String? {
    switch self {
    case .object:
      let object = try? JSONSerialization.jsonObject(with: Data(line.utf8))
      return object is [String: Any] ? nil : "no JSON: \(line)"
    case .metrics: return Self.isSample(Self.plain(line)) ? nil : "no sample: \(line)"
    case .nmea:
      guard let star = line.lastIndex(of: "*") else { return "no checksum: \(line)" }
      let sum = line[..<star].dropFirst().utf8.reduce(0, ^)
      guard UInt8(line[star...].dropFirst(), radix: 16) == sum else { return "checksum: \(line)" }
      return line.utf8.count <= 120 ? nil : "too long: \(line)"
    case .line, .json, .csv, .gpx, .kml, .geojson: return nil
    }
  }

  /// The line with only ASCII: a combining mark would be one character with the `=` before it.
  private static func plain(_ line: Substring) -> Substring {
    var scalars = String.UnicodeScalarView()
    for scalar in line.unicodeScalars { scalars.append(scalar.isASCII ? scalar : "x") }
    return Substring(String(scalars))
  }

  /// Whether a line is one of Prometheus's text format.
  private static func isSample(_ line: Substring) -> Bool {
    if line.hasPrefix("# HELP ") || line.hasPrefix("# TYPE ") { return true }
    guard let brace = line.firstIndex(of: "{"), let end = line.lastIndex(of: "}"),
      Double(line[end...].dropFirst(2)) != nil
    else { return false }
    return split(line[brace..<end].dropFirst(), at: ",").allSatisfy { label in
      let parts = split(label, at: "=")
      return parts.count == 2 && isQuoted(parts[1])
    }
  }

  private static func isQuoted(_ text: Substring) -> Bool {
    text.count > 1 && text.first == "\"" && text.last == "\""
  }

  /// Splits at a separator that is neither escaped nor in quotation marks.
  private static func split(_ text: Substring, at separator: Character) -> [Substring] {
    var parts: [Substring] = []
    var start = text.startIndex
    var (isQuoted, isEscaped) = (false, false)
    for index in text.indices {
      let character = text[index]
      if character == separator, !isQuoted, !isEscaped {
        parts.append(text[start..<index])
        start = text.index(after: index)
      }
      if character == "\"", !isEscaped { isQuoted.toggle() }
      isEscaped = character == "\\" && !isEscaped
    }
    return parts + [text[start...]]
  }
}
