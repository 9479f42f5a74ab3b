/// One option, with all that the parser, the help, the manual page and the completions say of it.
struct Option: Sendable {
  typealias Apply = @Sendable (inout Options, String) throws(UsageError) -> Void

  let short: Character?
  let long: String
  /// What stands for the option's value in the help; `nil` where it takes none.
  let valueName: String?
  let completion: Completion
  /// A few words for `--help`.
  let summary: String
  /// More for the manual page, in sentences; empty where the summary says it all.
  let detail: String
  let apply: Apply

  /// What a shell offers for an option's value.
  enum Completion: Equatable, Sendable {
    case none
    case words([String])
    case file
    /// A receiver's path.
    case device
  }

  static func flag(
    _ short: Character? = nil, _ long: String, _ summary: String, _ detail: String = "",
    apply: @escaping @Sendable (inout Options) -> Void
  ) -> Option {
    Option(
      short: short, long: long, valueName: nil, completion: .none, summary: summary,
      detail: detail, apply: { options, _ in apply(&options) })
  }

  static func value(
    _ short: Character? = nil, _ long: String, _ valueName: String,
    completion: Completion = .none, _ summary: String, _ detail: String = "",
    apply: @escaping Apply
  ) -> Option {
    Option(
      short: short, long: long, valueName: valueName, completion: completion, summary: summary,
      detail: detail, apply: apply)
  }
}

/// A word on the command line that is no option.
struct Operand: Sendable {
  let form: String
  let summary: String
  let detail: String
}

/// What belongs together in the help.
struct OptionGroup: Sendable {
  let title: String
  var operands: [Operand] = []
  let options: [Option]
}
