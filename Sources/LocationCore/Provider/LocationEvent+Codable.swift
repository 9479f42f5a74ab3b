extension LocationEvent: Codable {
  private enum CodingKeys: CodingKey {
    case service, receivers, receiver, removed, refused, fix, noFix, sky, other, notice, selected
    case corrections, disconnected
  }

  /// The path of a receiver that is refused, and why.
  private struct Refusal: Codable {
    var path: String
    var reason: String
  }

  private struct Failure: Codable {
    private enum CodingKeys: CodingKey { case error, retryIn }

    var error: LocationError
    var retryIn: Duration?

    init(_ error: LocationError, retryIn: Duration?) {
      self.error = error
      self.retryIn = retryIn
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      error = try container.decode(LocationError.self, forKey: .error)
      retryIn = try container.decodeIfPresent(secondsForKey: .retryIn)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(error, forKey: .error)
      try container.encodeIfPresent(seconds: retryIn, forKey: .retryIn)
    }
  }

  private struct Selection: Codable {
    var name: String
    var previous: String?
  }

  /// Decodes an object with one key, such as `fix`. A key that this version does not know becomes ``other(_:)``, with
  /// the key as its kind and the value as its text.
  ///
  /// - Throws: `DecodingError` if it has no key, or several.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    guard let key = container.allKeys.first else {
      self = .other(try AnyJSON.onlyMember(of: decoder))
      return
    }
    guard container.allKeys.count == 1 else {
      throw DecodingError.noSingleKey(at: decoder.codingPath)
    }
    switch key {
    case .service: self = .service(try container.decode(LocationService.self, forKey: key))
    case .receivers: self = .receivers(try container.decode([Receiver].self, forKey: key))
    case .receiver: self = .receiver(try container.decode(Receiver.self, forKey: key))
    case .removed: self = .removed(path: try container.decode(String.self, forKey: key))
    case .refused:
      let refusal = try container.decode(Refusal.self, forKey: key)
      self = .refused(path: refusal.path, reason: refusal.reason)
    case .fix: self = .fix(try container.decode(LocationFix.self, forKey: key))
    case .noFix: self = .noFix(try container.decode(NoFix.self, forKey: key))
    case .sky: self = .sky(try container.decode(SkyView.self, forKey: key))
    case .other: self = .other(try container.decode(ServiceReport.self, forKey: key))
    case .notice: self = .notice(try container.decode(String.self, forKey: key))
    case .corrections: self = .corrections(try container.decode(Corrections.self, forKey: key))
    case .disconnected:
      let failure = try container.decode(Failure.self, forKey: key)
      self = .disconnected(failure.error, retryIn: failure.retryIn)
    case .selected:
      let selection = try container.decode(Selection.self, forKey: key)
      self = .selected(selection.name, previous: selection.previous)
    }
  }

  /// Encodes an object with one key, such as `fix`.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .service(let service): try container.encode(service, forKey: .service)
    case .receivers(let receivers): try container.encode(receivers, forKey: .receivers)
    case .receiver(let receiver): try container.encode(receiver, forKey: .receiver)
    case .removed(let path): try container.encode(path, forKey: .removed)
    case .refused(let path, let reason):
      try container.encode(Refusal(path: path, reason: reason), forKey: .refused)
    case .fix(let fix): try container.encode(fix, forKey: .fix)
    case .noFix(let noFix): try container.encode(noFix, forKey: .noFix)
    case .sky(let sky): try container.encode(sky, forKey: .sky)
    case .other(let report): try container.encode(report, forKey: .other)
    case .notice(let text): try container.encode(text, forKey: .notice)
    case .corrections(let corrections): try container.encode(corrections, forKey: .corrections)
    case .disconnected(let error, let retryIn):
      try container.encode(Failure(error, retryIn: retryIn), forKey: .disconnected)
    case .selected(let name, let previous):
      try container.encode(Selection(name: name, previous: previous), forKey: .selected)
    }
  }
}

extension NoFix: Codable {
  private enum CodingKeys: String, CodingKey {
    case device, time
    case isCertain = "certain"
    case antenna
    case isAntennaPowered = "antennaPower"
    case jam
  }

  /// Decodes a report that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if a value has another type or form.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      device: try container.decodeIfPresent(String.self, forKey: .device),
      time: try container.decodeIfPresent(Timestamp.self, forKey: .time),
      isCertain: try container.decodeIfPresent(Bool.self, forKey: .isCertain) ?? true,
      antenna: try container.decodeIfPresent(AntennaStatus.self, forKey: .antenna),
      isAntennaPowered: try container.decodeIfPresent(Bool.self, forKey: .isAntennaPowered),
      jam: try container.decodeIfPresent(Int.self, forKey: .jam))
  }

  /// Encodes all known values.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encodeIfPresent(device, forKey: .device)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encode(isCertain, forKey: .isCertain)
    try container.encodeIfPresent(antenna, forKey: .antenna)
    try container.encodeIfPresent(isAntennaPowered, forKey: .isAntennaPowered)
    try container.encodeIfPresent(jam, forKey: .jam)
  }
}

extension ServiceReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case kind = "class"
    case device, received
    case clockOffset = "offset"
    case sharedMemory, text, report
  }

  /// Decodes a report that ``encode(to:)`` or the command encoded. The command writes the report as an object; its
  /// members are then sorted by their keys.
  ///
  /// - Throws: `DecodingError` if the `class` is missing, or if both `text` and `report` are.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let text = try container.decodeIfPresent(String.self, forKey: .text)
    self.init(
      try container.decode(Kind.self, forKey: .kind),
      device: try container.decodeIfPresent(String.self, forKey: .device),
      received: try container.decodeIfPresent(Timestamp.self, forKey: .received),
      clockOffset: try container.decodeIfPresent(secondsForKey: .clockOffset),
      text: try text ?? container.decode(AnyJSON.self, forKey: .report).text)
    sharedMemory = try container.decodeIfPresent(String.self, forKey: .sharedMemory)
  }

  /// Encodes all known values, ``clockOffset`` in seconds.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(kind, forKey: .kind)
    try container.encodeIfPresent(device, forKey: .device)
    try container.encodeIfPresent(received, forKey: .received)
    try container.encodeIfPresent(seconds: clockOffset, forKey: .clockOffset)
    try container.encodeIfPresent(sharedMemory, forKey: .sharedMemory)
    try container.encode(text, forKey: .text)
  }
}
