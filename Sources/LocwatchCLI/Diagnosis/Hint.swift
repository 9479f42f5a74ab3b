/// What to try next.
enum Hint {
  static let noDaemon = """
    Is gpsd running? 'systemctl start gpsd.socket' starts it; 'locwatch /dev/ttyACM0' starts its own.
    """
  static let notInstalled = "gpsd is not installed on this machine: 'sudo apt install gpsd'."
  static let noDaemonThere = """
    Is gpsd running there? It accepts other machines only with -G, or ListenStream= in gpsd.socket.
    """
  static let noAnswerThere = "Is the machine on, and does a firewall let TCP through to the port?"
  static let unknownHost = "Is the name right, and is the network up?"
  static let slowDaemon = """
    gpsd can take 7 s to answer while it opens a receiver: wait longer with --timeout.
    """
  static let silentDaemon = """
    gpsd may be stuck on a receiver: try 'systemctl restart gpsd', and see 'journalctl -u gpsd'.
    """
  static let notGPSD = "gpsd listens on port 2947 unless it is told otherwise."
  static let tooManyClients = "gpsd accepts 64 clients, and hangs up on any more."
  static let noReceiver = """
    Plug one in; if gpsd does not notice, 'gpsdctl add /dev/ttyACM0' or set DEVICES in \
    /etc/default/gpsd.
    """
  static let noPrivateReceiver = "Is the receiver plugged in?"
  static func removedReceiver(_ path: String) -> String {
    "Plug it in again. If udev does not tell gpsd of it, run 'gpsdctl add \(path)'."
  }
  static let removedOwnReceiver = "Plug it in again: locwatch takes it up by itself."
  static let closedReceiver = """
    Can gpsd access it, and is another program using it? 'journalctl -u gpsd' may say.
    """
  static let otherUser = "Is another program using it?"
  static let silentReceiver = """
    Is it a GPS receiver, and does it have power? Unplug it and plug it in again.
    """
  static let anyReceiver = "Without --device locwatch takes any receiver that gpsd has."
  static let noFix = """
    Give the antenna a clear view of the sky; a first fix can take several minutes.
    """
  /// For recordings, in which nothing can be plugged in.
  static let readOn = "A longer --timeout reads on in it."
  static let tooWeak = "Wait longer with --timeout, or ask for less with --accuracy or --fix."
}
