import GPSDLocation

extension Options {
  /// Reads a command line.
  ///
  /// `--help` and `--version` win over everything else on the line, be it wrong.
  ///
  /// - Parameters:
  ///   - arguments: The words after the command's own name.
  ///   - environment: Where `GPSD_UNITS` is looked up.
  package init(
    arguments: [String], environment: [String: String] = [:]
  ) throws(UsageError) {
    self.init()
    units = UnitSystem(environment: environment) ?? .metric
    var parser = OptionParser(options: self)
    parser.read(arguments)
    self = parser.options
    switch action {
    case .help, .version: return
    case .run, .generate: break
    }
    if let failure = parser.failure { throw failure }
    if case .generate = action { return }
    try take(operands: parser.operands)
    try refuseContradictions(among: parser.given, operands: parser.operands)
    fillIn()
  }

  private mutating func take(operands: [String]) throws(UsageError) {
    guard let operand = operands.first else {
      target = .gpsd(GPSDEndpoint(), device: device)
      return
    }
    if operands.count > 1 {
      throw UsageError("one server or receiver at a time: '\(operand)' or '\(operands[1])'")
    }
    target = try Target(operand: operand)
    guard case .gpsd(let endpoint, let named) = target else {
      if device != nil { throw UsageError("--device cannot go with '\(operand)'") }
      return
    }
    if let named, let device, named != device {
      throw UsageError("--device '\(device)' contradicts '\(operand)'")
    }
    device = device ?? named
    target = .gpsd(endpoint, device: device)
  }

  /// Puts in what follows from the rest of the line.
  private mutating func fillIn() {
    if once { count = 1 }
    once = count == 1
    if count != nil, timeout == nil { timeout = .seconds(30) }
  }
}

/// Goes over the words of a command line.
private struct OptionParser {
  var options: Options
  /// The long names of the options on the line.
  var given: Set<String> = []
  var operands: [String] = []
  /// The first thing that is wrong. Reading goes on, for there may be a `--help` yet.
  var failure: UsageError?
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
    given.insert(option.long)
    guard let valueName = option.valueName else {
      if attached != nil { throw UsageError("option \(name) takes no value") }
      return try option.apply(&options, "")
    }
    // A `--help` where a value should be is a cry for help.
    if attached == nil, let next = rest.first, ["--help", "--version"].contains(next) {
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
