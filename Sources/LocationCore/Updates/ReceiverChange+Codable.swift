extension ReceiverChange: Codable {
  /// Decodes a record of the command, or a change that ``encode(to:)`` encoded, by its `type`.
  ///
  /// - Throws: `DecodingError` if the type is not known, or if a value is missing or not known.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordKey.self)
    let kind = try Kind(from: container)
    let isOfCorrections = if case .corrections = kind { true } else { false }
    self.init(
      kind, of: try container.decodeIfPresent(String.self, forKey: .device),
      // The state in a record of corrections is theirs.
      state: isOfCorrections
        ? nil : try container.decodeIfPresent(LocationState.self, forKey: .state),
      coordinate: container.contains(.lat) ? try Coordinate(from: decoder) : nil,
      time: try container.decodeIfPresent(Timestamp.self, forKey: .time),
      at: try container.moment())
  }

  /// Encodes all known values as a record of the command.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    try coordinate?.encode(to: encoder)
    var container = encoder.container(keyedBy: RecordKey.self)
    try container.encode(kind.name, forKey: .type)
    try container.encodeIfPresent(state, forKey: .state)
    try kind.encode(into: &container)
    try container.encodeIfPresent(device, forKey: .device)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encode(moment)
  }
}

extension ReceiverChange.Kind {
  fileprivate init(from container: KeyedDecodingContainer<RecordKey>) throws {
    func value<Value: Decodable>(
      _ key: RecordKey, as type: Value.Type = Value.self
    ) throws -> Value {
      try container.decode(Value.self, forKey: key)
    }
    func known<Value: Decodable>(
      _ key: RecordKey, as type: Value.Type = Value.self
    ) throws -> Value? {
      try container.decodeIfPresent(Value.self, forKey: key)
    }
    func doubts(_ key: RecordKey) throws -> [Doubt] {
      try value(key, as: [String].self).map(Doubt.init(name:))
    }
    func antenna(_ name: String) throws -> AntennaStatus {
      guard let status = AntennaStatus(name: name) else {
        throw DecodingError.unknownName(name, at: container.codingPath)
      }
      return status
    }
    let type = try value(.type, as: String.self)
    switch type {
    case "quality": self = .quality(try known(.quality), previous: try known(.previous))
    case "antenna":
      self = .antenna(
        try antenna(try value(.antenna)),
        previous: try known(.previous, as: String.self).map(antenna))
    case "jamming": self = .jamming(try value(.jamming, as: String.self) == "on")
    case "doubt":
      self = .doubt(try doubts(.doubt), previous: try doubts(.was), detail: try known(.detail))
    case "pps": self = .pulses(try value(.pps), previous: try known(.previous))
    case "selected": self = .selected(try value(.selected), previous: try known(.previous))
    case "corrections":
      self = .corrections(
        Corrections(
          try value(.state), of: try value(.caster), reason: try known(.reason),
          base: try known(.base)),
        previous: try known(.previous))
    case "region":
      self = .region(try value(.region), try value(.presence), previous: try value(.previous))
    default: throw DecodingError.unknownName(type, at: container.codingPath)
    }
  }

  fileprivate func encode(into container: inout KeyedEncodingContainer<RecordKey>) throws {
    switch self {
    case .quality(let quality, _): try container.encodeIfPresent(quality, forKey: .quality)
    case .antenna(let antenna, _): try container.encode(antenna.name, forKey: .antenna)
    case .jamming: try container.encodeIfPresent(value, forKey: .jamming)
    case .doubt(let doubts, let previous, let detail):
      try container.encode(doubts, forKey: .doubt)
      try container.encode(previous, forKey: .was)
      return try container.encodeIfPresent(detail, forKey: .detail)
    case .pulses(let status, _): try container.encode(status, forKey: .pps)
    case .selected(let name, _): try container.encode(name, forKey: .selected)
    case .corrections(let corrections, _):
      try container.encode(corrections.state, forKey: .state)
      try container.encodeIfPresent(corrections.reason, forKey: .reason)
      try container.encode(corrections.source, forKey: .caster)
      try container.encodeIfPresent(corrections.base, forKey: .base)
    case .region(let id, let presence, _):
      try container.encode(id, forKey: .region)
      try container.encode(presence, forKey: .presence)
    }
    try container.encodeIfPresent(previous, forKey: .previous)
  }
}
