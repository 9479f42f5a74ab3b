/// A receiver's reports for hours on end: each second a TPV, and a SKY of twelve satellites.
struct DayOfReports: Sendable {
  static let banner = """
    {"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}\r
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","cycle":1.00}]}\r

    """

  private let sky: String

  init() {
    let satellites = (1...12).map {
      #"{"PRN":\#($0),"el":\#($0 * 7).0,"az":\#($0 * 29).0,"ss":\#($0 * 4).0,"used":true}"#
    }
    sky =
      #"{"class":"SKY","device":"/dev/ttyACM0","hdop":0.90,"satellites":["#
      + satellites.joined(separator: ",") + "]}\r\n"
  }

  /// The reports of a second, counted from 0.
  func reports(of second: Int) -> String {
    #"{"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"\#(Self.time(of: second))","#
      + #""lat":48.\#(100_000_000 + second),"lon":11.517333333,"altHAE":592.3000,"#
      + #""altMSL":545.4000,"eph":17.100,"epv":27.600,"track":90.0000,"speed":12.000,"#
      + "\"climb\":0.150}\r\n" + sky
  }

  static func time(of second: Int) -> String {
    let parts = [second / 3600 % 24, second / 60 % 60, second % 60].map(padded)
    return "2026-11-\(padded(20 + second / 86_400))T\(parts.joined(separator: ":")).000Z"
  }

  private static func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
