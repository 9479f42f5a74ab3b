import GPSDLocation
import GPSDProtocol
import LocationCore
import TestSupport

/// What was made of a line, as text that two readers can be compared by: the kind, then each known
/// member, `lat=4048126e978d4fdf`. A number has all its bits, a text its bytes.
struct JSONReading {
  private(set) var text: String

  /// The reading of our own decoder.
  init(_ line: [UInt8], by decoder: inout GPSDDecoder) {
    text = ""
    let kind = decoder.decode(line.span)
    switch kind {
    case .tpv:
      text = "TPV"
      add("device", decoder.tpv.device)
      add("mode", decoder.tpv.modeNumber)
      add("lat", decoder.tpv.lat)
      add("lon", decoder.tpv.lon)
      for quantity in TPV.reported { add("\(quantity)", decoder.tpv[quantity]) }
    case .sky:
      text = "SKY"
      add("device", decoder.sky.device)
      for field in SKY.Quantity.allCases { add("\(field)", decoder.sky[field]) }
      if let satellites = decoder.sky.satellites { add(satellites) }
    case .gst:
      text = "GST"
      add("device", decoder.gst.device)
      for field in GST.Quantity.allCases { add("\(field)", decoder.gst[field]) }
    case .att:
      text = "ATT"
      add("device", decoder.att.device)
      for field in ATT.Quantity.allCases { add("\(field)", decoder.att[field]) }
    case .device:
      text = "DEVICE"
      add(decoder.device)
    case .devices:
      text = "DEVICES"
      decoder.devices.forEach { add($0) }
    case .version:
      text = "VERSION"
      add(decoder.version)
    case .watch:
      text = "WATCH"
      add(decoder.watch)
    case .error:
      text = "ERROR"
      add("message", decoder.error.message)
    case .other:
      text = "other"
      add("class", decoder.otherClass)
    case .blank: text = "blank"
    case .malformed: text = "malformed"
    @unknown default: text = "\(kind)"
    }
  }

  /// The members of a class of reports.
  struct Members: Encodable {
    let numbers: [String]
    let others: [String]
    /// The lowest and the highest number that is possible; all numbers are where there is no entry.
    var ranges: [String: [Double]] = [:]
    /// The numbers that are whole.
    var whole: [String] = []
  }

  /// The members of each class with numbers. `second_reader.py` has the ranges of those that are in no fix.
  static let members = [
    "TPV": Members(
      numbers: ["mode", "lat", "lon"] + TPV.reported.map { "\($0)" },
      others: ["class", "device", "time", "datum"],
      ranges: Dictionary(
        uniqueKeysWithValues: FieldCase.all.map {
          ("\($0)", [$0.range.lowerBound, $0.range.upperBound])
        }),
      whole: FieldCase.all.filter(\.isWhole).map { "\($0)" }),
    "SKY": Members(
      numbers: SKY.Quantity.allCases.map { "\($0)" },
      others: ["class", "device", "time", "satellites"], whole: ["nSat", "uSat"]),
    "GST": Members(
      numbers: GST.Quantity.allCases.map { "\($0)" }, others: ["class", "device", "time"]),
    "ATT": Members(
      numbers: ATT.Quantity.allCases.map { "\($0)" },
      others: ["class", "device", "time", "mag_st", "pitch_st", "roll_st", "yaw_st"]),
  ]

  private mutating func add(_ satellites: [Satellite]) {
    for satellite in satellites {
      add("PRN", satellite.prn)
      add("gnssid", satellite.gnssID)
      add("svid", satellite.svID)
      add("sigid", satellite.sigID)
      add("health", satellite.health)
      add("freqid", satellite.freqID)
      add("qual", satellite.trackingQuality)
      add("el", satellite.elevation)
      add("az", satellite.azimuth)
      add("ss", satellite.signalStrength)
      add("pr", satellite.pseudorange)
      add("prRate", satellite.pseudorangeRate)
      add("prRes", satellite.pseudorangeResidual)
      add("used", satellite.isUsed)
    }
    add("satellites", satellites.count)
  }

  private mutating func add(_ device: DeviceReport) {
    add("path", device.path)
    add("flags", device.flags)
    add("native", device.native)
    add("bps", device.bps)
    add("stopbits", device.stopbits)
    add("driver", device.driver)
    add("subtype", device.subtype)
    add("subtype1", device.subtype1)
    add("sernum", device.sernum)
    add("parity", device.parity)
    add("cycle", device.cycle)
    add("mincycle", device.mincycle)
    add("readonly", device.readonly)
    if device.activated == .closed { add("closed", true) }
  }

  private mutating func add(_ version: VersionReport) {
    add("release", version.release)
    add("rev", version.rev)
    add("remote", version.remote)
    add("proto_major", version.protoMajor)
    add("proto_minor", version.protoMinor)
  }

  private mutating func add(_ watch: WatchReport) {
    add("enable", watch.enable)
    add("json", watch.json)
    add("nmea", watch.nmea)
    add("scaled", watch.scaled)
    add("timing", watch.timing)
    add("split24", watch.split24)
    add("pps", watch.pps)
    add("raw", watch.raw)
    add("device", watch.device)
    add("remote", watch.remote)
  }

  private mutating func add(_ name: String, _ number: Double?) {
    if let number { text += " \(name)=\(String(number.bitPattern, radix: 16))" }
  }

  private mutating func add(_ name: String, _ number: Int?) {
    if let number { text += " \(name)=\(number)" }
  }

  private mutating func add(_ name: String, _ flag: Bool?) {
    if let flag { text += " \(name)=\(flag)" }
  }

  private mutating func add(_ name: String, _ string: String?) {
    guard let string else { return }
    text += " \(name)='"
    for byte in string.utf8 {
      text += String(byte >> 4, radix: 16)
      text += String(byte & 15, radix: 16)
    }
  }
}
