package import LocationCore

/// Short texts for people.
package enum Text {
  /// `500 ms`, `20 s`, `1.5 s`
  package static func duration(_ duration: Duration) -> String {
    self.duration(seconds: duration.inSeconds)
  }

  package static func duration(seconds: Double) -> String {
    if seconds < 1 { return "\(rounded(seconds * 1000, places: 0)) ms" }
    return
      "\(seconds == seconds.rounded() ? rounded(seconds, places: 0) : rounded(seconds, places: 1)) s"
  }

  /// `a`, `a and b`, `a, b and c`; empty for none.
  package static func list(_ names: some BidirectionalCollection<String>) -> String {
    guard let last = names.last, names.count > 1 else { return names.last ?? "" }
    return "\(names.dropLast().joined(separator: ", ")) and \(last)"
  }

  /// `1,024 weeks too early`, for a fix whose `rollover` is 1.
  package static func weeks(ofRollover rollover: Int) -> String {
    let weeks = Int(rollover.magnitude) * 1024
    let rest = String(1000 + weeks % 1000).dropFirst()
    return "\(weeks / 1000),\(rest) weeks too \(rollover > 0 ? "early" : "late")"
  }

  /// Returns the number with exactly `places` decimal places, from 0 to 9.
  package static func rounded(_ number: Double, places: Int) -> String {
    var text = TextBuffer()
    text.append(number, places: places)
    return text.string
  }
}

extension String {
  /// Returns the text, padded with spaces to the width of a column.
  package func padded(to width: Int) -> String {
    self + String(repeating: " ", count: Swift.max(0, width - count))
  }
}

extension LocationFix {
  /// The doubts about the position, for people: `doubted: jump`; `nil` if there are no doubts, or only those
  /// that the quality already shows.
  package var doubtText: String? {
    let doubts = doubtSet.subtracting(.ofQuality)
    return doubts.isEmpty ? nil : "doubted: \(doubts.names(between: ", "))"
  }
}

extension String {
  /// Returns the text in lines of at most `width` characters. A longer word gets its own line.
  package func wrapped(to width: Int) -> [String] {
    var lines: [String] = []
    var line = ""
    for word in split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > width {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return line.isEmpty ? lines : lines + [line]
  }
}

// The standard library's versions would link the regular expression library, which takes 1.3 MB. They are inlinable,
// because with the types of the caller they are a hundred times as fast.

extension Collection where Element: Equatable {
  /// Returns where another nonempty collection begins in this one; `nil` if this one does not contain it.
  @inlinable
  package func firstIndex(ofPart part: some Collection<Element>) -> Index? {
    indices.first { self[$0...].starts(with: part) }
  }

  /// Whether another collection is part of this one.
  @inlinable
  package func contains(part: some Collection<Element>) -> Bool {
    part.isEmpty || firstIndex(ofPart: part) != nil
  }
}

extension StringProtocol {
  /// Whether another text is part of this one, byte for byte.
  package func contains(text: some StringProtocol) -> Bool { utf8.contains(part: text.utf8) }
}
