import DaemonHarness
import SimulatedReceiver

/// What the command line asks for.
struct ToolOptions {
  private(set) var chosen = ScenarioOptions()
  var epochs: Int?
  /// Whether it is on the network instead of on a pseudo-terminal.
  var isNetworked = false
  var showsList = false
  var showsHelp = false

  static let usage = """
    Usage: simulated-receiver [OPTIONS]

    A GPS receiver on a pseudo-terminal. Writes its path on the first line, then feeds who opens it.

    \(ScenarioOptions.usage)
      --epochs N       end after N epochs (never)
      --tcp            at a port of the loopback interface instead; writes its address
      --list           list the scenarios
      --help           this text

    """

  init(_ words: [String]) throws(UsageError) {
    var arguments = ToolArguments(words)
    while let argument = arguments.next() {
      if try chosen.read(argument, &arguments) { continue }
      switch argument {
      case "--list": showsList = true
      case "--help", "-h": showsHelp = true
      case "--epochs":
        epochs = try arguments.value(of: argument, in: 1...Int.max)
      case "--tcp": isNetworked = true
      default:
        throw UsageError("unknown argument '\(argument)'")
      }
    }
    if isNetworked, chosen.link != nil || epochs != nil {
      throw UsageError("--tcp goes on for ever, and has no link")
    }
    if !isNetworked { try chosen.refuseUnplugging() }
  }
}
