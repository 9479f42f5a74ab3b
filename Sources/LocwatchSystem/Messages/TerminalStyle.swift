package import LocationText

/// The style of text on a terminal.
package struct TerminalStyle: Equatable, Sendable {
  package var usesColor = false
  /// Whether the terminal shows UTF-8.
  package var showsUTF8 = true
  /// Whether the terminal wraps a line again when it gets narrower.
  package var rewraps = true
  package var coordinates = CoordinateStyle.decimal
  package var units = UnitSystem.metric

  package enum ColorChoice: String, CaseIterable, Sendable {
    case auto, always, never
  }

  /// What the user chooses of it.
  package struct Choices: Sendable {
    var color = ColorChoice.auto
    var coordinates = CoordinateStyle.decimal
    var units = UnitSystem.metric

    package init(
      color: ColorChoice = .auto, coordinates: CoordinateStyle = .decimal,
      units: UnitSystem = .metric
    ) {
      self.color = color
      self.coordinates = coordinates
      self.units = units
    }
  }

  package init() {}

  /// - Parameters:
  ///   - environment: Where `NO_COLOR`, `TERM`, `LC_ALL`, `LC_CTYPE` and `LANG` are looked up.
  ///   - isTerminal: Whether the output is a terminal.
  package init(_ choices: Choices, environment: Environment, isTerminal: Bool) {
    usesColor =
      switch choices.color {
      case .always: true
      case .never: false
      case .auto: isTerminal && Self.wantsColor(environment)
      }
    showsUTF8 = Self.isUTF8(environment)
    rewraps =
      environment["TMUX"] != nil
      || environment["XTERM_VERSION"] == nil && environment["TERM"] != "linux"
    coordinates = choices.coordinates
    units = choices.units
  }

  private static func wantsColor(_ environment: Environment) -> Bool {
    let terminal = environment["TERM"] ?? ""
    return environment["NO_COLOR", default: ""].isEmpty && terminal != "dumb" && terminal != ""
  }

  /// As in the C library, the first variable that is not empty decides.
  private static func isUTF8(_ environment: Environment) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let charset = (locale ?? "").utf8.drop { $0 != UInt8(ascii: ".") }
      .prefix { $0 != UInt8(ascii: "@") }
    return [".utf-8", ".utf8"].contains(Substring(charset).lowercased())
  }
}

extension String {
  /// The width of the text on a terminal, in columns.
  package var displayWidth: Int { unicodeScalars.reduce(0) { $0 + $1.displayWidth } }

  /// Returns the beginning of the text, up to `width` columns.
  package func cut(toDisplayWidth width: Int) -> String {
    var result = String.UnicodeScalarView()
    var room = width
    for scalar in unicodeScalars {
      room -= scalar.displayWidth
      if room < 0 { break }
      result.append(scalar)
    }
    return String(result)
  }
}

extension Unicode.Scalar {
  /// 0 for combining marks, 2 for wide East Asian characters and emoji, 1 for all others.
  package var displayWidth: Int {
    if value < 0x300 { return 1 }
    switch properties.generalCategory {
    case .nonspacingMark, .enclosingMark: return 0
    default: break
    }
    switch value {
    // Regional indicators: a flag consists of two of them and takes two columns.
    case 0x1f1e6...0x1f1ff: return 1
    case 0x1100...0x115f, 0x2e80...0x303e, 0x3041...0xa4cf, 0xa960...0xa97f, 0xac00...0xd7a3,
      0xf900...0xfaff, 0xfe30...0xfe6f, 0xff00...0xff60, 0xffe0...0xffe6, 0x20000...0x3fffd:
      return 2
    default: return properties.isEmojiPresentation ? 2 : 1
    }
  }
}
