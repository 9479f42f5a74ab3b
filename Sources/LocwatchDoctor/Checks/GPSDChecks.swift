import GPSDLocation
import Glibc
import LocationCore
import LocationText
import LocwatchReceivers
import LocwatchSystem

// The checks of gpsd.
extension Check {
  static let gpsd = Check(
    "gpsd",
    "gpsd is not installed, not running, listens elsewhere, or does not answer.",
    unless: [
      "container", "ipv6", "network", "port", "uart", "permissions", "apparmor", "console",
      "sharing",
    ],
    // gpsd answers late while it opens a receiver.
    wait: { $0.conversation.reach == .nothing ? $0.toTheEnd : nil }
  ) { examination in
    guard let conversation = examination.conversation else {
      guard examination.hasGPSD else {
        return .wrong("gpsd is not installed", "Install it:", run: ["sudo apt install gpsd"])
      }
      return .unknown(
        "no gpsd has \(examination.ports.first ?? "the device"), and none was started")
    }
    let endpoint = examination.target.endpoint
    if conversation.reach > .nothing {
      let name = conversation.service ?? "gpsd"
      guard !examination.isPrivate else { return .well("\(name) was started and answers") }
      let place = "\(name) answers at \(endpoint)"
      guard let stranger = examination.strangers.first else { return .well(place) }
      return .unknown(
        "\(place), as user \(stranger), whom locwatch does not trust",
        "locwatch ignores what it reports about this machine. Is it the gpsd that you want?")
    }
    if let notice = conversation.notice {
      return .wrong("\(endpoint): not a gpsd: it says '\(notice)'", Hint.notGPSD)
    }
    guard let failure = conversation.failure else {
      return .wrong(
        "\(endpoint) does not answer", Hint.silentDaemon(on: examination.machine))
    }
    return failed(failure, at: endpoint, examination)
  }

  private static func failed(
    _ failure: LocationError, at endpoint: GPSDEndpoint, _ examination: Examination
  ) -> Finding {
    let seen = failure.description
    guard !examination.isPrivate, !failure.isShortage else { return .wrong(seen) }
    switch failure.code {
    case .unknownHost: return .wrong(seen, Hint.unknownHost)
    case .silent:
      return .wrong("\(endpoint): \(seen)", Hint.silentDaemon(on: examination.machine))
    case .disconnected: return .wrong("\(endpoint): \(seen)", Hint.tooManyClients)
    case .notAService: return .wrong("\(endpoint): \(seen)", Hint.notGPSD)
    default: break
    }
    guard let machine = examination.machine else {
      return .wrong(seen, examination.isRefused ? Hint.noDaemonThere : Hint.noAnswerThere)
    }
    guard machine.hasGPSD else {
      if machine.container != nil {
        return .wrong(seen, "If gpsd runs, it runs outside this container.")
      }
      return .wrong(seen, "gpsd is not installed:", run: ["sudo apt install gpsd"])
    }
    guard endpoint.port == GPSDEndpoint.defaultPort else {
      return .wrong(
        seen,
        "Is the port right? gpsd listens on \(GPSDEndpoint.defaultPort) unless -S says otherwise.")
    }
    return .wrong(
      seen, machine.hasSystemd ? "Start it:" : "Start it with the receiver to read:",
      run: machine.hasSystemd
        ? ["sudo systemctl enable --now gpsd.socket"]
        : examination.presentPorts.first.flatMap { SerialPath($0, on: machine) }
          .map { ["gpsd -n \($0)"] })
  }

  static let startup = Check(
    "startup",
    "gpsd waits for a client (started without -n), so chrony or ntpd gets nothing."
  ) { examination in
    guard let machine = examination.machine, examination.conversation != nil,
      !examination.isPrivate
    else { return nil }
    guard let service = machine.timeService(ofGPSD: true) else {
      return examination.arguments == nil ? nil : .well("no time service needs gpsd")
    }
    guard let arguments = examination.arguments else {
      return .unknown("\(service) reads gpsd, whose options cannot be seen")
    }
    if arguments.options.contains("n") {
      return .well("gpsd reads the receiver without a client (-n), as \(service) needs it")
    }
    return .wrong(
      "gpsd sleeps until a client connects (no -n), and \(service) is none",
      "Start it with -n, at every boot:",
      run: examination.commands(adding: "-n").map { $0 + ["sudo systemctl enable gpsd"] })
  }

  static let listening = Check(
    "listening",
    "gpsd should serve other machines (-G), but systemd listens only on 127.0.0.1."
  ) { examination in
    guard let machine = examination.machine, let arguments = examination.arguments,
      arguments.options.contains("G")
    else { return nil }
    let port = examination.target.endpoint.port
    let sockets = ListeningSocket.all(of: port, on: machine) ?? []
    guard !sockets.isEmpty else { return nil }
    if sockets.contains(where: { !$0.isLoopback }) {
      return .well("other machines can reach port \(port)")
    }
    return .wrong(
      "gpsd has -G, but its socket listens only on 127.0.0.1:\(port)",
      "If everyone on your network may see the position, have systemd listen on all addresses:",
      run: examination.usesSystemd
        ? GPSDSocketUnit.commands(listeningAt: ["[::]:2947", "0.0.0.0:2947"]) : nil)
  }

  static let devices = Check(
    "devices",
    "gpsd does not know the receiver: DEVICES or udev rules leave it out.",
    from: .service,
    unless: ["network", "sentences", "replug", "port", "uart", "console", "sharing"],
    wait: { listening in
      guard listening.conversation.reach == .service, listening.link == nil else { return nil }
      // gpsd opens an unplugged receiver again after 2 s.
      return listening.conversation.emptySince.map { Wait(from: $0, for: .seconds(2)) }
        ?? listening.toTheEnd
    }
  ) { examination in
    guard let conversation = examination.conversation else { return nil }
    let receivers = conversation.receivers ?? []
    let names = receivers.map { $0.path.isEmpty ? "a receiver" : $0.path }
    if let refusal = conversation.refusal {
      return .wrong(
        Text.refusal(of: refusal.path, because: refusal.reason),
        Hint.anyReceiver(of: conversation.paths))
    }
    guard receivers.isEmpty, conversation.reach < .reports else {
      return names.isEmpty || examination.isPrivate ? nil : .well("gpsd has \(Text.list(names))")
    }
    if let removed = conversation.removed, !examination.isPrivate {
      return .wrong(
        "\(removed) is gone", Hint.removedReceiver(removed, on: examination.machine))
    }
    guard let machine = examination.machine else {
      return .wrong("gpsd has no receiver", Hint.noReceiverThere)
    }
    guard !examination.isPrivate else {
      let path = examination.ports.first ?? "the device"
      guard machine.exists(path) else { return .wrong("\(path) is gone", Hint.removedOwnReceiver) }
      guard conversation.hasOpened, !conversation.hasReported else {
        return .wrong("gpsd does not open \(path)", Hint.refusedReceiver(path, on: machine))
      }
      // gpsd 3.25 closes a receiver again if it may not change its speed.
      return .wrong(
        "gpsd opened \(path), recognised nothing and closed it again", Hint.unrecognisedReceiver)
    }
    let plugged = machine.serialPorts
    guard let port = plugged.first else {
      return .wrong("gpsd has no receiver, and no serial device is plugged in", Hint.noReceiver)
    }
    let verb = plugged.count == 1 ? "is" : "are"
    let rule = machine.lacksRule(for: port.path) ? ", and its udev rules leave that one out" : ""
    // A device that gpsd is set to read has another problem.
    guard !examination.configured.contains(where: { machine.realPath(of: $0) == port.path }) else {
      return .wrong(
        "gpsd is set to read \(port), but does not have it", "Restart it:",
        run: examination.restart)
    }
    let commands: [ShellText]? =
      examination.usesSystemd
      ? examination.commands(reading: port)
      : examination.daemons.isEmpty
        ? nil : SerialPath(port.path, on: machine).map { ["sudo gpsdctl add \($0)"] }
    return .wrong(
      "\(Text.list(plugged.prefix(4).map(\.description))) \(verb) there, but unknown to gpsd"
        + (plugged.count == 1 ? rule : ""),
      commands == nil
        ? "Set DEVICES in /etc/default/gpsd."
        : plugged.count == 1
          ? "Add it:" : "Add the one that is the receiver, such as the first:",
      run: commands)
  }
}

extension Examination {
  /// Returns the commands that make gpsd read a device; `nil` if there are none.
  func commands(reading port: Machine.SerialPort) -> [ShellText]? {
    commands(reading: port.stablePath) ?? commands(reading: port.path)
  }
}

extension Machine {
  /// Whether gpsd is installed.
  package var hasGPSD: Bool {
    ["/usr/sbin", "/usr/local/sbin", "/sbin", "/usr/bin", "/usr/local/bin"]
      .contains { exists("\($0)/gpsd") }
  }

  /// Whether gpsd's udev rules are installed, but have no rule for a device.
  fileprivate func lacksRule(for path: String) -> Bool {
    let properties = udevProperties(of: path)
    guard let vendor = properties["ID_VENDOR_ID"], let model = properties["ID_MODEL_ID"] else {
      return false
    }
    let files = ["/lib", "/usr/lib", "/etc"].flatMap { folder in
      ["60-gpsd.rules", "25-gpsd.rules"].map { "\(folder)/udev/rules.d/\($0)" }
    }
    let texts = files.compactMap(text(of:))
    return !texts.isEmpty
      && !texts.joined(separator: "\n").split(separator: "\n").contains { line in
        !line.hasPrefix("#") && line.contains(text: "idVendor}==\"\(vendor)\"")
          && line.contains(text: "idProduct}==\"\(model)\"")
      }
  }
}
