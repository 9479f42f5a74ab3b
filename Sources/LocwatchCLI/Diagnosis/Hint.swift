import GPSDLocation
import LocationCore
import LocationFormats

/// Hints on what to try next.
enum Hint {
  /// The receiver of an example.
  private static let receiver = "/dev/ttyACM0"
  /// How many serial devices a hint names.
  private static let maximumNamedPorts = 4

  /// - Parameter port: The port on which no gpsd listens.
  static func noDaemon(on port: UInt16, _ ports: [Machine.SerialPort]) -> String {
    let start =
      port == GPSDEndpoint.defaultPort
      ? "Is gpsd running? 'sudo systemctl start gpsd.socket' starts it"
      : "Is the port right? gpsd listens on \(GPSDEndpoint.defaultPort) unless -S says otherwise"
    return "\(start); 'locwatch \(ports.first?.path ?? receiver)' starts its own."
  }
  static let notInstalled = "gpsd is not installed on this machine: 'sudo apt install gpsd'."
  static let noDaemonThere = """
    Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
    """
  static let noAnswerThere = "Is the machine on, and does its firewall allow TCP to that port?"
  static let unknownHost = "Is the name right, and is the network up?"
  static let slowDaemon = """
    gpsd can take 7 s to answer while it opens a receiver: wait longer with --timeout.
    """
  static let silentDaemon = """
    gpsd may be stuck on a receiver: try 'sudo systemctl restart gpsd', and see 'journalctl -u gpsd'.
    """
  static let notGPSD = "gpsd listens on port 2947 by default."
  static let tooManyClients = "gpsd accepts 64 clients and disconnects any others."
  static let noReceiver = """
    Plug one in. If gpsd does not notice, run 'sudo gpsdctl add \(receiver)' or set DEVICES in \
    /etc/default/gpsd.
    """
  /// - Parameter ports: Serial devices of the machine of a gpsd that has no receiver; at least one.
  static func unlisted(_ ports: [Machine.SerialPort]) -> String {
    let names = ports.prefix(maximumNamedPorts).map(\.description).joined(separator: ", ")
    let verb = ports.count == 1 ? "is" : "are"
    return """
      \(names) \(verb) there, but gpsd was not told: 'locwatch \(ports.first?.path ?? receiver)' reads \
      \(ports.count == 1 ? "it" : "the first"). For gpsd, set DEVICES in /etc/default/gpsd.
      """
  }
  /// - Parameter ports: Serial devices that are there, instead of the one that was named; at least one.
  static func otherPorts(_ ports: [Machine.SerialPort]) -> String {
    let names = Text.list(ports.prefix(maximumNamedPorts).map(\.description))
    return "\(names) \(ports.count == 1 ? "is" : "are") there: "
      + "'locwatch \(ports.first?.stablePath ?? receiver)'"
  }
  static let noPrivateReceiver = "Is the receiver plugged in?"
  static func removedReceiver(_ path: String) -> String {
    "Plug it in again. If gpsd does not notice, run 'sudo gpsdctl add \(path)'."
  }
  static let noNetworkReceiver = """
    Does it send NMEA there, and do the firewalls let it through? locwatch goes on trying.
    """
  static let removedOwnReceiver = "Plug it in again: locwatch notices by itself."
  static let closedReceiver = """
    Can gpsd access it, and is another program using it? 'journalctl -u gpsd' may say.
    """
  static let otherUser = "Is another program using it?"
  /// - Parameter path: A device that exists, but that AppArmor does not let gpsd open.
  static func appArmor(_ path: String) -> String {
    """
    AppArmor does not let gpsd open \(path), because the profile of gpsd does not list it. To allow it:
    echo '\(path) rw,' | sudo tee -a \(AppArmorProfile.localPath)
    sudo apparmor_parser -r \(AppArmorProfile.path)
    """
  }
  /// - Parameters:
  ///   - path: A device that others than gpsd have open.
  ///   - others: Who they are; at least one.
  static func shared(_ path: String, with others: [DeviceHolders.Holder]) -> String {
    let names = Text.list(others.map(\.description))
    return "\(path) is also open in \(names): each reader gets only a part of what is sent."
  }
  static let silentReceiver = """
    Is it a GPS receiver, and does it have power? Unplug it and plug it in again.
    """
  static let anyReceiver = "Without --device, locwatch watches every receiver that gpsd has."
  static let noSatellites = """
    The antenna receives nothing: is it connected, and does it have a view of the sky?
    """
  static let noFix = """
    Give the antenna a clear view of the sky; a first fix can take several minutes.
    """
  static func replay(_ path: String) -> String {
    "'locwatch --replay \(path)' replays a recording."
  }
  static let strongSignals = """
    The signals are strong: wait. A first fix can take several minutes, while the satellites' orbits are \
    received.
    """
  /// For recordings.
  static let readOn = "Use a longer --timeout to read further."
  static let waitLonger = "Wait longer with --timeout."
  static func tooWeak(for option: Option.Name) -> String {
    "Wait longer with --timeout, or ask for less with --\(option.rawValue)."
  }
  static let corrections = "RTK needs corrections from a base station."
}

/// Phrases that several messages share.
extension Text {
  static func refusal(of path: String, because reason: String) -> String {
    "gpsd cannot open \(path): \(reason)"
  }
}
