package import LocationCore

/// A number of a fix, and what tests of all of them expect of it: they loop over ``all``.
package struct FieldCase: Sendable, CustomStringConvertible {
  /// Which numbers are possible.
  package enum Kind: Sendable {
    case signed, magnitude, azimuth, direction, variation, geoidSeparation, temperature
    case count, code, station, leapSeconds
  }

  package let quantity: LocationFix.Quantity
  package let kind: Kind
  package let group: LocationFix.Quantity.Group
  package let since: String?
  /// The words that stand for the numbers from zero on; empty if there are none.
  package let words: [String]

  package var description: String { "\(quantity)" }

  private init(
    _ quantity: LocationFix.Quantity, _ kind: Kind, _ group: LocationFix.Quantity.Group = .usual,
    since: String? = nil, words: [String] = []
  ) {
    self.quantity = quantity
    self.kind = kind
    self.group = group
    self.since = since
    self.words = words
  }

  /// From the lowest to the highest number that is possible.
  package var range: ClosedRange<Double> {
    switch kind {
    case .signed: (-1e15).nextUp...1e15.nextDown
    case .magnitude: 0...1e15.nextDown
    case .azimuth: 0...360
    case .direction: -180...360
    case .variation: -180...180
    case .geoidSeparation: -200...200
    case .temperature: -273.15...1e15.nextDown
    case .count: 0...65_535
    case .code: 0...255
    case .station: 0...(1e15 - 1)
    case .leapSeconds: -128...127
    }
  }

  package var isCyclic: Bool { [.azimuth, .direction, .variation].contains(kind) }
  package var isWhole: Bool { [.count, .code, .station, .leapSeconds].contains(kind) }

  /// Returns whether a receiver can report the number.
  package func allows(_ number: Double) -> Bool {
    range.contains(number) && (!isWhole || number == number.rounded())
  }

  /// In the order of their numbers in stories of formats. New ones stand at the end.
  package static let all = [
    FieldCase(.altHAE, .signed), FieldCase(.altMSL, .signed),
    FieldCase(.geoidSep, .geoidSeparation), FieldCase(.speed, .magnitude),
    FieldCase(.track, .azimuth), FieldCase(.climb, .signed), FieldCase(.eph, .magnitude),
    FieldCase(.epx, .magnitude), FieldCase(.epy, .magnitude), FieldCase(.epv, .magnitude),
    FieldCase(.ept, .magnitude), FieldCase(.eps, .magnitude), FieldCase(.epd, .magnitude),
    FieldCase(.epc, .magnitude), FieldCase(.sep, .magnitude), FieldCase(.magtrack, .azimuth),
    FieldCase(.magvar, .variation), FieldCase(.velN, .signed), FieldCase(.velE, .signed),
    FieldCase(.velD, .signed), FieldCase(.dgpsAge, .magnitude),
    FieldCase(.dgpsSta, .station, .rare),
    FieldCase(.dgpsRatio, .magnitude, .rare, since: "3.24"),
    FieldCase(.baseS, .code, .rare, since: "3.24"),
    FieldCase(.baseE, .signed, .rare, since: "3.24"),
    FieldCase(.baseN, .signed, .rare, since: "3.24"),
    FieldCase(.baseU, .signed, .rare, since: "3.24"),
    FieldCase(.baseL, .magnitude, .rare, since: "3.24"),
    FieldCase(.baseC, .direction, .rare, since: "3.24"),
    FieldCase(.relN, .signed, .rare), FieldCase(.relE, .signed, .rare),
    FieldCase(.relD, .signed, .rare), FieldCase(.relH, .direction, .rare),
    FieldCase(.relL, .magnitude, .rare),
    FieldCase(.errEllMaj, .magnitude, .rare, since: "3.27"),
    FieldCase(.errEllMin, .magnitude, .rare, since: "3.27"),
    FieldCase(.errEllOr, .direction, .rare, since: "3.27"),
    FieldCase(.clockbias, .signed, .rare, since: "3.26"),
    FieldCase(.clockdrift, .signed, .rare, since: "3.26"),
    FieldCase(.leapseconds, .leapSeconds, .rare), FieldCase(.depth, .signed, .rare),
    FieldCase(.temp, .temperature, .rare, since: "3.26"),
    FieldCase(.wtemp, .temperature, .rare, since: "3.25"),
    FieldCase(.wanglem, .direction, .rare), FieldCase(.wangler, .direction, .rare),
    FieldCase(.wanglet, .direction, .rare), FieldCase(.wspeedr, .magnitude, .rare),
    FieldCase(.wspeedt, .magnitude, .rare),
    FieldCase(.ant, .code, .rare, since: "3.26", words: ["", "ok", "open", "short"]),
    FieldCase(.antPwr, .code, .rare, since: "3.27", words: ["", "off", "on"]),
    FieldCase(.jam, .code, .rare, since: "3.26"), FieldCase(.hdop, .magnitude, .sky),
    FieldCase(.vdop, .magnitude, .sky), FieldCase(.pdop, .magnitude, .sky),
    FieldCase(
      .status, .code,
      words: [
        "", "gps", "dgps", "rtk-fixed", "rtk-float", "dr", "gnss-dr", "time-only", "simulated",
        "py",
      ]),
    FieldCase(.satsUsed, .count, .sky), FieldCase(.satsSeen, .count, .sky),
    FieldCase(.signalsUsed, .count, .sky), FieldCase(.signalsSeen, .count, .sky),
    FieldCase(.heading, .azimuth, .attitude), FieldCase(.mheading, .azimuth, .attitude),
    FieldCase(.ecefx, .signed, .raw), FieldCase(.ecefy, .signed, .raw),
    FieldCase(.ecefz, .signed, .raw), FieldCase(.ecefpAcc, .magnitude, .raw),
    FieldCase(.ecefvx, .signed, .raw), FieldCase(.ecefvy, .signed, .raw),
    FieldCase(.ecefvz, .signed, .raw), FieldCase(.ecefvAcc, .magnitude, .raw),
  ]
}
