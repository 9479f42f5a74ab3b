/// Reports as gpsd writes them, for an impostor to send.
enum Reports {
  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(device)","driver":"NMEA0183"}]}"#
  static let device = "/dev/ttyACM0"

  /// A 3D fix.
  ///
  /// - Parameter epoch: How many tenths of a second after 07:05.
  static func fix(
    _ epoch: Int, device: String = device, altMSL: String = "545.400", extra: String = ""
  ) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"\#(time(epoch))","#
      + #""lat":48.118633333,"lon":11.517333333,"altHAE":592.300,"altMSL":\#(altMSL),"#
      + #""speed":11.524,"track":84.400,"climb":0.020,"epx":14.1,"epy":20.3,"epv":48.3\#(extra)}"#
  }

  static func noFix(_ epoch: Int) -> String {
    #"{"class":"TPV","device":"\#(device)","mode":1,"time":"\#(time(epoch))"}"#
  }

  static func time(_ epoch: Int) -> String {
    let seconds = 7 * 3600 + 5 * 60 + epoch / 10
    let parts = [seconds / 3600 % 24, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }
    return "2026-11-\(20 + seconds / 86_400)T\(parts.joined(separator: ":")).\(epoch % 10)00Z"
  }

  private static func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: width - digits.count) + digits
  }
}
