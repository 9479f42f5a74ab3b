import LocationCore
import LocationFormats

/// Hints on what to try next.
enum Hint {
  static let noDaemon = """
    Is gpsd running? 'systemctl start gpsd.socket' starts it; 'locwatch /dev/ttyACM0' starts its own.
    """
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
    gpsd may be stuck on a receiver: try 'systemctl restart gpsd', and see 'journalctl -u gpsd'.
    """
  static let notGPSD = "gpsd listens on port 2947 by default."
  static let tooManyClients = "gpsd accepts 64 clients and disconnects any others."
  static let noReceiver = """
    Plug one in. If gpsd does not notice, run 'gpsdctl add /dev/ttyACM0' or set DEVICES in \
    /etc/default/gpsd.
    """
  static let noPrivateReceiver = "Is the receiver plugged in?"
  static func removedReceiver(_ path: String) -> String {
    "Plug it in again. If gpsd does not notice, run 'gpsdctl add \(path)'."
  }
  static let removedOwnReceiver = "Plug it in again: locwatch notices by itself."
  static let closedReceiver = """
    Can gpsd access it, and is another program using it? 'journalctl -u gpsd' may say.
    """
  static let otherUser = "Is another program using it?"
  static let silentReceiver = """
    Is it a GPS receiver, and does it have power? Unplug it and plug it in again.
    """
  static let anyReceiver = "Without --device, locwatch watches every receiver that gpsd has."
  static let noFix = """
    Give the antenna a clear view of the sky; a first fix can take several minutes.
    """
  /// For recordings.
  static let readOn = "Use a longer --timeout to read further."
  static let tooWeak = "Wait longer with --timeout, or ask for less with --accuracy or --fix."
}

/// Phrases that several messages share.
extension Text {
  static func refusal(of path: String, because reason: String) -> String {
    "gpsd cannot open \(path): \(reason)"
  }
}
