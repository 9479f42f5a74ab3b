import LocationCore

/// The ranges of a report's numbers, by their places.
struct NumberRanges: Sendable {
  private let ranges: [QuantityRange]
  /// The places of those with an upper end of their own, and of whole numbers.
  let bounded: MemberSet

  init(_ ranges: [QuantityRange]) {
    self.ranges = ranges
    bounded = ranges.indices.reduce(into: MemberSet()) { bounded, place in
      if ranges[place].maximum != nil || ranges[place].isWhole { bounded.add(place) }
    }
  }

  @inline(__always)
  subscript(place: Int) -> QuantityRange { ranges[place] }
}

// The tables of the reports besides that of ``LocationFix/Quantity``.

extension SKY.Quantity {
  static let ranges = NumberRanges(allCases.map(\.range))

  private var range: QuantityRange {
    switch self {
    case .nSat, .uSat: .count
    case .hdop, .vdop, .pdop, .tdop, .gdop, .xdop, .ydop: .magnitude
    }
  }
}

extension GST.Quantity {
  static let ranges = NumberRanges(allCases.map(\.range))

  private var range: QuantityRange {
    switch self {
    case .rms, .major, .minor, .lat, .lon, .alt, .ve, .vn, .vu: .magnitude
    case .orient: .direction
    }
  }
}

extension ATT.Quantity {
  static let ranges = NumberRanges(allCases.map(\.range))

  private var range: QuantityRange {
    switch self {
    case .heading, .mheading: .azimuth
    case .pitch, .roll, .yaw: .direction
    // Compasses send raw numbers, of which gpsd_json(5) gives no unit.
    case .dip, .mag_x, .mag_y, .mag_z, .acc_x, .acc_y, .acc_z: .signed
    case .rot, .gyro_x, .gyro_y, .gyro_z, .depth: .signed
    case .mag_len, .acc_len: .magnitude
    case .temp: .temperature
    }
  }
}
