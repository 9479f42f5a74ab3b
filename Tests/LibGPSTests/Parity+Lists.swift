import CGPS
import CGPSUnpack
import GPSDLocation
import GPSDProtocol
import LocationCore

extension Parity {
  static func fields(_ sky: SKY, _ gps: UnsafeMutablePointer<gps_data_t>) -> [FieldPair] {
    let dop = gps.pointee.dop
    let satellites = sky.satellites ?? []
    let seen = Int(gps.pointee.satellites_visible)
    return [
      time("time", sky.time, gps.pointee.skyview_time),
      number("hdop", sky[.hdop], dop.hdop), number("vdop", sky[.vdop], dop.vdop),
      number("pdop", sky[.pdop], dop.pdop), number("tdop", sky[.tdop], dop.tdop),
      number("gdop", sky[.gdop], dop.gdop), number("xdop", sky[.xdop], dop.xdop),
      number("ydop", sky[.ydop], dop.ydop), integer("satellites", satellites.count, seen),
    ] + zip(satellites, 0..<seen).flatMap { fields($0, lw_unpacked_satellite(gps, $1).pointee) }
  }

  private static func fields(_ ours: Satellite, _ theirs: satellite_t) -> [FieldPair] {
    [
      integer("PRN", ours.prn, theirs.PRN), number("el", ours.elevation, theirs.elevation),
      number("az", ours.azimuth, theirs.azimuth), number("ss", ours.signalStrength, theirs.ss),
      flag("used", ours.isUsed, theirs.used), integer("gnssid", ours.gnssID ?? 0, theirs.gnssid),
      integer("svid", ours.svID ?? 0, theirs.svid), integer("sigid", ours.sigID ?? 0, theirs.sigid),
      integer("health", ours.health ?? 0, theirs.health),
    ]
  }

  static func fields(
    _ devices: [DeviceReport], _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    let count = Int(gps.pointee.devices.ndevices)
    return [integer("devices", devices.count, count)]
      + zip(devices, 0..<count).flatMap { fields($0, lw_unpacked_device(gps, $1)) }
  }

  static func fields(
    _ device: DeviceReport, _ theirs: UnsafePointer<devconfig_t>
  ) -> [FieldPair] {
    let config = theirs.pointee
    let opened: Timestamp? = if case .opened(let time) = device.activated { time } else { nil }
    return [
      FieldPair(name: "path", ours: device.path, theirs: text(lw_unpacked_path(theirs))),
      FieldPair(
        name: "driver", ours: device.driver ?? "", theirs: text(lw_unpacked_driver(theirs))),
      FieldPair(
        name: "subtype", ours: device.subtype ?? "", theirs: text(lw_unpacked_subtype(theirs))),
      FieldPair(
        name: "subtype1", ours: device.subtype1 ?? "", theirs: text(lw_unpacked_subtype1(theirs))),
      time("activated", opened, config.activated),
      integer("flags", device.flags ?? 0, config.flags),
      integer("native", device.native ?? -1, config.driver_mode),
      integer("bps", device.bps ?? 0, config.baudrate),
      integer("stopbits", device.stopbits ?? 0, config.stopbits),
      letter("parity", device.parity, config.parity),
    ]
  }

  static func fields(
    _ version: VersionReport, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    [
      FieldPair(name: "release", ours: version.release, theirs: text(lw_unpacked_release(gps))),
      FieldPair(name: "rev", ours: version.rev ?? "", theirs: text(lw_unpacked_rev(gps))),
      integer("proto_major", version.protoMajor ?? 0, gps.pointee.version.proto_major),
      integer("proto_minor", version.protoMinor ?? 0, gps.pointee.version.proto_minor),
    ]
  }

  static func fields(
    _ watch: WatchReport, _ gps: UnsafeMutablePointer<gps_data_t>
  ) -> [FieldPair] {
    let policy = gps.pointee.policy
    return [
      flag("enable", watch.enable, policy.watcher), flag("json", watch.json, policy.json),
      flag("nmea", watch.nmea, policy.nmea), integer("raw", watch.raw ?? 0, policy.raw),
      flag("scaled", watch.scaled, policy.scaled), flag("timing", watch.timing, policy.timing),
      flag("split24", watch.split24, policy.split24), flag("pps", watch.pps, policy.pps),
      FieldPair(name: "device", ours: watch.device ?? "", theirs: text(lw_unpacked_watched(gps))),
    ]
  }
}
