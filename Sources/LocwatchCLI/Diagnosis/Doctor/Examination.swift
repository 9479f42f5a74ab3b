import GPSDLocation

/// All that the checks look at.
struct Examination: Sendable {
  let target: Target
  /// What gpsd said; `nil` if no gpsd was asked.
  let conversation: Conversation?
  /// The machine of gpsd; `nil` if it is another one than this.
  let machine: Machine?
  /// The last pulse of each source of the kernel, some seconds ago.
  let earlierPulses: [String: String]
  /// The gpsds that serve the target.
  let daemons: [GPSDProcess]
  /// How systemd starts gpsd; `nil` if it does not start that of the target.
  let settings: GPSDSettings?
  /// The devices that gpsd was told to read, or the one of the command line.
  let configured: [String]
  /// The devices at which a receiver is expected: all that gpsd has or was told of, or else all serial devices
  /// that are plugged in.
  let ports: [String]

  /// - Parameters:
  ///   - conversation: What gpsd said; `nil` if no gpsd was asked.
  ///   - machine: The machine that the program runs on.
  ///   - earlierPulses: Its pulses some seconds ago.
  init(
    of target: Target, _ conversation: Conversation?, on machine: Machine,
    earlierPulses: [String: String] = [:]
  ) {
    self.target = target
    self.conversation = conversation
    self.earlierPulses = earlierPulses
    guard target.isOnThisMachine else {
      (self.machine, settings) = (nil, nil)
      (daemons, configured, ports) = ([], [], [])
      return
    }
    self.machine = machine
    let port = target.endpoint.port
    daemons = machine.processes.compactMap(GPSDProcess.init).filter { $0.arguments.port == port }
    settings = port == GPSDEndpoint.defaultPort ? GPSDSettings(on: machine) : nil
    if case .tty(let path) = target {
      (configured, ports) = ([path], [path])
      return
    }
    let told = daemons.first?.arguments.devices ?? settings?.arguments.devices ?? []
    // Pulses have a check of their own, and other readers.
    configured = told.filter { $0.hasPrefix("/") && !$0.hasPrefix("/dev/pps") }
    let had = (conversation?.receivers ?? []).map(\.path)
      .filter { machine.exists($0) && !$0.hasPrefix("/dev/pps") }
    var seen: Set<String> = []
    let all = (had + configured).filter { seen.insert($0).inserted }
    ports = all.isEmpty ? machine.serialPorts.map(\.path) : all
  }

  /// Those of ``ports`` that are there, each once, by their paths without links.
  var presentPorts: [String] {
    var seen: Set<String> = []
    return ports.compactMap { machine?.realPath(of: $0) }.filter { seen.insert($0).inserted }
  }

  /// Whether a receiver reports.
  var isReporting: Bool { conversation.map { $0.reach >= .reports } ?? false }

  /// The arguments of the gpsd that runs, or else those that systemd would give it; `nil` if they are
  /// unknown.
  var arguments: GPSDArguments? { daemons.first?.arguments ?? settings?.arguments }
}

extension Target {
  /// The gpsd that is asked.
  var endpoint: GPSDEndpoint {
    switch self {
    case .gpsd(let endpoint, _): endpoint
    case .tty, .network: GPSDEndpoint()
    }
  }

  /// Whether the receiver, or its gpsd, is on this machine.
  var isOnThisMachine: Bool { endpoint.isLoopback }
}
