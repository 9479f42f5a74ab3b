import CGPS
import CGPSUnpack
import Foundation
import GPSDLocation
import GPSDProtocol
import LocationCore
import ReceiverRecordings
import Testing

/// Every line goes through both decoders, and every field that libgps knows is compared. Where it
/// differs on purpose, ``Difference`` has the reason.
@Suite(.serialized) struct `Both decoders agree` {
  private static let lines = [
    #"{"class":"VERSION","release":"3.22","rev":"3.22-1","proto_major":3,"proto_minor":14}"#,
    """
    {"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox",\
    "subtype":"A","subtype1":"B","activated":"2026-11-20T07:05:15.849Z","flags":1,"native":1,\
    "bps":9600,"parity":"N","stopbits":1,"cycle":1.00,"mincycle":0.25},\
    {"class":"DEVICE","path":"/dev/b","activated":"2026-11-20T07:05:15.849Z"}]}
    """,
    """
    {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":2,"scaled":false,\
    "timing":false,"split24":true,"pps":false,"device":"/dev/ttyACM0"}
    """,
    #"{"class":"ERROR","message":"Unrecognized request"}"#,
    """
    {"class":"TPV","device":"/dev/ttyACM0","status":2,"mode":3,"time":"2026-11-20T07:05:12.250Z",\
    "leapseconds":18,"ept":0.005,"lat":48.149975000,"lon":-11.584778333,"altHAE":509.1,\
    "altMSL":462.9,"epx":1.5,"epy":2.5,"epv":3.5,"track":359.9,"magtrack":1.1,"magvar":-3.1,\
    "speed":0.25,"climb":-0.125,"epd":4.5,"eps":5.5,"epc":6.5,"eph":7.5,"sep":8.5,"datum":"WGS84",\
    "ecefx":-1.5,"ecefy":2.5,"ecefz":3.5,"ecefvx":-4.5,"ecefvy":5.5,"ecefvz":6.5,"ecefpAcc":7.5,\
    "ecefvAcc":8.5,"geoidSep":46.2,"depth":9.5,"dgpsAge":1.5,"dgpsSta":132,"relN":1.5,"relE":2.5,\
    "relD":-3.5,"wanglem":1,"wangler":2,"wanglet":3,"wspeedr":4,"wspeedt":5}
    """,
    """
    {"class":"ATT","device":"/dev/a","heading":14223.00,"mag_st":"N","pitch":169.00,"pitch_st":"L",\
    "roll":-43.00,"roll_st":"M","yaw":1.5,"yaw_st":"H","dip":13641.000,"mag_len":1,"mag_x":2454.000,\
    "mag_y":2,"mag_z":3,"acc_len":4,"acc_x":5,"acc_y":6,"acc_z":7,"gyro_x":8,"gyro_y":9,"depth":10,\
    "temp":11}
    """,
    #"{"class":"GST","time":"2010-12-07T10:23:07.096Z","rms":2.440,"major":1.660,"minor":1.120,"#
      + #""orient":68.989,"lat":1.600,"lon":1.200,"alt":2.520}"#,
    """
    {"class":"SKY","device":"/dev/a","time":"2026-11-20T07:05:12.250Z","xdop":0.88,"ydop":0.96,\
    "vdop":1.90,"tdop":1.12,"hdop":1.30,"gdop":2.57,"pdop":2.30,"nSat":2,"uSat":1,"satellites":[\
    {"PRN":17,"el":77.0,"az":41.0,"ss":13.0,"used":true,"gnssid":6,"svid":17,"sigid":2,"health":1},\
    {"PRN":18,"el":-1.0,"az":0.0,"ss":0.0,"used":false}]}
    """,
  ]

  @Test func `on each quantity that gpsd 3.22 reports`() {
    let known = TPV.reported.filter { $0.row.since == nil }
    // libgps 3.22 does not read the heading and the distance from the base.
    #expect(Parity.compared == Set(known).subtracting([.relH, .relL]))
  }

  @Test(arguments: lines)
  func `on each class of report`(line: String) {
    let bytes = Array((line + "\r\n").utf8)
    #expect(compare(bytes[...], decoder: LibGPSDecoder()) >= 1)
  }

  @Test(.enabled(if: Recordings.folder != nil, "\(Recordings.whySkipped)"))
  func `on every line of every recording`() throws {
    let decoder = LibGPSDecoder()
    var fields = 0
    for file in Recordings.files {
      for line in try Recordings.lines(of: file) { fields += compare(line, decoder: decoder) }
    }
    #expect(fields > 500_000)
  }

  /// - Returns: How many fields were compared.
  private func compare(_ line: ArraySlice<UInt8>, decoder libgps: LibGPSDecoder) -> Int {
    var decoder = GPSDDecoder()
    let kind = decoder.decode(line.span)
    let text = String(decoding: line, as: UTF8.self)
    #expect(kind != .malformed && kind != .blank, "\(text)")
    guard LibGPSDecoder.whyNot(kind, in: decoder) == nil else { return 0 }
    guard libgps.decode(line) else {
      Issue.record("libgps refuses \(text)")
      return 0
    }
    let pairs = Parity.fields(of: kind, in: decoder, and: libgps.gps)
    for pair in pairs where pair.ours != pair.theirs {
      let reason = Difference.reason(pair, among: pairs)
      #expect(reason != nil, "\(pair.name): \(pair.ours), libgps \(pair.theirs) in \(text)")
    }
    return pairs.count
  }
}
