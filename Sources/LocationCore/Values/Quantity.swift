extension LocationFix {
  /// A number that a receiver can report, by its name in gpsd_json(5). Each case names its unit.
  ///
  /// A new field of gpsd's `TPV` needs its name here, in the order of records, and below the number of cases in
  /// `Numbers` and its row in the table. All code that reads, stores, writes or describes fields uses these.
  ///
  /// Cases may be added: a `switch` outside this package needs an `@unknown default`.
  #if compiler(>=6.3)
    @nonexhaustive
  #endif
  public enum Quantity: UInt8, CaseIterable, Sendable {
    /// The number of the ``LocationFix/quality``.
    case status
    /// A height in metres: above mean sea level, above the WGS 84 ellipsoid, and the height of mean sea level above
    /// the ellipsoid.
    case altMSL, altHAE, geoidSep
    /// The motion over ground: the speed in metres per second, the course in degrees from true north, and the rate of
    /// climb in metres per second.
    case speed, track, climb
    /// An estimated error of the position, in metres: horizontal, east, north and vertical.
    case eph, epx, epy, epv
    /// A number of satellites or signals in the receiver's list of satellites.
    case satsUsed, satsSeen, signalsUsed, signalsSeen
    /// A dilution of precision, without a unit, as reported with the list of satellites.
    case hdop, vdop, pdop
    /// An estimated error: of the time in seconds, of the ``speed`` in metres per second, of the ``track`` in degrees,
    /// of the ``climb`` in metres per second, and of the position in three dimensions in metres.
    case ept, eps, epd, epc, sep
    /// The course from magnetic north, and the magnetic variation, positive to the east, in degrees. gpsd wrongly
    /// computes a course that the receiver does not report as ``track`` plus ``magvar``: such a sum, to 0.1 degrees, is
    /// replaced by the difference.
    case magtrack, magvar
    /// The direction in which a compass or a receiver with two antennas points, from the last `ATT` report, in
    /// degrees from true and from magnetic north.
    case heading, mheading
    /// A velocity to the north, to the east, or downward, in metres per second.
    case velN, velE, velD
    /// The differential correction: its age in seconds, the number of its station, and the ratio of ambiguities,
    /// without a unit.
    case dgpsAge, dgpsSta, dgpsRatio
    /// The baseline: the number of its status, its east, north and up components and its length in metres, and its
    /// course in degrees.
    case baseS, baseE, baseN, baseU, baseL, baseC
    /// The position relative to the base: north, east and down in metres, the heading in degrees, and the distance in
    /// metres.
    case relN, relE, relD, relH, relL
    /// The error ellipse: its axes in metres, and the direction of the major one in degrees.
    case errEllMaj, errEllMin, errEllOr
    /// The bias of the receiver's clock in nanoseconds, its drift in nanoseconds per second, and GPS time minus UTC in
    /// seconds.
    case clockbias, clockdrift, leapseconds
    /// The depth of the water in metres, and the temperatures of the receiver and of the water in degrees Celsius.
    case depth, temp, wtemp
    /// The wind: its direction in degrees from magnetic north, the bow and true north, and its speed in metres per
    /// second, relative to the ship and true.
    case wanglem, wangler, wanglet, wspeedr, wspeedt
    /// The number of the state of the antenna: 0 unknown, 1 in order, 2 open, 3 short; and of its power: 1 off, 2 on.
    case ant, antPwr
    /// The level of jamming, 0 (none) to 255 (strong).
    case jam
    /// The position and its error in an earth-centred, earth-fixed frame, in metres.
    case ecefx, ecefy, ecefz, ecefpAcc
    /// The velocity and its error in this frame, in metres per second.
    case ecefvx, ecefvy, ecefvz, ecefvAcc
  }
}

extension LocationFix.Quantity {
  // Apple's systems have InlineArray from version 26 on. So that older ones do, an array takes its place on all of them,
  // which costs an allocation.
  #if os(Linux)
    /// A number for each quantity, by its raw value.
    package typealias Numbers = InlineArray<69, Double>
    package static var zeros: Numbers { Numbers(repeating: 0) }
  #else
    package typealias Numbers = ContiguousArray<Double>
    package static var zeros: Numbers { Numbers(repeating: 0, count: allCases.count) }
  #endif
}

extension LocationFix.Quantity {
  /// A row of the table of quantities.
  package struct Row: Sendable {
    package let quantity: LocationFix.Quantity
    package let kind: Kind
    /// The name in reports of gpsd. It is the name of the case, but reflection would be a slow way to get it.
    package let wireName: String
    /// The name in records.
    package let name: String
    /// The description with its unit, for the manual page and the schema.
    package let meaning: String
    /// The numbers that are possible. Others are unknown.
    package let range: QuantityRange
    package let group: Group
    /// The first gpsd that reports it; `nil` for 3.22, the oldest one that is supported.
    package let since: String?

    fileprivate init(
      _ quantity: LocationFix.Quantity, _ wireName: String, as name: String? = nil,
      _ meaning: String,
      kind: Kind = .number, _ range: QuantityRange, group: Group = .usual, since: String? = nil
    ) {
      self.quantity = quantity
      self.kind = kind
      self.wireName = wireName
      self.name = name ?? wireName
      self.meaning = meaning
      self.range = range
      self.group = group
      self.since = since
    }
  }

  /// How a number is written.
  package enum Kind: Hashable, Sendable {
    case number
    case integer
    /// The words that stand for the numbers from zero on. An empty one is not written.
    case words([String])

    /// Returns the word for a number; `nil` if there is none.
    package func word(for number: Double) -> String? {
      guard case .words(let words) = self, let index = Int(exactly: number),
        words.indices.contains(index), !words[index].isEmpty
      else { return nil }
      return words[index]
    }
  }

  /// Where a number comes from and goes to.
  package enum Group: Sendable {
    case usual
    /// Only some receivers report it, and most of these not with every fix.
    case rare
    /// gpsd's `SKY` reports it, not `TPV`.
    case sky
    /// gpsd's `ATT` reports it, not `TPV`.
    case attitude
    /// It is in a report and a fix, and in no record.
    case raw
  }

  /// The row of the quantity.
  package var row: Row { Self.rows[Int(rawValue)] }
  package var kind: Kind { Self.rows[Int(rawValue)].kind }

  /// The ranges of the table, in the order of the cases. Reading a number then does not touch the texts of the table.
  package static let ranges = rows.map(\.range)

  /// The rows of the table, in the order of the cases.
  package static let rows = [
    Row(
      .status, "status", as: "quality",
      "how the position was computed: gps, dgps, rtk-fixed, rtk-float, dr (dead reckoning), gnss-dr, "
        + "time-only (a surveyed position), simulated or py; unknown for an ordinary fix",
      kind: .words([""] + FixQuality.all.map(\.name)), .code),
    Row(
      .altMSL, "altMSL",
      "height above mean sea level, in metres; if the receiver reports only one of the two heights, gpsd "
        + "computes the other with geoidSep", .signed),
    Row(.altHAE, "altHAE", "height above the WGS 84 ellipsoid, in metres; see altMSL", .signed),
    Row(
      .geoidSep, "geoidSep",
      "height of mean sea level above the ellipsoid, in metres; gpsd's own value is up to 12 m off",
      .geoidSeparation),
    Row(.speed, "speed", "speed over ground, in m/s", .magnitude),
    Row(.track, "track", "course over ground, in degrees from true north", .azimuth),
    Row(.climb, "climb", "rate of climb, in m/s, up is positive", .signed),
    Row(.eph, "eph", as: "accuracy", "estimated horizontal error, in metres", .magnitude),
    Row(.epx, "epx", "estimated error of the longitude, in metres", .magnitude),
    Row(.epy, "epy", "estimated error of the latitude, in metres", .magnitude),
    Row(.epv, "epv", "estimated error of the height, in metres", .magnitude),
    Row(
      .satsUsed, "satsUsed", "satellites used to compute the position", kind: .integer, .count,
      group: .sky),
    Row(
      .satsSeen, "satsSeen", "satellites in view", kind: .integer, .count, group: .sky),
    Row(
      .signalsUsed, "signalsUsed",
      "signals used to compute the position",
      kind: .integer, .count, group: .sky),
    Row(
      .signalsSeen, "signalsSeen", "signals in view", kind: .integer, .count, group: .sky
    ),
    Row(.hdop, "hdop", "horizontal dilution of precision", .magnitude, group: .sky),
    Row(.vdop, "vdop", "vertical dilution of precision", .magnitude, group: .sky),
    Row(.pdop, "pdop", "position (3D) dilution of precision", .magnitude, group: .sky),
    Row(.ept, "ept", "estimated error of the time, in seconds", .magnitude),
    Row(.eps, "eps", "estimated error of the speed, in m/s", .magnitude),
    Row(.epd, "epd", "estimated error of the track, in degrees", .magnitude),
    Row(.epc, "epc", "estimated error of the climb, in m/s", .magnitude),
    Row(.sep, "sep", "estimated spherical (3D) error, in metres", .magnitude),
    Row(
      .magtrack, "magtrack",
      "course over ground, in degrees from magnetic north: where gpsd has added magvar to track, "
        + "which is the wrong sign, this is track minus magvar", .azimuth),
    Row(.magvar, "magvar", "magnetic variation, in degrees, east is positive", .variation),
    Row(
      .heading, "heading",
      "heading by a compass or two antennas, in degrees from true north; at most 3 s old",
      .azimuth, group: .attitude),
    Row(
      .mheading, "mheading", "the same heading, in degrees from magnetic north", .azimuth,
      group: .attitude),
    Row(.velN, "velN", "velocity to the north, in m/s", .signed),
    Row(.velE, "velE", "velocity to the east, in m/s", .signed),
    Row(.velD, "velD", "velocity downward, in m/s", .signed),
    Row(
      .dgpsAge, "dgpsAge", "age of the differential correction, in seconds", .magnitude),
    Row(
      .dgpsSta, "dgpsSta", "number of the station that sends the differential correction",
      kind: .integer, .station, group: .rare),
    Row(
      .dgpsRatio, "dgpsRatio", "ratio of the ambiguity resolution of RTK", .magnitude,
      group: .rare,
      since: "3.24"),
    Row(
      .baseS, "baseS", "gpsd's status of the baseline", kind: .integer, .code, group: .rare,
      since: "3.24"),
    Row(
      .baseE, "baseE", "east component of the baseline, in metres", .signed, group: .rare,
      since: "3.24"),
    Row(
      .baseN, "baseN", "north component of the baseline, in metres", .signed, group: .rare,
      since: "3.24"),
    Row(
      .baseU, "baseU", "up component of the baseline, in metres", .signed, group: .rare,
      since: "3.24"),
    Row(
      .baseL, "baseL", "length of the baseline, in metres", .magnitude, group: .rare, since: "3.24"),
    Row(
      .baseC, "baseC", "course of the baseline, in degrees", .direction, group: .rare, since: "3.24"
    ),
    Row(.relN, "relN", "position north of the base, in metres", .signed, group: .rare),
    Row(.relE, "relE", "position east of the base, in metres", .signed, group: .rare),
    Row(.relD, "relD", "position below the base, in metres", .signed, group: .rare),
    Row(.relH, "relH", "heading from the base, in degrees", .direction, group: .rare),
    Row(.relL, "relL", "distance from the base, in metres", .magnitude, group: .rare),
    Row(
      .errEllMaj, "errEllMaj",
      "semi-major axis of the error ellipse, in metres, confidence not stated", .magnitude,
      group: .rare, since: "3.27"),
    Row(
      .errEllMin, "errEllMin", "semi-minor axis of the error ellipse, in metres", .magnitude,
      group: .rare,
      since: "3.27"),
    Row(
      .errEllOr, "errEllOr", "orientation of the major axis, in degrees from true north",
      .direction,
      group: .rare,
      since: "3.27"),
    Row(
      .clockbias, "clockbias", "bias of the receiver's clock, in nanoseconds", .signed,
      group: .rare,
      since: "3.26"),
    Row(
      .clockdrift, "clockdrift", "drift of the receiver's clock, in nanoseconds per second",
      .signed,
      group: .rare,
      since: "3.26"),
    Row(
      .leapseconds, "leapseconds", "GPS time minus UTC, in seconds", kind: .integer, .leapSeconds,
      group: .rare),
    Row(.depth, "depth", "depth of the water, in metres", .signed, group: .rare),
    Row(
      .temp, "temp", "temperature of the receiver, in degrees Celsius", .temperature, group: .rare,
      since: "3.26"),
    Row(
      .wtemp, "wtemp", "temperature of the water, in degrees Celsius", .temperature, group: .rare,
      since: "3.25"),
    Row(
      .wanglem, "wanglem", "direction of the wind, in degrees from magnetic north", .direction,
      group: .rare),
    Row(
      .wangler, "wangler", "direction of the wind, in degrees from the bow", .direction,
      group: .rare),
    Row(
      .wanglet, "wanglet", "direction of the wind, in degrees from true north", .direction,
      group: .rare),
    Row(
      .wspeedr, "wspeedr", "speed of the wind relative to the ship, in m/s",
      .magnitude,
      group: .rare),
    Row(
      .wspeedt, "wspeedt", "true speed of the wind, in m/s", .magnitude, group: .rare),
    Row(
      .ant, "ant", as: "antenna",
      "fault of the antenna: open or short; gpsd does not report an antenna that works (ok)",
      kind: .words(["", "ok", "open", "short"]), .code, group: .rare, since: "3.26"),
    Row(
      .antPwr, "antPwr", as: "antennaPower", "power of the antenna: on or off",
      kind: .words(["", "off", "on"]), .code, group: .rare, since: "3.27"),
    Row(
      .jam, "jam",
      "strength of interference with the signals, 1 to 255, by the receiver's own scale; its absence does not "
        + "prove that there is none",
      kind: .integer, .code, group: .rare, since: "3.26"),
    Row(.ecefx, "ecefx", "position on the x axis of the earth, in metres", .signed, group: .raw),
    Row(.ecefy, "ecefy", "position on the y axis of the earth, in metres", .signed, group: .raw),
    Row(.ecefz, "ecefz", "position on the z axis of the earth, in metres", .signed, group: .raw),
    Row(
      .ecefpAcc, "ecefpAcc", "estimated error of the position on these axes, in metres", .magnitude,
      group: .raw
    ),
    Row(
      .ecefvx, "ecefvx", "velocity along the x axis of the earth, in m/s", .signed,
      group: .raw
    ),
    Row(
      .ecefvy, "ecefvy", "velocity along the y axis of the earth, in m/s", .signed,
      group: .raw
    ),
    Row(
      .ecefvz, "ecefvz", "velocity along the z axis of the earth, in m/s", .signed,
      group: .raw
    ),
    Row(
      .ecefvAcc, "ecefvAcc",
      "estimated error of the velocity along these axes, in m/s", .magnitude,
      group: .raw),
  ]
}
