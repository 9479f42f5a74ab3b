import CGPS
import CGPSUnpack
import GPSDLocation
import GPSDProtocol
import Glibc
import LocationCore

/// The same field by both decoders, as text that is equal where the values are.
struct FieldPair {
  let name: String
  let ours: String
  let theirs: String
}

/// All fields that libgps 3.22 knows; later releases know them too.
enum Parity {
  static func fields(
    of kind: GPSDDecoder.Kind, in decoder: GPSDDecoder, and gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    switch kind {
    case .tpv: fields(decoder.tpv, gps)
    case .sky: fields(decoder.sky, gps)
    case .gst: fields(decoder.gst, gps)
    case .att: fields(decoder.att, gps)
    case .device: fields(decoder.device, &gps.pointee.dev)
    case .devices: fields(decoder.devices, gps)
    case .version: fields(decoder.version, gps)
    case .watch: fields(decoder.watch, gps)
    case .error:
      [
        FieldPair(
          name: "message", ours: decoder.error.message, theirs: text(lw_unpacked_error(gps)))
      ]
    case .other, .blank, .malformed: []
    }
  }

  private static func fields(
    _ tpv: TPV, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    let fix = gps.pointee.fix
    return [
      FieldPair(
        name: "device", ours: tpv.device ?? "", theirs: text(lw_unpacked_path(&gps.pointee.dev))),
      FieldPair(name: "datum", ours: tpv.datum ?? "", theirs: text(lw_unpacked_datum(gps))),
      time("time", tpv.time, fix.time),
      integer("mode", Int(tpv.mode.rawValue), fix.mode),
      number("lat", tpv.lat, fix.latitude),
      number("lon", tpv.lon, fix.longitude),
    ] + TPV.reported.compactMap { pair(for: $0, tpv[$0], gps) }
  }

  /// Both readings of a quantity; `nil` if libgps 3.22 does not read it.
  private static func pair(
    for quantity: LocationFix.Quantity, _ ours: Double?, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> FieldPair? {
    let name = "\(quantity)"
    switch quantity {
    case .status: return integer(name, Int(ours ?? 0), gps.pointee.fix.status)
    case .leapseconds: return integer(name, Int(ours ?? 0), gps.pointee.leap_seconds)
    case .dgpsSta: return integer(name, Int(ours ?? -1), gps.pointee.fix.dgps_station)
    default: return numbers[quantity].map { number(name, ours, gps.pointee.fix[keyPath: $0]) }
    }
  }

  /// Where libgps keeps the numbers of gpsd 3.22.
  static let numbers: [LocationFix.Quantity: any KeyPath<gps_fix_t, Double> & Sendable] = [
    .altHAE: \.altHAE, .altMSL: \.altMSL, .ept: \.ept, .epx: \.epx, .epy: \.epy, .epv: \.epv,
    .eph: \.eph, .sep: \.sep, .track: \.track, .epd: \.epd, .speed: \.speed, .eps: \.eps,
    .climb: \.climb, .epc: \.epc, .geoidSep: \.geoid_sep, .magtrack: \.magnetic_track,
    .magvar: \.magnetic_var, .depth: \.depth, .ecefx: \.ecef.x, .ecefy: \.ecef.y,
    .ecefz: \.ecef.z, .ecefpAcc: \.ecef.pAcc, .ecefvx: \.ecef.vx, .ecefvy: \.ecef.vy,
    .ecefvz: \.ecef.vz, .ecefvAcc: \.ecef.vAcc, .relN: \.NED.relPosN, .relE: \.NED.relPosE,
    .relD: \.NED.relPosD, .velN: \.NED.velN, .velE: \.NED.velE, .velD: \.NED.velD,
    .dgpsAge: \.dgps_age, .wanglem: \.wanglem, .wangler: \.wangler, .wanglet: \.wanglet,
    .wspeedr: \.wspeedr, .wspeedt: \.wspeedt,
  ]

  /// The quantities of gpsd 3.22 that are compared.
  static let compared = Set(numbers.keys).union([.status, .leapseconds, .dgpsSta])

  private static func fields(
    _ gst: GST, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    let noise = gps.pointee.gst
    return [
      time("time", gst.time, noise.utctime),
      number("rms", gst[.rms], noise.rms_deviation),
      number("major", gst[.major], noise.smajor_deviation),
      number("minor", gst[.minor], noise.sminor_deviation),
      number("orient", gst[.orient], noise.smajor_orientation),
      number("lat", gst[.lat], noise.lat_err_deviation),
      number("lon", gst[.lon], noise.lon_err_deviation),
      number("alt", gst[.alt], noise.alt_err_deviation),
    ]
  }

  private static func fields(
    _ att: ATT, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    let attitude = gps.pointee.attitude
    return [
      letter("mag_st", att.magSt, attitude.mag_st),
      letter("pitch_st", att.pitchSt, attitude.pitch_st),
      letter("roll_st", att.rollSt, attitude.roll_st),
      letter("yaw_st", att.yawSt, attitude.yaw_st),
      number("heading", att[.heading], attitude.heading),
      number("pitch", att[.pitch], attitude.pitch),
      number("roll", att[.roll], attitude.roll),
      number("yaw", att[.yaw], attitude.yaw),
      number("dip", att[.dip], attitude.dip),
      number("magLen", att[.mag_len], attitude.mag_len),
      number("magX", att[.mag_x], attitude.mag_x),
      number("magY", att[.mag_y], attitude.mag_y),
      number("magZ", att[.mag_z], attitude.mag_z),
      number("accLen", att[.acc_len], attitude.acc_len),
      number("accX", att[.acc_x], attitude.acc_x),
      number("accY", att[.acc_y], attitude.acc_y),
      number("accZ", att[.acc_z], attitude.acc_z),
      number("gyroX", att[.gyro_x], attitude.gyro_x),
      number("gyroY", att[.gyro_y], attitude.gyro_y),
      number("depth", att[.depth], attitude.depth),
      number("temp", att[.temp], attitude.temp),
    ]
  }

  // MARK: - How values are compared

  /// Absent is NaN there and `nil` here.
  static func number(_ name: String, _ ours: Double?, _ theirs: Double) -> FieldPair {
    FieldPair(
      name: name, ours: ours.map { "\($0) \($0.bitPattern)" } ?? "absent",
      theirs: theirs.isFinite ? "\(theirs) \(theirs.bitPattern)" : "absent")
  }

  static func integer(_ name: String, _ ours: Int, _ theirs: some BinaryInteger) -> FieldPair {
    FieldPair(name: name, ours: "\(ours)", theirs: "\(theirs)")
  }

  static func flag(_ name: String, _ ours: Bool?, _ theirs: Bool) -> FieldPair {
    FieldPair(name: name, ours: "\(ours ?? false)", theirs: "\(theirs)")
  }

  static func letter(_ name: String, _ ours: String?, _ theirs: CChar) -> FieldPair {
    FieldPair(name: name, ours: "\(ours?.utf8.first ?? 0)", theirs: "\(theirs)")
  }

  /// Absent is zero there and `nil` here.
  static func time(_ name: String, _ ours: Timestamp?, _ theirs: timespec) -> FieldPair {
    FieldPair(
      name: name, ours: "\(ours?.nanosecondsSince1970 ?? 0)",
      theirs: "\(theirs.tv_sec * 1_000_000_000 + theirs.tv_nsec)")
  }

  static func text(_ pointer: UnsafePointer<CChar>) -> String { String(cString: pointer) }
}
