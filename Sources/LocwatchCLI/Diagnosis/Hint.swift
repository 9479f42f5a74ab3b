/// What to try next.
enum Hint {
  static let noDaemon = """
    Is gpsd running? 'systemctl start gpsd.socket' starts it; 'locwatch /dev/ttyACM0' needs none.
    """
  static let notGPSD = "gpsd listens on port 2947 unless it was told otherwise."
  static let noReceiver = """
    Plug it in, and tell gpsd: 'gpsdctl add /dev/ttyACM0', or DEVICES in /etc/default/gpsd.
    """
  static let silentReceiver = """
    Is it the right device, and may gpsd open it? Unplug it and plug it in again.
    """
  static let anyReceiver = "Without --device locwatch takes any receiver that gpsd has."
  static let noFix = """
    Give the antenna a clear view of the sky; a first fix takes up to some minutes.
    """
}
