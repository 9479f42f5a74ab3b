package import LocationCore
import LocationText

/// A field of a fix, as a column of CSV.
package enum FixField: Hashable, Sendable {
  /// The receiver's path on gpsd's machine.
  case device
  /// The time of the fix by the receiver's clock, UTC, ISO 8601.
  case time
  /// The time in whole seconds since 1970, and in milliseconds.
  case unix, unixms
  /// When this machine received the fix, by its own clock, UTC, ISO 8601.
  case received
  /// The receive time minus the time of the fix, in seconds.
  case age
  /// Whether the fix was current: `true` or `false`.
  case current
  /// How far the receiver's clock jumped at this fix, in seconds.
  case timeJump
  /// How many times 1,024 weeks the receiver's date is too early, according to the local clock; negative if
  /// it is too late.
  case rollover
  /// How many times 1,024 weeks were added to the receiver's date.
  case dateCorrection
  /// Why the position may be wrong: names separated by spaces, such as `jump time`.
  case doubt
  /// The mode as a number, 2 or 3, and as a word, `2d` or `3d`.
  case mode, fix
  /// The latitude and the longitude in degrees, WGS 84.
  case lat, lon
  /// A number that the receiver reported, in the unit of gpsd; `eph` is the accuracy in metres.
  case quantity(LocationFix.Quantity)
  /// The position in the Maidenhead locator system, in UTM or UPS, and in MGRS.
  case maidenhead, utm, mgrs
  /// The speed over ground.
  case speedInKnots, speedInKilometresPerHour

  /// The name and the description of a field that is not one of gpsd's quantities. The manual page shows the
  /// description, which includes the unit.
  private var own: (name: String, meaning: String) {
    switch self {
    case .device: ("device", "the receiver's path on gpsd's machine")
    case .time: ("time", "the time of the fix by the receiver's clock, UTC, ISO 8601")
    case .unix: ("unix", "the time in whole seconds since 1970; not in JSON")
    case .unixms: ("unixms", "the time in milliseconds since 1970; not in JSON")
    case .received:
      ("received", "when this machine received it, by its own clock, UTC, ISO 8601")
    case .age: ("age", "received minus time, in seconds")
    case .current: ("current", "false if the fix was delayed and is no longer current")
    case .timeJump: ("timeJump", "how far the receiver's clock jumped at this fix, in seconds")
    case .rollover:
      (
        "rollover",
        "how many times 1,024 weeks the receiver's date is too early, by this machine's clock"
      )
    case .dateCorrection:
      (
        "dateCorrection",
        "how many times 1,024 weeks --correct-date has added to the receiver's date"
      )
    case .doubt:
      ("doubt", "why the position may be wrong, such as jump; absent if it is believed")
    case .mode: ("mode", "gpsd's mode: 2 or 3")
    case .fix: ("fix", "the mode in words: 2d or 3d")
    case .lat: ("lat", "latitude in degrees, north is positive, WGS 84")
    case .lon: ("lon", "longitude in degrees, east is positive, WGS 84")
    case .quantity(let quantity): (quantity.row.name, quantity.row.meaning)
    case .maidenhead: ("maidenhead", "the Maidenhead locator; not in JSON")
    case .utm:
      ("utm", "UTM or UPS: zone and band, easting and northing; not in JSON")
    case .mgrs:
      ("mgrs", "the Military Grid Reference System, to the metre; not in JSON")
    case .speedInKnots: ("speed:kn", "speed over ground, in knots; not in JSON")
    case .speedInKilometresPerHour:
      ("speed:kmh", "speed over ground, in km/h; not in JSON")
    }
  }

  /// The name in JSON, CSV and templates, such as `altMSL`.
  package var name: String { own.name }

  /// A description with the unit, such as `speed over ground, in knots`. Its text may change.
  package var meaning: String { own.meaning }

  /// The first version of gpsd that reports it; `nil` if every supported version does.
  package var since: String? {
    if case .quantity(let quantity) = self { quantity.row.since } else { nil }
  }

  /// Finds the field of records with a name, such as `speed:kn`; `nil` if there is none.
  package init?(name: String) {
    guard let field = Self.allCases.first(where: { $0.name == name }) else { return nil }
    self = field
  }
}

extension FixField: CaseIterable {
  /// All fields of records, in the order of JSON. Raw quantities, such as `ecefx`, are not among them.
  package static let allCases: [FixField] =
    [
      .device, .time, .unix, .unixms, .received, .age, .current, .timeJump, .rollover,
      .dateCorrection,
      .doubt, .mode,
      .fix, .quantity(.status), .lat, .lon,
    ] + quantities.map(FixField.quantity)
    + [.maidenhead, .utm, .mgrs, .speedInKnots, .speedInKilometresPerHour]

  /// The quantities that follow the position in records.
  package static let quantities = LocationFix.Quantity.allCases.filter {
    $0 != .status && $0.row.group != .raw
  }
}

extension FixField: CustomStringConvertible {
  /// The ``name``.
  package var description: String { name }
}

extension TextBuffer {
  /// Appends the field as plain text, or nothing if it is unknown.
  ///
  /// - Returns: Whether the field is known.
  @discardableResult
  package mutating func append(_ field: FixField, of fix: LocationFix) -> Bool {
    let before = count
    switch field {
    case .device: append(visible: fix.device ?? "")
    case .time: if let time = fix.time { append(time: time) }
    case .unix: if let time = fix.time { append(integer: Int(time.secondsSince1970)) }
    case .unixms: if let time = fix.time { append(integer: Int(time.millisecondsSince1970)) }
    case .received: if let received = fix.received { append(milliseconds: received) }
    case .age: if let age = fix.age { append(rounded: age, places: 3) }
    case .current: append(text: fix.isCurrent ? "true" : "false")
    case .timeJump: if let jump = fix.timeJump { append(number: jump.inSeconds) }
    case .rollover: if let rollover = fix.rollover { append(integer: rollover) }
    case .dateCorrection: if let count = fix.dateCorrection { append(integer: count) }
    case .doubt: append(text: fix.doubtSet.names(between: " "))
    case .mode: append(integer: Int(fix.mode.rawValue))
    case .fix: append(text: fix.mode == .fix3D ? "3d" : "2d")
    case .lat: append(number: fix.coordinate.latitude)
    case .lon: append(number: fix.coordinate.longitude)
    case .quantity(.eph):
      if let accuracy = fix.horizontalError { append(accuracy: accuracy, of: fix) }
    case .quantity(let quantity):
      if let number = fix.shown(quantity) { append(number, as: quantity.kind) }
    case .maidenhead: append(maidenhead: fix.coordinate)
    case .utm: append(utm: fix.coordinate)
    case .mgrs: append(text: UTMCoordinate(fix.coordinate).mgrs)
    case .speedInKnots: append(speed: fix.speed, in: .nautical)
    case .speedInKilometresPerHour: append(speed: fix.speed, in: .metric)
    }
    return count > before
  }

  /// Appends a number, or the word that the number stands for.
  private mutating func append(_ number: Double, as kind: LocationFix.Quantity.Kind) {
    switch (kind, Int(exactly: number)) {
    case (.words, _): append(text: kind.word(for: number) ?? "")
    case (.integer, let integer?): append(integer: integer)
    case (.integer, nil), (.number, _): append(number: number)
    }
  }

  /// Appends the speed rounded to a thousandth, or nothing if it is unknown.
  private mutating func append(speed metresPerSecond: Double?, in units: UnitSystem) {
    guard let metresPerSecond else { return }
    append(rounded: units.speed(metresPerSecond), places: 3)
  }
}
