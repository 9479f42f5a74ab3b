import DaemonHarness
import SimulatedReceiver

/// What the command line asks for.
struct SiteOptions {
  private(set) var chosen = ScenarioOptions()
  private(set) var gpsd: String?
  private(set) var port = 0
  private(set) var receivers = 1
  private(set) var showsHelp = false

  static let usage = """
    Usage: simulated-site [OPTIONS]

    A gpsd on the loopback interface with simulated GPS receivers. Once gpsd reports the position of each, writes a
    line with its port and the paths of the receivers. All end by SIGINT or SIGTERM, or when the process that started
    this one ends.

    \(ScenarioOptions.usage)
      --receivers N    how many, 1 to 4 (1)
      --gpsd PATH      the program (that of PATH or /usr/sbin)
      --port N         where gpsd listens (0: a free port)
      --help           this text

    """

  init(_ words: [String]) throws(UsageError) {
    var arguments = ToolArguments(words)
    while let argument = arguments.next() {
      if try chosen.read(argument, &arguments) { continue }
      switch argument {
      case "--help", "-h": showsHelp = true
      case "--receivers": receivers = try arguments.value(of: argument, in: 1...4)
      case "--gpsd": gpsd = try arguments.value(of: argument)
      case "--port": port = try arguments.value(of: argument, in: 0...65_535)
      default: throw UsageError("unknown argument '\(argument)'")
      }
    }
    if receivers > 1, chosen.link != nil { throw UsageError("--link is for one receiver") }
    try chosen.refuseUnplugging()
  }
}
