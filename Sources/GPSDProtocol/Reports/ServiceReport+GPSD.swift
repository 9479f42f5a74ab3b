package import LocationCore

// The classes of reports that say something else than a position, as kinds, and what they contain.

extension ServiceReport.Kind {
  /// Statistics of the receiver's errors: ``GST``.
  package static let gst = Self(rawValue: "GST")
  /// The attitude of a vehicle: ``ATT``.
  package static let att = Self(rawValue: "ATT")
  /// Data of an inertial measurement unit as it arrives, with the members of an ``ATT``.
  package static let imu = Self(rawValue: "IMU")
  /// The clocks at the first report of a second: ``TimeOffset``.
  package static let toff = Self(rawValue: "TOFF")
  /// The state of a disciplined oscillator: ``OSC``.
  package static let osc = Self(rawValue: "OSC")

  /// Whether gpsd sends such reports only if it is asked for pulses.
  package var needsPulses: Bool { self == .toff || self == .pps }
}

extension GST {
  /// Decodes a report; `nil` if it is of another kind.
  package init?(_ report: ServiceReport) {
    guard report.kind == .gst, let decoded = ReportReader.read(report.text, into: GST()) else {
      return nil
    }
    self = decoded
  }
}

extension ATT {
  /// Decodes an `ATT` or `IMU` report; `nil` if it is of another kind.
  package init?(_ report: ServiceReport) {
    guard [.att, .imu].contains(report.kind),
      let decoded = ReportReader.read(report.text, into: ATT())
    else { return nil }
    self = decoded
  }
}

/// The one member that is read of a report that is passed on.
struct ReportOrigin: JSONRecord, Sendable {
  enum Field: Int, CaseIterable, CodingKey {
    case `class`, device
  }

  private(set) var device: String?

  mutating func removeAll() { device = nil }

  mutating func read(
    _ member: Int, _ line: Span<UInt8>, _ index: inout Int, _ names: inout DeviceNameCache
  ) throws(MalformedReport) {
    if member == Field.device.rawValue {
      device = try names.read(line, &index)
    } else {
      try line.skipValue(&index, depth: 1)
    }
  }
}
