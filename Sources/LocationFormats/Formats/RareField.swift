import LocationCore

/// A field of a fix that only some receivers report, with its quantity.
struct RareField: Sendable {
  enum Kind {
    case number
    case integer
    /// The words that stand for the numbers from zero on.
    case words([String])
  }

  let field: FixField
  let quantity: LocationFix.Quantity
  let kind: Kind
  /// The description with its unit, for the manual page.
  let meaning: String
  /// `,"name":`, and the quotation mark of a word.
  let key: [ShortText]

  private init(
    _ field: FixField, _ quantity: LocationFix.Quantity, _ kind: Kind, _ meaning: String
  ) {
    self.field = field
    self.quantity = quantity
    self.kind = kind
    self.meaning = meaning
    var key = TextBuffer()
    key.append(text: ",\"\(field.rawValue)\":")
    if case .words = kind { key.append(character: "\"") }
    self.key = ShortText.pieces(of: key)
  }

  /// All of them, in the order of the quantities.
  static let all = [
    RareField(
      .dgpsSta, .dgpsSta, .integer, "number of the station that sends the differential correction"),
    RareField(.dgpsRatio, .dgpsRatio, .number, "ratio of the ambiguity resolution of RTK, no unit"),
    RareField(.baseS, .baseS, .integer, "gpsd's status of the baseline"),
    RareField(.baseE, .baseE, .number, "east component of the baseline, in metres"),
    RareField(.baseN, .baseN, .number, "north component of the baseline, in metres"),
    RareField(.baseU, .baseU, .number, "up component of the baseline, in metres"),
    RareField(.baseL, .baseL, .number, "length of the baseline, in metres"),
    RareField(.baseC, .baseC, .number, "course of the baseline, in degrees"),
    RareField(.relN, .relN, .number, "position north of the base, in metres"),
    RareField(.relE, .relE, .number, "position east of the base, in metres"),
    RareField(.relD, .relD, .number, "position below the base, in metres"),
    RareField(.relH, .relH, .number, "heading from the base, in degrees"),
    RareField(.relL, .relL, .number, "distance from the base, in metres"),
    RareField(
      .errEllMaj, .errEllMaj, .number,
      "semi-major axis of the error ellipse, in metres, confidence not stated"),
    RareField(.errEllMin, .errEllMin, .number, "semi-minor axis of the error ellipse, in metres"),
    RareField(
      .errEllOr, .errEllOr, .number, "orientation of the major axis, in degrees from true north"),
    RareField(.clockbias, .clockbias, .number, "bias of the receiver's clock, in nanoseconds"),
    RareField(
      .clockdrift, .clockdrift, .number, "drift of the receiver's clock, in nanoseconds per second"),
    RareField(.leapseconds, .leapseconds, .integer, "GPS time minus UTC, in seconds"),
    RareField(.depth, .depth, .number, "depth of the water, in metres"),
    RareField(.temp, .temp, .number, "temperature of the receiver, in degrees Celsius"),
    RareField(.wtemp, .wtemp, .number, "temperature of the water, in degrees Celsius"),
    RareField(.wanglem, .wanglem, .number, "direction of the wind, in degrees from magnetic north"),
    RareField(.wangler, .wangler, .number, "direction of the wind, in degrees from the bow"),
    RareField(.wanglet, .wanglet, .number, "direction of the wind, in degrees from true north"),
    RareField(
      .wspeedr, .wspeedr, .number, "speed of the wind relative to the ship, in metres per second"),
    RareField(.wspeedt, .wspeedt, .number, "true speed of the wind, in metres per second"),
    RareField(
      .antenna, .ant, .words(["", "ok", "open", "short"]), "state of the antenna: ok, open or short"
    ),
    RareField(
      .antennaPower, .antPwr, .words(["", "off", "on"]), "power of the antenna: on or off"),
    RareField(.jam, .jam, .integer, "how strongly the receiver is jammed, 1 to 255"),
  ]

  static let byField = Dictionary(uniqueKeysWithValues: all.map { ($0.field, $0) })

  /// Returns whether the value can be written: not the number of a word that does not exist.
  fileprivate func isWritable(_ value: Double) -> Bool {
    guard case .words(let words) = kind else { return true }
    return Int(exactly: value).map { (1..<words.count).contains($0) } ?? false
  }
}

extension TextBuffer {
  /// Appends the members of JSON for the rare fields that are known.
  mutating func append(jsonRareFieldsOf fix: LocationFix) {
    guard fix.known & LocationFix.Quantity.rareBits != 0 else { return }
    for rare in RareField.all {
      guard let value = fix[rare.quantity], rare.isWritable(value) else { continue }
      append(rare.key)
      append(rare, value)
      if case .words = rare.kind { append(character: "\"") }
    }
  }

  /// Appends a rare field as plain text, or nothing if it is unknown.
  mutating func append(_ rare: RareField, of fix: LocationFix) {
    if let value = fix[rare.quantity], rare.isWritable(value) { append(rare, value) }
  }

  private mutating func append(_ rare: RareField, _ value: Double) {
    switch (rare.kind, Int(exactly: value)) {
    case (.words(let words), let number?): append(text: words[number])
    case (.integer, let number?): append(integer: number)
    case (.number, _), (.integer, nil), (.words, nil): append(number: value)
    }
  }
}
