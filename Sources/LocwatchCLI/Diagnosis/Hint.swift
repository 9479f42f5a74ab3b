/// What to try next.
enum Hint {
  static let noDaemon = """
    Is gpsd running? 'systemctl start gpsd.socket' starts it; 'locwatch /dev/ttyACM0' needs none.
    """
  static let noDaemonThere = """
    Does gpsd run there? It answers other machines only with -G, or ListenStream= of gpsd.socket.
    """
  static let noAnswerThere = "Is the machine on, and does a firewall let TCP through to the port?"
  static let unknownHost = "Is the name right, and is there a network?"
  static let silentDaemon = """
    gpsd may hang on a receiver: 'systemctl restart gpsd' helps, 'journalctl -u gpsd' may tell why.
    """
  static let notGPSD = "gpsd listens on port 2947 unless it was told otherwise."
  static let tooManyClients = "A gpsd takes 64 clients, and hangs up on further ones."
  static let noReceiver = """
    Plug it in, and tell gpsd: 'gpsdctl add /dev/ttyACM0', or DEVICES in /etc/default/gpsd.
    """
  static let closedReceiver = """
    May gpsd open it, and does nothing else have it open? 'journalctl -u gpsd' may tell.
    """
  static let silentReceiver = """
    Is it the right device, and may gpsd open it? Unplug it and plug it in again.
    """
  static let anyReceiver = "Without --device locwatch takes any receiver that gpsd has."
  static let noFix = """
    Give the antenna a clear view of the sky; a first fix takes up to some minutes.
    """
  static let tooWeak = "Wait longer with --timeout, or ask for less with --accuracy or --fix."
}
