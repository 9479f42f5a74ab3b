import GPSDLocation
import Glibc
import LocationCore
import LocationText
package import LocwatchReceivers
package import LocwatchSystem

/// Everything that the checks look at.
package struct Examination: Sendable {
  let target: Target
  /// What gpsd said; `nil` if no gpsd was asked.
  let conversation: Conversation?
  /// Whether the doctor started that gpsd itself.
  let isPrivate: Bool
  /// The connection to a receiver on the network; `nil` for another target.
  let link: NetworkLink?
  /// The processes that use the port of a receiver on the network, so that the doctor cannot listen on it.
  let portHolders: [DeviceHolders.Holder]
  /// The segments of shared memory to which gpsd wrote.
  let segments: SegmentWrites
  /// The machine that gpsd runs on; `nil` if it is not this one.
  let machine: Machine?
  /// The last pulse of each source of the kernel, some seconds ago.
  let earlierPulses: [String: String]
  /// Whether gpsd is installed on the machine that the program runs on.
  let hasGPSD: Bool
  /// The gpsds that serve the target. A private one of locwatch serves no port.
  let daemons: [GPSDProcess]
  /// The users who listen on the port of gpsd, and who are neither root, nor gpsd, nor the user of this process.
  let strangers: [uid_t]
  /// How systemd starts gpsd; `nil` if it does not start the target's.
  let settings: GPSDSettings?
  /// The devices that gpsd is configured to read, or the command line's.
  let configured: [String]
  /// The devices at which a receiver is expected: all that gpsd has or is configured for, or else all serial devices
  /// that are plugged in.
  let ports: [String]

  /// - Parameters:
  ///   - machine: The machine that the program runs on; `nil` to look at none, as for a recording.
  ///   - earlierSegments: Its segments of shared memory at that time.
  ///   - laterSegments: Its segments now.
  package init(
    of target: Target, _ conversation: Conversation?, on machine: Machine?,
    isPrivate: Bool = false, link: NetworkLink? = nil, earlierPulses: [String: String] = [:],
    earlierSegments: TimeSegments = TimeSegments(), laterSegments: TimeSegments = TimeSegments()
  ) {
    self.target = target
    self.conversation = conversation
    self.isPrivate = isPrivate
    self.link = link
    self.earlierPulses = earlierPulses
    hasGPSD = machine?.hasGPSD == true
    portHolders = machine.flatMap { link?.portHolders(on: $0) } ?? []
    segments = SegmentWrites(
      from: earlierSegments, to: laterSegments,
      named: conversation?.receptions.compactMap(\.segment) ?? [])
    guard let machine, target.isOnThisMachine else {
      (self.machine, settings) = (nil, nil)
      (daemons, configured, ports, strangers) = ([], [], [], [])
      return
    }
    self.machine = machine
    let port = target.endpoint.port
    daemons = machine.daemons.filter {
      $0.arguments.port == port && machine.locwatch(ofProcess: $0.id) == nil
    }
    settings =
      port == GPSDEndpoint.defaultPort && !isPrivate ? GPSDSettings(on: machine) : nil
    strangers =
      PortOwners(of: port, on: machine).users.map { users in
        users.filter { !machine.trusts($0) }.sorted()
      } ?? []
    if case .tty(let path) = target {
      (configured, ports) = ([path], [path])
      return
    }
    let told = daemons.first?.arguments.devices ?? settings?.arguments.devices ?? []
    // Pulses have a separate check and other readers.
    configured = told.filter { $0.hasPrefix("/") && !$0.hasPrefix("/dev/pps") }
    let isKnown = !daemons.isEmpty && strangers.isEmpty
    // An untrusted server may name any local file.
    let had = (isKnown ? conversation?.receivers ?? [] : []).map(\.path)
      .filter { $0.hasPrefix("/") && machine.exists($0) && !$0.hasPrefix("/dev/pps") }
    var seen: Set<String> = []
    let all = (had + configured).filter { seen.insert($0).inserted }
    let isElsewhere = !isKnown && conversation?.reach ?? .nothing > .nothing
    ports = all.isEmpty && !isElsewhere ? machine.serialPorts.map(\.path) : all
  }

  /// Whether the command line names a serial device that an already running gpsd has.
  var isShared: Bool { isOfTTY && conversation != nil && !isPrivate }
  /// Whether no gpsd was asked for a serial device, so that nothing should have it open.
  var isUnread: Bool { isOfTTY && conversation == nil }

  /// The ``ports`` that exist, each once, by their paths without links.
  var presentPorts: [String] {
    var seen: Set<String> = []
    return ports.compactMap { machine?.realPath(of: $0) }.filter { seen.insert($0).inserted }
  }

  /// The receivers that gpsd has, each with its reports.
  var receivers: [(receiver: Receiver, reception: Reception?)] { conversation?.all ?? [] }

  /// Returns findings on receivers. They name the receivers if there are several.
  func findings(
    _ judge: (Receiver, Reception?) -> Finding?
  ) -> [Finding] {
    let receivers = receivers
    return receivers.compactMap { receiver, reception in
      guard var finding = judge(receiver, reception) else { return nil }
      finding.device = device(at: receiver.path)
      let isNamed = receivers.count > 1 && !finding.seen.contains(text: receiver.path)
      if isNamed { finding.seen = "\(receiver.path): \(finding.seen)" }
      return finding
    }
  }

  /// Returns the path of a device without links, as far as it is known.
  func device(at path: String) -> String { machine?.realPath(of: path) ?? path }

  /// Whether gpsd has opened a device, by its path without links.
  func isOpen(_ path: String) -> Bool {
    receivers.contains { receiver, reception in
      (receiver.isActive || reception != nil) && device(at: receiver.path) == path
    }
  }

  /// Whether a device reports, by its path without links.
  func isReporting(_ path: String) -> Bool {
    receivers.contains { receiver, reception in
      (reception != nil || receiver.otherData != nil) && device(at: receiver.path) == path
    }
  }

  /// The arguments of the running gpsd, or else those that systemd would pass to it; `nil` if they are
  /// unknown.
  var arguments: GPSDArguments? { daemons.first?.arguments ?? settings?.arguments }

  /// Returns the commands that make gpsd read a device; `nil` if there are none.
  func commands(reading path: String) -> [ShellText]? {
    guard let machine, let device = SerialPath(path, on: machine) else { return nil }
    return commands { GPSDSettings.command(setting: "DEVICES", to: "\(device)", on: $0) }
  }

  /// Returns the commands that start gpsd with one more option; `nil` if there are none.
  func commands(adding option: ShellText) -> [ShellText]? {
    commands { settings?.command(adding: option, on: $0) }
  }

  /// Returns the commands that start gpsd without an option and its value; `nil` if there are none.
  func commands(removing letter: Character) -> [ShellText]? {
    commands { settings?.command(removing: letter, on: $0) }
  }

  private func commands(_ change: (Machine) -> ShellText?) -> [ShellText]? {
    guard let machine, usesSystemd, let change = change(machine) else { return nil }
    return [change, "sudo systemctl restart gpsd"]
  }
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
  var isOnThisMachine: Bool {
    switch self {
    case .gpsd(let endpoint, _): endpoint.isLoopback
    case .tty: true
    case .network: false
    }
  }
}
