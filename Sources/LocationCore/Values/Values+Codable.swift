// The keys are those of gpsd_json(5) and of the command's JSON output, so that its fixes can be
// decoded. Unknown values are omitted.

extension Timestamp: Codable {
  /// Decodes a string in ISO 8601, as ``init(iso8601:)`` parses it.
  ///
  /// - Throws: `DecodingError` if the string has another form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let time = Timestamp(iso8601: text) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "'\(text)' is not a time such as 2026-11-20T07:05:12.000Z")
    }
    self = time
  }

  /// Encodes the ``description``.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

extension Coordinate: Codable {
  private enum CodingKeys: CodingKey { case lat, lon }

  /// Decodes `lat` and `lon`.
  ///
  /// - Throws: `DecodingError` if one of them is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let latitude = try container.decode(Double.self, forKey: .lat)
    let longitude = try container.decode(Double.self, forKey: .lon)
    guard let place = Coordinate(latitude: latitude, longitude: longitude) else {
      throw DecodingError.dataCorruptedError(
        forKey: .lat, in: container, debugDescription: "\(latitude), \(longitude) is not a place")
    }
    self = place
  }

  /// Encodes `lat` and `lon`.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .lat)
    try container.encode(longitude, forKey: .lon)
  }
}

extension NameKey {
  fileprivate static let device = NameKey("device")
  fileprivate static let time = NameKey("time")
  fileprivate static let received = NameKey("received")
  fileprivate static let isCurrent = NameKey("current")
  fileprivate static let timeJump = NameKey("timeJump")
  fileprivate static let dateCorrection = NameKey("dateCorrection")
  fileprivate static let doubt = NameKey("doubt")
  fileprivate static let mode = NameKey("mode")
  fileprivate static let accuracy = NameKey("accuracy")
  fileprivate static let age = NameKey("age")
  fileprivate static let fix = NameKey("fix")
}

extension LocationFix: Codable {
  /// Decodes a fix that ``encode(to:)`` or the command encoded. An `accuracy` becomes ``eph``, unless it only follows
  /// from ``epx`` and ``epy``. Impossible numbers count as missing.
  ///
  /// - Throws: `DecodingError` if the position or the mode is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: NameKey.self)
    self.init(
      coordinate: try Coordinate(from: decoder),
      mode: try container.decode(FixMode.self, forKey: .mode),
      device: try container.decodeIfPresent(String.self, forKey: .device),
      time: try container.decodeIfPresent(Timestamp.self, forKey: .time))
    received = try container.decodeIfPresent(Timestamp.self, forKey: .received)
    isCurrent = try container.decodeIfPresent(Bool.self, forKey: .isCurrent) ?? true
    timeJump = try container.decodeIfPresent(Double.self, forKey: .timeJump)
      .map { Nanoseconds(nearestTo: $0 * 1e9).duration }
    dateCorrection = try container.decodeIfPresent(Int.self, forKey: .dateCorrection)
    doubts = try container.decodeIfPresent([Doubt].self, forKey: .doubt) ?? []
    for row in Quantity.allCases.map(\.row) {
      if case .words(let words) = row.kind {
        let word = try container.decodeIfPresent(String.self, forKey: NameKey(row.name))
        self[row.quantity] = word.flatMap(words.firstIndex).map(Double.init)
      } else {
        self[row.quantity] = try container.decodeIfPresent(
          Double.self, forKey: NameKey(row.wireName))
      }
    }
    guard eph == nil, let written = try container.decodeIfPresent(Double.self, forKey: .accuracy)
    else { return }
    // The command rounds an accuracy that it computed to the millimetre.
    if let accuracy, abs(accuracy - written) <= 0.000_501 { return }
    eph = written
  }

  /// Encodes all known values, including those that are computed from others, as the command does. A ``timeJump`` is
  /// encoded in seconds.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try coordinate.encode(to: encoder)
    var container = encoder.container(keyedBy: NameKey.self)
    try container.encode(mode, forKey: .mode)
    try container.encode(mode == .fix3D ? "3d" : "2d", forKey: .fix)
    try container.encodeIfPresent(device, forKey: .device)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encodeIfPresent(received, forKey: .received)
    try container.encodeIfPresent(age, forKey: .age)
    try container.encodeIfPresent(accuracy, forKey: .accuracy)
    if !isCurrent { try container.encode(false, forKey: .isCurrent) }
    try container.encodeIfPresent(timeJump?.inSeconds, forKey: .timeJump)
    try container.encodeIfPresent(dateCorrection, forKey: .dateCorrection)
    if !doubts.isEmpty { try container.encode(doubts, forKey: .doubt) }
    for row in Quantity.allCases.map(\.row) {
      guard let number = self[row.quantity] else { continue }
      if case .words = row.kind {
        try container.encodeIfPresent(row.kind.word(for: number), forKey: NameKey(row.name))
      } else {
        try container.encode(number, forKey: NameKey(row.wireName))
      }
    }
  }
}

extension SkyView: Codable {
  /// Decodes a sky view that ``encode(to:)`` or gpsd encoded. Missing numbers are computed from the list of
  /// satellites. Without a list, the numbers of signals are used as numbers of satellites. Impossible numbers count
  /// as missing.
  ///
  /// - Throws: `DecodingError` if a value has another type or form, or if a satellite has no `PRN` or `used`.
  public init(from decoder: any Decoder) throws {
    var values = try SkyValues(from: decoder)
    values.removeImpossible()
    let count = values.satellites.map(SatelliteCount.init)
    values.signalsSeen = values.signalsSeen ?? count?.signalsSeen
    values.signalsUsed = values.signalsUsed ?? count?.signalsUsed
    values.seen = values.seen ?? count?.seen ?? values.signalsSeen
    values.used = values.used ?? count?.used ?? values.signalsUsed
    values.strongest = values.strongest ?? count?.strongest
    self.init(values)
  }

  /// Encodes all known values.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws { try values.encode(to: encoder) }
}

extension Receiver: Codable {
  private enum CodingKeys: String, CodingKey {
    case path, driver, subtype
    case bitsPerSecond = "bps"
    case cycle
    case isActive = "active"
  }

  /// Decodes a receiver that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the path is missing, or a value has another type.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      path: try container.decode(String.self, forKey: .path),
      driver: try container.decodeIfPresent(String.self, forKey: .driver),
      subtype: try container.decodeIfPresent(String.self, forKey: .subtype),
      bitsPerSecond: try container.decodeIfPresent(Int.self, forKey: .bitsPerSecond),
      cycle: try container.decodeIfPresent(Double.self, forKey: .cycle)
        .map { Nanoseconds(nearestTo: $0 * 1e9).duration },
      isActive: try container.decodeIfPresent(Bool.self, forKey: .isActive) ?? true)
  }

  /// Encodes all known values, the ``cycle`` in seconds.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(path, forKey: .path)
    try container.encodeIfPresent(driver, forKey: .driver)
    try container.encodeIfPresent(subtype, forKey: .subtype)
    try container.encodeIfPresent(bitsPerSecond, forKey: .bitsPerSecond)
    try container.encodeIfPresent(cycle?.inSeconds, forKey: .cycle)
    try container.encode(isActive, forKey: .isActive)
  }
}
