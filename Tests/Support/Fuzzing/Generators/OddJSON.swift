import LocationTestKit

/// Texts of JSON that are valid and hard to pass on: deep, empty, escaped in all ways, with numbers
/// that fit no type, and invisible characters.
enum OddJSON {
  private static let pieces =
    [
      "", "a", "/dev/ttyUSB0", " ", "é", "e\u{301}", "\u{1F6F0}", "\u{202E}", "\u{2066}",
      "\u{FEFF}",
      "\u{A0}", "\u{3164}", "\u{E000}", "\u{7F}", "\u{85}", "\u{2028}", "\u{10FFFF}", "\u{FFFD}",
      "'", "<b>", "&amp;", "%n", "{", "}", "[", ",", ":", "nul", "=1+1", "-->", "]]>", "\u{34F}",
    ] + [
      #"\""#, #"\\"#, #"\/"#, #"\b"#, #"\f"#, #"\n"#, #"\r"#, #"\t"#, #"\u0001"#, #"\u001b[2J"#,
      #"\u0022"#, #"\u005C"#, #"\u005c\u0022"#, #"\ud83d\udef0"#, #"\uD83D\uDEF0"#, #"\u202e"#,
      #"\u007f"#, #"\u009b"#, #"\ufeff"#, #"\\u0041"#, #"\\\""#,
    ]

  private static let spaces = ["", "", "", "", " ", "  ", "\t", "\r"]

  /// A value that is nested at most so deep.
  static func value(depth: Int, _ random: inout SeededRandom) -> String {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: return random.pick(["null", "true", "false"])
    case 1...3: return OddNumber.any(&random)
    case 4, 5: return string(&random)
    case 6:
      let elements = (0..<Int.random(in: 0...4, using: &random)).map { _ in
        value(depth: depth - 1, &random)
      }
      return "[" + elements.map { spaced($0, &random) }.joined(separator: ",") + "]"
    default: return object([], depth: depth, &random)
    }
  }

  /// An object with certain members, and others at random.
  static func object(
    _ members: [String], depth: Int, _ random: inout SeededRandom
  ) -> String {
    var all = members
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let name = string(&random, prefix: "x")
      all.append(name + spaced(":", &random) + value(depth: depth - 1, &random))
    }
    return "{" + all.map { spaced($0, &random) }.joined(separator: ",") + "}"
  }

  static func string(_ random: inout SeededRandom, prefix: String = "") -> String {
    let count = random.happens(onceIn: 20) ? 60 : 4
    let text = (0..<Int.random(in: 0...count, using: &random)).map { _ in
      random.pick(pieces)
    }
    return "\"\(prefix)\(text.joined())\""
  }

  private static func spaced(_ text: String, _ random: inout SeededRandom) -> String {
    (random.pick(spaces)) + text
      + (random.pick(spaces))
  }
}
