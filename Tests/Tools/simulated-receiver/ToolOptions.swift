import SimulatedReceiver

/// What the command line asks for.
struct ToolOptions {
  var scenario = Scenario.drive
  var epochs: Int?
  var link: String?
  /// Whether it is on the network instead of on a pseudo-terminal.
  var isNetworked = false
  var showsList = false
  var showsHelp = false

  static let usage = """
    Usage: simulated-receiver [OPTIONS]

    A GPS receiver on a pseudo-terminal. Writes its path on the first line, then feeds who opens it.

      --scenario NAME  what the receiver meets (drive)
      --rate HZ        epochs a second, 0.1 to 100 (the scenario's own)
      --epochs N       end after N epochs (never)
      --repeat         begin the scenario again at its end; otherwise its last phase goes on
      --link PATH      a symbolic link that leads to the receiver, also after a replug
      --tcp            at a port of the loopback interface instead; writes its address
      --list           list the scenarios
      --help           this text

    """

  init(_ arguments: [String]) throws(UsageError) {
    var rest = arguments[...]
    var rate: Double?
    var repeats = false
    while let argument = rest.popFirst() {
      switch argument {
      case "--list": showsList = true
      case "--help", "-h": showsHelp = true
      case "--scenario":
        let name = try Self.value(of: argument, &rest)
        guard let named = Scenario.named.first(where: { $0.name == name }) else {
          throw UsageError("no scenario '\(name)': --list shows them")
        }
        scenario = named
      case "--rate":
        rate = try Self.value(of: argument, &rest, in: 0.1...100)
      case "--epochs":
        epochs = try Self.value(of: argument, &rest, in: 1...Int.max)
      case "--repeat": repeats = true
      case "--tcp": isNetworked = true
      case "--link":
        link = try Self.value(of: argument, &rest)
      default:
        throw UsageError("unknown argument '\(argument)'")
      }
    }
    scenario.repeats = repeats
    if let rate { scenario.intervalMilliseconds = Int64((1000 / rate).rounded()) }
    if isNetworked, link != nil || epochs != nil {
      throw UsageError("--tcp goes on for ever, and has no link")
    }
    if !isNetworked, link == nil, scenario.phases.contains(where: { $0.reception == .unplugged }) {
      throw UsageError("scenario '\(scenario.name)' needs --link: its pseudo-terminal changes")
    }
  }

  private static func value(
    of option: String, _ rest: inout ArraySlice<String>
  ) throws(UsageError) -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(option) needs a value") }
    return value
  }

  private static func value<Value: LosslessStringConvertible & Comparable>(
    of option: String, _ rest: inout ArraySlice<String>, in range: ClosedRange<Value>
  ) throws(UsageError) -> Value {
    let text = try value(of: option, &rest)
    guard let value = Value(text), range.contains(value) else {
      throw UsageError("\(option): '\(text)' is not in \(range)")
    }
    return value
  }
}

/// A command line that makes no sense, in words.
struct UsageError: Error {
  let message: String

  init(_ message: String) {
    self.message = message
  }
}
