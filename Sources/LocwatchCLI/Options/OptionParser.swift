/// Goes over the words of a command line.
struct OptionParser {
  private(set) var options: Options
  /// The long names of the options on the line.
  private(set) var given: [String] = []
  private(set) var operands: [String] = []
  /// The first thing that is wrong. Reading goes on, for there may be a `--help` yet.
  private(set) var failure: UsageError?
  private var rest: ArraySlice<String> = []

  init(options: Options) { self.options = options }

  mutating func read(_ arguments: [String]) {
    rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == "--" {
        operands += rest
        return
      }
      do throws(UsageError) {
        if argument.hasPrefix("--") {
          try readLong(argument)
        } else if argument.hasPrefix("-"), argument != "-" {
          try readShort(argument)
        } else {
          operands.append(argument)
        }
      } catch {
        failure = failure ?? error
      }
    }
  }

  private mutating func readLong(_ argument: String) throws(UsageError) {
    let parts = argument.dropFirst(2).split(
      separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = OptionTable.option(long: name) else {
      let nearest = nearestName(to: name, among: OptionTable.options.map(\.long))
      throw Self.unknown("--\(name)", nearest: nearest)
    }
    try apply(option, as: "--\(name)", attached: parts.count > 1 ? String(parts[1]) : nil)
  }

  private mutating func readShort(_ argument: String) throws(UsageError) {
    var letters = argument.dropFirst()
    while let letter = letters.popFirst() {
      guard let option = OptionTable.option(short: letter) else {
        failure = failure ?? Self.unknown("-\(letter)", nearest: Self.longName(in: argument))
        continue
      }
      let takesRest = option.valueName != nil && !letters.isEmpty
      try apply(option, as: "-\(letter)", attached: takesRest ? String(letters) : nil)
      if takesRest { return }
    }
  }

  private mutating func apply(
    _ option: Option, as name: String, attached: String?
  ) throws(UsageError) {
    given.append(option.long)
    guard let valueName = option.valueName else {
      if attached != nil { throw UsageError("option \(name) takes no value") }
      return try option.apply(&options, "")
    }
    // A `--help` where a value should be is a cry for help.
    if attached == nil, let next = rest.first, ["-h", "--help", "--version"].contains(next) {
      throw UsageError("option \(name) needs a value: \(valueName)")
    }
    guard let value = attached ?? rest.popFirst() else {
      throw UsageError("option \(name) needs a value: \(valueName)")
    }
    do throws(UsageError) {
      try option.apply(&options, value)
    } catch {
      throw UsageError("option \(name): \(error.message)")
    }
  }

  private static func unknown(_ name: String, nearest: String?) -> UsageError {
    UsageError("unknown option \(name)" + (nearest.map { "; did you mean --\($0)?" } ?? ""))
  }

  /// The long option in `-json`, which lacks a dash.
  private static func longName(in argument: String) -> String? {
    let word = String(argument.dropFirst())
    return OptionTable.option(long: word)?.long
  }
}
