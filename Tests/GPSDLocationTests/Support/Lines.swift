import GPSDLocation
import LocationCore

/// Lines as gpsd writes them.
enum Lines {
  static let version = #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3}"#
  static let noDevices = #"{"class":"DEVICES","devices":[]}"#
  static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a"},"#
    + #"{"class":"DEVICE","path":"/dev/b"}]}"#
  static let watch = #"{"class":"WATCH","enable":true,"json":true}"#
  static let watchA = #"{"class":"WATCH","enable":true,"json":true,"device":"/dev/a"}"#
  static let refusal = ##"{"class":"ERROR","message":"Do nothing: /dev/a"}"##
  static let removed = #"{"class":"DEVICE","path":"/dev/a","activated":0}"#

  static func tpv(_ second: Int, mode: Int = 3, device: String = "/dev/a") -> String {
    let digits = second < 10 ? "0\(second)" : "\(second)"
    return #"{"class":"TPV","device":"\#(device)","mode":\#(mode),"#
      + #""time":"2026-11-20T07:05:\#(digits).000Z","lat":47.37,"lon":8.54}"#
  }

  static func sky(device: String = "/dev/a") -> String {
    #"{"class":"SKY","device":"\#(device)","hdop":1.3,"nSat":12,"uSat":8}"#
  }

  /// The sky view of ``sky(device:)``, whose numbers are gpsd's own.
  static var skyView: SkyView {
    var sky = SkyView(
      device: "/dev/a", seen: 12, used: 8, signalsSeen: 12, signalsUsed: 8, hdop: 1.3)
    sky.values.isCounted = false
    return sky
  }

  /// The fix of ``tpv(_:mode:device:)``.
  static func fix(
    _ second: Int, mode: FixMode = .fix3D, device: String = "/dev/a"
  ) -> LocationFix {
    LocationFix(
      coordinate: Coordinate(latitude: 47.37, longitude: 8.54)!, mode: mode, device: device,
      time: start.advanced(by: .seconds(second)))
  }

  /// 2026-11-20T07:05:00Z.
  static let start = Timestamp(secondsSince1970: 1_795_158_300)

  static func bytes(_ text: String) -> ArraySlice<UInt8> { Array((text + "\n").utf8)[...] }

  static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes, as: UTF8.self) }
}

extension Polled<GPSDLines> {
  /// What a session returns for lines, or for bytes that are none.
  static func lines(
    _ bytes: ArraySlice<UInt8>, discarding discardedBytes: Int = 0, at moment: Moment
  ) -> Self {
    .received(GPSDLines(bytes: bytes, received: moment, discardedBytes: discardedBytes))
  }
}
