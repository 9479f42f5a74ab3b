/// What a template says to write: words, and fields of the fix.
package struct Template: Equatable, Sendable {
  enum Part: Equatable, Sendable {
    case text(String)
    case field(FixField)
  }

  private(set) var parts: [Part] = []

  /// Whether latitude or longitude are among the fields.
  var showsCoordinates: Bool { parts.contains(.field(.lat)) || parts.contains(.field(.lon)) }

  /// Reads a template: `%name` is a field, `%%` a percent sign, `\n` and `\t` a line end and a tab.
  ///
  /// The longest name that fits is taken, so that letters may follow one.
  init(_ source: String) throws(UsageError) {
    var text = ""
    var rest = source[...]
    while let character = rest.popFirst() {
      switch character {
      case "%":
        if rest.first == "%" {
          text.append(rest.removeFirst())
          continue
        }
        guard let (name, field) = Self.longestName(at: rest) else {
          throw Self.unknown(rest)
        }
        rest.removeFirst(name.count)
        if !text.isEmpty { parts.append(.text(text)) }
        text = ""
        parts.append(.field(field))
      case "\\":
        switch rest.first {
        case "n": text.append("\n")
        case "t": text.append("\t")
        case "\\": text.append("\\")
        default:
          text.append("\\")
          continue
        }
        rest.removeFirst()
      default: text.append(character)
      }
    }
    if !text.isEmpty { parts.append(.text(text)) }
  }

  /// `sats` is short for `satsUsed`.
  static let names: [(name: String, field: FixField)] =
    FixField.allCases.map { ($0.rawValue, $0) } + [("sats", .satsUsed)]

  private static func longestName(at rest: Substring) -> (name: String, field: FixField)? {
    names.filter { rest.hasPrefix($0.name) }.max { $0.name.count < $1.name.count }
  }

  private static func unknown(_ rest: Substring) -> UsageError {
    let word = String(rest.prefix { $0.isLetter || $0.isNumber })
    guard !word.isEmpty else {
      return UsageError("a % without a name in the template; %% writes one")
    }
    let nearest = nearestName(to: word, among: names.map(\.name))
    return UsageError(
      "'%\(word)' is not a field" + (nearest.map { "; did you mean %\($0)?" } ?? ""))
  }
}
