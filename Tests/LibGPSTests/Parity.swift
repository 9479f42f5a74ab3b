import CGPS
import CGPSUnpack
import GPSDLocation
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
      integer("status", tpv.status ?? 0, fix.status),
      integer("leapseconds", tpv.leapseconds ?? 0, gps.pointee.leap_seconds),
      integer("dgpsSta", tpv.dgpsSta ?? -1, fix.dgps_station),
      number("lat", tpv.lat, fix.latitude),
      number("lon", tpv.lon, fix.longitude),
      number("altHAE", tpv.altHAE, fix.altHAE),
      number("altMSL", tpv.altMSL, fix.altMSL),
      number("ept", tpv.ept, fix.ept),
      number("epx", tpv.epx, fix.epx),
      number("epy", tpv.epy, fix.epy),
      number("epv", tpv.epv, fix.epv),
      number("eph", tpv.eph, fix.eph),
      number("sep", tpv.sep, fix.sep),
      number("track", tpv.track, fix.track),
      number("epd", tpv.epd, fix.epd),
      number("speed", tpv.speed, fix.speed),
      number("eps", tpv.eps, fix.eps),
      number("climb", tpv.climb, fix.climb),
      number("epc", tpv.epc, fix.epc),
      number("geoidSep", tpv.geoidSep, fix.geoid_sep),
      number("magtrack", tpv.magtrack, fix.magnetic_track),
      number("magvar", tpv.magvar, fix.magnetic_var),
      number("depth", tpv.depth, fix.depth),
      number("ecefx", tpv.ecefx, fix.ecef.x),
      number("ecefy", tpv.ecefy, fix.ecef.y),
      number("ecefz", tpv.ecefz, fix.ecef.z),
      number("ecefpAcc", tpv.ecefpAcc, fix.ecef.pAcc),
      number("ecefvx", tpv.ecefvx, fix.ecef.vx),
      number("ecefvy", tpv.ecefvy, fix.ecef.vy),
      number("ecefvz", tpv.ecefvz, fix.ecef.vz),
      number("ecefvAcc", tpv.ecefvAcc, fix.ecef.vAcc),
      number("relN", tpv.relN, fix.NED.relPosN),
      number("relE", tpv.relE, fix.NED.relPosE),
      number("relD", tpv.relD, fix.NED.relPosD),
      number("velN", tpv.velN, fix.NED.velN),
      number("velE", tpv.velE, fix.NED.velE),
      number("velD", tpv.velD, fix.NED.velD),
      number("dgpsAge", tpv.dgpsAge, fix.dgps_age),
      number("wanglem", tpv.wanglem, fix.wanglem),
      number("wangler", tpv.wangler, fix.wangler),
      number("wanglet", tpv.wanglet, fix.wanglet),
      number("wspeedr", tpv.wspeedr, fix.wspeedr),
      number("wspeedt", tpv.wspeedt, fix.wspeedt),
    ]
  }

  private static func fields(
    _ gst: GST, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    let noise = gps.pointee.gst
    return [
      time("time", gst.time, noise.utctime),
      number("rms", gst.rms, noise.rms_deviation),
      number("major", gst.major, noise.smajor_deviation),
      number("minor", gst.minor, noise.sminor_deviation),
      number("orient", gst.orient, noise.smajor_orientation),
      number("lat", gst.lat, noise.lat_err_deviation),
      number("lon", gst.lon, noise.lon_err_deviation),
      number("alt", gst.alt, noise.alt_err_deviation),
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
      number("heading", att.heading, attitude.heading),
      number("pitch", att.pitch, attitude.pitch),
      number("roll", att.roll, attitude.roll),
      number("yaw", att.yaw, attitude.yaw),
      number("dip", att.dip, attitude.dip),
      number("magLen", att.magLen, attitude.mag_len),
      number("magX", att.magX, attitude.mag_x),
      number("magY", att.magY, attitude.mag_y),
      number("magZ", att.magZ, attitude.mag_z),
      number("accLen", att.accLen, attitude.acc_len),
      number("accX", att.accX, attitude.acc_x),
      number("accY", att.accY, attitude.acc_y),
      number("accZ", att.accZ, attitude.acc_z),
      number("gyroX", att.gyroX, attitude.gyro_x),
      number("gyroY", att.gyroY, attitude.gyro_y),
      number("depth", att.depth, attitude.depth),
      number("temp", att.temp, attitude.temp),
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
