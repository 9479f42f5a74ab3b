import LocationCore

/// A line of an input: when it comes, from which source, and what it is.
struct TimedLine {
  /// The time of day at second 0.
  static let start = Timestamp(secondsSince1970: 1_795_158_300)

  /// In milliseconds, which do not add up to other moments, as sums of fractions do; `nil` for a line without a moment.
  var moment: Int?
  /// The source of a recording of several; `nil` for none.
  var source: String?
  var text: String

  /// Reads a line such as `1 TPV lat=48`, `1..5/0.5 TPV`, `1 bow: TPV` or `- TPV`.
  ///
  /// - Returns: One line for each moment. A line that begins with none is returned as it is.
  static func read(_ line: String) -> [TimedLine] {
    let words = line.split(separator: " ", maxSplits: 1)
    guard words.count == 2, let moments = moments(words[0]) else { return [TimedLine(text: line)] }
    var (rest, source) = (words[1], String?.none)
    if let end = rest.firstIndex(of: " "), rest[..<end].hasSuffix(":"), !rest.hasPrefix("{") {
      source = String(rest[..<end].dropLast())
      rest = rest[end...].dropFirst()
    }
    return moments.map { moment in
      TimedLine(
        moment: moment, source: source, text: ShortReport.text(rest, at: moment ?? 0))
    }
  }

  private static func moments(_ word: Substring) -> [Int?]? {
    if word == "-" { return [nil] }
    if let moment = milliseconds(word) { return [moment] }
    let parts = word.split(separator: "/")
    let ends = parts[0].split(separator: "..").compactMap(milliseconds)
    let step = parts.count > 1 ? milliseconds(parts[1]) : 1000
    guard ends.count == 2, let step, step > 0 else { return nil }
    return Array(stride(from: ends[0], through: ends[1], by: step))
  }

  private static func milliseconds(_ word: Substring) -> Int? {
    guard word.allSatisfy({ $0.isNumber || $0 == "." }) else { return nil }
    return Double(word).map { Int(($0 * 1000).rounded()) }
  }

  /// Returns the time of day at a moment.
  static func time(_ moment: Int) -> Timestamp { start.advanced(by: .milliseconds(moment)) }
}

extension [TimedLine] {
  /// In the order of their moments.
  var inOrder: [TimedLine] {
    enumerated().sorted {
      ($0.element.moment ?? 0, $0.offset) < ($1.element.moment ?? 0, $1.offset)
    }
    .map(\.element)
  }

  /// The text of a file. Before a line with a moment comes the line that locwatch records for it.
  var recording: String {
    // Several sources are recorded together.
    let isOfSeveral = contains { $0.source != nil } && allSatisfy { $0.moment != nil }
    var text = ""
    var last: (moment: Int?, source: String?) = (nil, nil)
    for line in isOfSeveral ? inOrder : self {
      let words = line.text.split(separator: " ")
      let beginsFile = words.first == "start"
      if let moment = line.moment, beginsFile || last != (moment, line.source) {
        last = (moment, line.source)
        let digits = "\(1000 + moment % 1000)".dropFirst()
        text += #"{"class":"LOCWATCH","t":\#(moment / 1000).\#(digits)"#
        if beginsFile {
          text += #","start":"\#(words.count > 1 ? "\(words[1])" : "\(TimedLine.start)")""#
        }
        text += (line.source.map { #","source":"\#($0)""# } ?? "") + "}\r\n"
      }
      if !beginsFile { text += line.text + "\r\n" }
    }
    return text
  }
}
