internal import LocationCore

// A report prints its known values under gpsd's names: `TPV: device /dev/ttyACM0, mode 3, lat 48.15`.

extension TPV: CustomStringConvertible {
  /// The known values under gpsd's names: `TPV: device /dev/ttyACM0, mode 3, lat 48.15, lon 11.58`.
  package var description: String {
    text(
      of: "TPV", [("device", device), ("time", time), ("datum", datum)],
      numbers: [("mode", modeNumber), ("lat", lat), ("lon", lon)]
        + Self.reported.map { ($0.row.wireName, self[$0]) })
  }
}

extension SKY: CustomStringConvertible {
  /// The known values under gpsd's names: `SKY: device /dev/ttyACM0, nSat 12, uSat 8, hdop 0.9`.
  package var description: String {
    text(
      of: "SKY", [("device", device), ("time", time), ("satellites", satellites)],
      numbers: Quantity.allCases.map { ("\($0)", self[$0]) })
  }
}

extension GST: CustomStringConvertible {
  /// The known values under gpsd's names: `GST: device /dev/ttyACM0, rms 2.4, alt 2.5`.
  package var description: String {
    text(
      of: "GST", [("device", device), ("time", time)],
      numbers: Quantity.allCases.map { ("\($0)", self[$0]) })
  }
}

extension ATT: CustomStringConvertible {
  /// The known values under gpsd's names: `ATT: device /dev/ttyUSB0, mag_st N, heading 142.3`.
  package var description: String {
    text(
      of: "ATT",
      [
        ("device", device), ("time", time), ("mag_st", magSt), ("pitch_st", pitchSt),
        ("roll_st", rollSt), ("yaw_st", yawSt),
      ],
      numbers: Quantity.allCases.map { ("\($0)", self[$0]) })
  }
}

extension DeviceReport: CustomStringConvertible {
  /// The known values under gpsd's names: `DEVICE: path /dev/ttyACM0, driver u-blox, bps 9600`.
  package var description: String {
    text(
      of: "DEVICE",
      [
        ("path", path.isEmpty ? nil : path), ("activated", activated), ("flags", flags),
        ("driver", driver), ("subtype", subtype), ("subtype1", subtype1), ("sernum", sernum),
        ("native", native), ("bps", bps), ("parity", parity), ("stopbits", stopbits),
        ("readonly", readonly),
      ],
      numbers: [("cycle", cycle), ("mincycle", mincycle)])
  }
}

extension DeviceReport.Activation: CustomStringConvertible {
  /// The text `closed`, or the time at which the receiver was opened.
  package var description: String {
    switch self {
    case .opened(let time): "\(time)"
    case .closed: "closed"
    }
  }
}

extension VersionReport: CustomStringConvertible {
  /// The known values under gpsd's names: `VERSION: release 3.22, proto_major 3, proto_minor 14`.
  package var description: String {
    text(
      of: "VERSION",
      [
        ("release", release.isEmpty ? nil : release), ("rev", rev), ("proto_major", protoMajor),
        ("proto_minor", protoMinor), ("remote", remote),
      ])
  }
}

extension WatchReport: CustomStringConvertible {
  /// The known values under gpsd's names: `WATCH: enable true, json true, device /dev/ttyACM0`.
  package var description: String {
    text(
      of: "WATCH",
      [
        ("enable", enable), ("json", json), ("nmea", nmea), ("raw", raw), ("scaled", scaled),
        ("timing", timing), ("split24", split24), ("pps", pps), ("device", device),
        ("remote", remote),
      ])
  }
}

extension ErrorReport: CustomStringConvertible {
  /// The class and the message: `ERROR: message Unrecognized request`.
  package var description: String {
    text(of: "ERROR", [("message", message.isEmpty ? nil : message)])
  }
}

/// Returns the printed form of a report, which is only its class if no value is known.
private func text(
  of name: String, _ members: [(name: String, value: (any Sendable)?)],
  numbers: [(name: String, value: Double?)] = []
) -> String {
  var known = members.compactMap { name, value in value.map { "\(name) \($0)" } }
  known += numbers.compactMap { name, value in
    // Whole numbers, such as counts of satellites, have no fraction.
    value.map { value in Int(exactly: value).map { "\(name) \($0)" } ?? "\(name) \(value)" }
  }
  return known.isEmpty ? name : "\(name): \(known.joined(separator: ", "))"
}
