import LocationCore
import LocwatchSystem

/// One option, as used by the parser, the help and the completions.
struct Option: Sendable {
  typealias Apply = @Sendable (inout Options, Argument) throws(UsageError) -> Void

  let short: Character?
  let name: Name
  /// The placeholder for the value in the help; `nil` if the option takes none.
  let valueName: String?
  let completion: Completion
  /// A short description for `--help`.
  let summary: String
  let apply: Apply

  /// The long name, without the dashes.
  var long: String { name.rawValue }

  /// The values that a shell completes.
  enum Completion: Equatable, Sendable {
    case none
    case words([String])
    case file
    /// A receiver's path.
    case device
  }

  static func flag(
    _ short: Character?, _ name: Name, _ summary: String,
    apply: @escaping @Sendable (inout Options) -> Void
  ) -> Option {
    Option(
      short: short, name: name, valueName: nil, completion: .none,
      summary: summary, apply: { options, _ in apply(&options) })
  }

  static func value(
    _ short: Character?, _ name: Name, _ valueName: String,
    completion: Completion = .none, _ summary: String,
    apply: @escaping @Sendable (inout Options, String) throws(UsageError) -> Void
  ) -> Option {
    Option(
      short: short, name: name, valueName: valueName, completion: completion,
      summary: summary,
      apply: { (options, value) throws(UsageError) in try apply(&options, value.validText) })
  }

  static func file(
    _ short: Character?, _ name: Name, _ summary: String,
    apply: @escaping @Sendable (inout Options, FilePath) throws(UsageError) -> Void
  ) -> Option {
    file(short, name, "FILE", summary) { (options, value) throws(UsageError) in
      try apply(&options, try OptionValues.path(value))
    }
  }

  /// An option whose value contains a path.
  static func file(
    _ short: Character?, _ name: Name, _ valueName: String, _ summary: String,
    apply: @escaping Apply
  ) -> Option {
    Option(
      short: short, name: name, valueName: valueName, completion: .file, summary: summary,
      apply: apply)
  }
}

/// An argument that is not an option.
struct Operand: Sendable {
  let form: String
  let summary: String
}

/// A group of options in the help.
struct OptionGroup: Sendable {
  let title: String
  var operands: [Operand] = []
  let options: [Option]
}
