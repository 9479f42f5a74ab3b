package import SimulatedReceiver

/// The options that choose a scenario, of every tool with a simulated receiver.
package struct ScenarioOptions {
  private var named = Scenario.drive
  private var rate: Double?
  private var repeats = false
  /// A symbolic link that leads to the receiver.
  package private(set) var link: String?

  package static let usage = """
      --scenario NAME  what the receiver meets (drive)
      --rate HZ        epochs a second, 0.1 to 100 (the scenario's own)
      --repeat         begin the scenario again at its end; otherwise its last phase goes on
      --link PATH      a symbolic link that leads to the receiver, also after a replug
    """

  package init() {}

  /// Reads an option with its value, if it is one of these.
  ///
  /// - Returns: Whether it is.
  package mutating func read(
    _ option: String, _ arguments: inout ToolArguments
  ) throws(UsageError) -> Bool {
    switch option {
    case "--scenario":
      let name = try arguments.value(of: option)
      guard let scenario = Scenario.named.first(where: { $0.name == name }) else {
        throw UsageError("no scenario '\(name)': simulated-receiver --list shows them")
      }
      named = scenario
    case "--rate": rate = try arguments.value(of: option, in: 0.1...100)
    case "--repeat": repeats = true
    case "--link": link = try arguments.value(of: option)
    default: return false
    }
    return true
  }

  /// The scenario as it was chosen.
  package var scenario: Scenario {
    var scenario = named
    scenario.repeats = repeats
    if let rate { scenario.intervalMilliseconds = Int64((1000 / rate).rounded()) }
    return scenario
  }

  /// Refuses a scenario on a pseudo-terminal that could not be followed.
  package func refuseUnplugging() throws(UsageError) {
    if link == nil, scenario.phases.contains(where: { $0.reception == .unplugged }) {
      throw UsageError("scenario '\(named.name)' needs --link: its pseudo-terminal changes")
    }
  }
}
