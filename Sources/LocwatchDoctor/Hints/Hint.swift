import LocationCore
import LocationText
package import LocwatchSystem

extension Hint {
  static let noDaemonThere: Message = """
    Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
    """
  static let noAnswerThere: Message =
    "Is the machine on, and does its firewall allow TCP to that port?"
  static let unknownHost: Message = "Is the name right, and is the network up?"
  /// - Parameter host: A host that does not exist; `nil` is returned unless it is the name of an option.
  static func option(insteadOf host: String) -> Message? {
    let options = ["doctor", "help", "view", "report", "replay", "record", "version"]
    guard options.contains(host) else { return nil }
    return "Did you mean 'locwatch --\(host)'? A single word is taken for a host."
  }
  static let slowDaemon: Message = """
    gpsd can take 7 s to answer while it opens a receiver: wait longer with --timeout.
    """
  /// - Parameter machine: The machine of a gpsd that does not answer; `nil` if it is not this one.
  static func silentDaemon(on machine: Machine?) -> Message {
    guard let machine else { return "gpsd may be stuck on a receiver: restart it there." }
    return machine.lacksSystemd
      ? "gpsd may be stuck on a receiver: restart it."
      : """
      gpsd may be stuck on a receiver: try 'sudo systemctl restart gpsd', and see 'journalctl -u gpsd'.
      """
  }
  static let notGPSD: Message = "gpsd listens on port 2947 by default."
  static let tooManyClients: Message = "gpsd accepts 64 clients and disconnects any others."
  static let noReceiver: Message = """
    Plug one in. If gpsd does not notice, run 'sudo gpsdctl add /dev/ttyACM0' or set DEVICES in \
    /etc/default/gpsd.
    """
  static let noReceiverThere: Message = """
    Plug one in there. If gpsd does not notice, set DEVICES in /etc/default/gpsd there.
    """
  /// - Parameter ports: Serial devices of the machine of a gpsd that does not know them; at least one.
  static func reading(_ ports: [Machine.SerialPort], on machine: Machine) -> Message? {
    ports.first.flatMap { SerialPath($0.path, on: machine) }.map { path in
      "Without gpsd, 'locwatch \(path)' reads \(ports.count == 1 ? "it" : "the first")."
    }
  }
  /// - Parameter machine: The machine of a gpsd whose receiver is gone; `nil` if it is not this one.
  static func removedReceiver(_ path: String, on machine: Machine?) -> Message {
    guard let machine else { return "Plug it in again." }
    guard let path = SerialPath(path, on: machine) else {
      return "Plug it in again, and if gpsd does not notice, restart gpsd."
    }
    return "Plug it in again. If gpsd does not notice, run 'sudo gpsdctl add \(path)'."
  }
  /// - Parameter isRetried: Whether locwatch keeps trying.
  static func noNetworkReceiver(isRetried: Bool) -> Message {
    let question: Message = "Does it send NMEA there, and do the firewalls let it through?"
    return isRetried ? "\(question) locwatch keeps trying." : question
  }
  static let silentNetworkReceiver: Message = """
    Is the app running, and does it send NMEA? A phone can stop an app while its screen is off.
    """
  /// For a device that sends something else than positions.
  static let otherDevice: Message = "It is not a GPS receiver: name another device."
  static let unrecognisedReceiver: Message = """
    Is it a GPS receiver, and does it send at the speed of that port?
    """
  /// What to try if gpsd does not open a receiver that was plugged in again.
  package static func refusedReceiver(_ path: String, on machine: Machine) -> Message {
    let question: Message = "Can gpsd's user open it, and is another program using it?"
    guard let path = SerialPath(path, on: machine, isNamedByUser: true) else { return question }
    return "\(question) 'ls -lL \(path)' shows who can."
  }
  static let removedOwnReceiver: Message = "Plug it in again: locwatch will notice."
  static let otherUser: Message = "Can gpsd access it, and is another program using it?"
  /// - Parameter isOfPrivate: Whether locwatch started the gpsd, and so notices itself what gpsd misses.
  static func silentReceiver(ofPrivate isOfPrivate: Bool) -> Message {
    let start: Message =
      "Is it a GPS receiver, and does it have power? Unplug it and plug it in again."
    return isOfPrivate ? start : "\(start) If gpsd misses that, restart gpsd."
  }
  /// For a receiver that gpsd had. Announces commands.
  static let lostReceiver: Message =
    "If it was unplugged and plugged in again, gpsd has missed that. Restart gpsd:"
  /// - Parameter paths: The receivers that gpsd has.
  static func anyReceiver(of paths: [String]) -> Message {
    let names = paths.filter { !$0.isEmpty }.prefix(maximumNames)
    return names.isEmpty
      ? "Without --device, locwatch watches every receiver that gpsd has."
      : "gpsd has \(Text.list(Array(names))). Without --device, locwatch watches every receiver."
  }
  static let noSatellites: Message = """
    The antenna receives nothing: is it connected, and does it have a view of the sky?
    """
  static let unknownSatellites: Message = """
    The receiver reports no satellites: is the antenna connected, and does it have a view of the sky?
    """
  static let interference: Message =
    "Move the antenna away from USB 3 plugs, cameras, displays and radios."
  /// Returns what is wrong with an antenna, and what to do; `nil` if nothing is known to be wrong.
  static func fault(of antenna: AntennaStatus?) -> (seen: String, remedy: Message)? {
    switch antenna {
    case .open?: ("the receiver reports that no antenna is connected", "Connect it.")
    case .short?: ("the receiver reports a short circuit of the antenna", "Replace the antenna.")
    default: nil
    }
  }
  static let noFix: Message = """
    Give the antenna a clear view of the sky; a first fix can take several minutes.
    """
  static let weakSignals: Message = """
    That is too weak: a fix needs four satellites of about 30 dBHz. Give the antenna a clear view of the sky.
    """
  static let strongSignals: Message = """
    The signals are strong: wait. A first fix can take several minutes, while the satellites' orbits are \
    received.
    """
  /// For recordings.
  static let readOn: Message = "Use a longer --timeout to read further."
  static let waitLonger: Message = "Wait longer with --timeout."
  /// - Parameter option: The option that requests more than the receiver provides.
  static func tooWeak(for option: ShellText) -> Message {
    "Wait longer with --timeout, or ask for less with \(option)."
  }
  static let notBelieved: Message =
    "Wait longer with --timeout, or accept doubted fixes without --believed."
  static let corrections: Message = "RTK needs corrections from a base station."
}

/// Phrases that several messages share.
extension Text {
  static func refusal(of path: String, because reason: String) -> String {
    "gpsd cannot open \(path): \(reason)"
  }
}

extension Machine {
  /// Whether this is a container in which systemd does not run.
  fileprivate var lacksSystemd: Bool { container != nil && !hasSystemd }
}
