extension ReceiverChange.Kind: Codable {
  private enum CodingKeys: CodingKey {
    case quality, antenna, jamming, doubt, pulses, selected, region, corrections
  }

  /// A value, what it was before, and of what it is.
  private struct Step<Value: Codable>: Codable {
    var value: Value?
    var previous: Value?
    var id: Region.ID?
  }

  private struct DoubtStep: Codable {
    var value: [Doubt]
    var previous: [Doubt]
    var detail: String?
  }

  private struct CorrectionsStep: Codable {
    var value: Corrections
    var previous: Corrections.State?
  }

  /// Decodes an object with one key, such as `quality`, and in it `value` and `previous`, which are
  /// omitted if they are unknown, and the `id` of a region.
  ///
  /// - Throws: `DecodingError` if it has another key or several, or if a value is missing.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let key = try container.caseKey()
    func step<Value: Codable>(_ type: Value.Type = Value.self) throws -> Step<Value> {
      try container.decode(Step<Value>.self, forKey: key)
    }
    func known<Value>(_ value: Value?) throws -> Value {
      guard let value else {
        throw DecodingError.dataCorruptedError(
          forKey: key, in: container, debugDescription: "a value is missing")
      }
      return value
    }
    switch key {
    case .quality:
      let step = try step(FixQuality.self)
      self = .quality(step.value, previous: step.previous)
    case .antenna:
      let step = try step(AntennaStatus.self)
      self = .antenna(try known(step.value), previous: step.previous)
    case .jamming:
      self = .jamming(try known(try step(Bool.self).value))
    case .doubt:
      let step = try container.decode(DoubtStep.self, forKey: key)
      self = .doubt(step.value, previous: step.previous, detail: step.detail)
    case .pulses:
      let step = try step(PulseStatus.self)
      self = .pulses(try known(step.value), previous: step.previous)
    case .selected:
      let step = try step(String.self)
      self = .selected(try known(step.value), previous: step.previous)
    case .corrections:
      let step = try container.decode(CorrectionsStep.self, forKey: key)
      self = .corrections(step.value, previous: step.previous)
    case .region:
      let step = try step(RegionPresence.self)
      self = .region(
        try known(step.id), try known(step.value), previous: try known(step.previous))
    }
  }

  /// Encodes an object with one key, such as `quality`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .quality(let value, let previous):
      try container.encode(Step(value: value, previous: previous), forKey: .quality)
    case .antenna(let value, let previous):
      try container.encode(Step(value: value, previous: previous), forKey: .antenna)
    case .jamming(let value):
      try container.encode(Step(value: value), forKey: .jamming)
    case .doubt(let value, let previous, let detail):
      try container.encode(
        DoubtStep(value: value, previous: previous, detail: detail), forKey: .doubt)
    case .pulses(let value, let previous):
      try container.encode(Step(value: value, previous: previous), forKey: .pulses)
    case .selected(let value, let previous):
      try container.encode(Step(value: value, previous: previous), forKey: .selected)
    case .corrections(let value, let previous):
      try container.encode(CorrectionsStep(value: value, previous: previous), forKey: .corrections)
    case .region(let id, let value, let previous):
      try container.encode(Step(value: value, previous: previous, id: id), forKey: .region)
    }
  }
}
