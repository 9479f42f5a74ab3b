/// How text on a terminal looks.
package struct TerminalStyle: Equatable, Sendable {
  package var usesColor = false
  /// Whether the terminal shows more than ASCII.
  package var showsUTF8 = true
  /// Whether the terminal breaks a line anew when it gets too narrow for it.
  package var rewraps = true
  package var coordinates = CoordinateStyle.decimal
  package var units = UnitSystem.metric

  package init() {}

  /// - Parameters:
  ///   - environment: Where `NO_COLOR`, `TERM`, `LC_ALL`, `LC_CTYPE` and `LANG` are looked up.
  ///   - isTerminal: Whether the output is a terminal at all.
  package init(options: Options, environment: Environment, isTerminal: Bool) {
    usesColor =
      switch options.color {
      case .always: true
      case .never: false
      case .auto: isTerminal && Self.wantsColor(environment)
      }
    showsUTF8 = Self.isUTF8(environment)
    rewraps =
      environment["TMUX"] != nil
      || environment["XTERM_VERSION"] == nil && environment["TERM"] != "linux"
    coordinates = options.coordinates
    units = options.screenUnits
  }

  private static func wantsColor(_ environment: Environment) -> Bool {
    let terminal = environment["TERM"] ?? ""
    return environment["NO_COLOR", default: ""].isEmpty && terminal != "dumb" && terminal != ""
  }

  /// The first of the variables that is not empty decides, as in the C library.
  private static func isUTF8(_ environment: Environment) -> Bool {
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }
      .first { !$0.isEmpty }
    let charset = (locale ?? "").lowercased().drop { $0 != "." }.prefix { $0 != "@" }
    return charset == ".utf-8" || charset == ".utf8"
  }
}
