// An encoded update is a record of the command's NDJSON, with the same keys and values, so that a line of it can be
// decoded. It also has what the command leaves out: `uptime`, in nanoseconds, `loss`, `error`, the rest of a last
// fix, and the `subject` of a state without a device. Durations are in seconds. Unknown values are omitted.

/// A key of a record.
enum RecordKey: String, CodingKey {
  case type, device, time, received, uptime
  case state, previous, subject, loss, reason, error, lastFix, retryIn
  case quality, antenna, jamming, doubt, was, detail, pps, selected, region, presence, lat, lon
  case caster, base
  case event
}

extension KeyedEncodingContainer {
  mutating func encodeIfPresent(seconds duration: Duration?, forKey key: Key) throws {
    try encodeIfPresent(duration?.inSeconds, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decodeIfPresent(secondsForKey key: Key) throws -> Duration? {
    try decodeIfPresent(Double.self, forKey: key).map { Nanoseconds(nearestTo: $0 * 1e9).duration }
  }
}

extension KeyedEncodingContainer<RecordKey> {
  mutating func encode(_ moment: Moment) throws {
    try encodeIfPresent(moment.wall, forKey: .received)
    try encode(moment.uptimeNanoseconds, forKey: .uptime)
  }
}

extension KeyedDecodingContainer<RecordKey> {
  /// The moment of a record. The command writes no uptime. Its records use the time since 1970 instead, so that their
  /// moments are in order.
  func moment() throws -> Moment {
    let wall = try decodeIfPresent(Timestamp.self, forKey: .received)
    let uptime = try decodeIfPresent(Int64.self, forKey: .uptime)
    return Moment(
      uptimeNanoseconds: uptime ?? wall?.nanosecondsSince1970 ?? 0, wall: wall)
  }
}

extension StateChange: Codable {
  /// The last fix of a record. The command writes its time and its position.
  private struct LastFix: Decodable {
    private enum CodingKeys: CodingKey { case mode, time }

    let fix: LocationFix
    let isWhole: Bool

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      isWhole = container.contains(.mode)
      fix =
        try isWhole
        ? LocationFix(from: decoder)
        : LocationFix(
          coordinate: Coordinate(from: decoder), mode: .fix2D,
          time: container.decodeIfPresent(Timestamp.self, forKey: .time))
    }
  }

  /// Decodes a change that ``encode(to:)`` or the command encoded. The command does not distinguish the link from a
  /// receiver without a name. A state without a device is therefore decoded as a state of the link, unless only a
  /// receiver can have it.
  ///
  /// - Throws: `DecodingError` if the state is missing or not known, or if another value is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordKey.self)
    let state = try container.decode(LocationState.self, forKey: .state)
    let previous = try container.decodeIfPresent(LocationState.self, forKey: .previous)
    let device = try container.decodeIfPresent(String.self, forKey: .device)
    let subject = try container.decodeIfPresent(String.self, forKey: .subject)
    let isOfReceiver = device != nil || subject.map { $0 == "receiver" } ?? state.isOfReceiver
    let reason = try container.decodeIfPresent(String.self, forKey: .reason)
    let loss = try container.decodeIfPresent(LossReason.self, forKey: .loss)
    var lastFix: LocationFix?
    if let last = try container.decodeIfPresent(LastFix.self, forKey: .lastFix) {
      lastFix = last.fix
      if !last.isWhole {
        lastFix?.device = device
        lastFix?.mode = previous == .fix3D ? .fix3D : .fix2D
      }
    }
    self.init(
      state, of: isOfReceiver ? .receiver(device) : .link, previous: previous,
      loss: loss ?? (state.isOfReceiver ? reason.flatMap(LossReason.init(known:)) : nil),
      reason: reason, error: try container.decodeIfPresent(LocationError.self, forKey: .error),
      lastFix: lastFix, retryIn: try container.decodeIfPresent(secondsForKey: .retryIn),
      time: try container.decodeIfPresent(Timestamp.self, forKey: .time),
      at: try container.moment())
  }

  /// Encodes all known values as a record of the command, ``retryIn`` in seconds.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordKey.self)
    try container.encode("state", forKey: .type)
    try container.encode(state, forKey: .state)
    try container.encodeIfPresent(previous, forKey: .previous)
    try container.encodeIfPresent(device, forKey: .device)
    if device == nil {
      try container.encode(subject == .link ? "link" : "receiver", forKey: .subject)
    }
    try container.encodeIfPresent(loss, forKey: .loss)
    try container.encodeIfPresent(reason, forKey: .reason)
    try container.encodeIfPresent(error, forKey: .error)
    try container.encodeIfPresent(lastFix, forKey: .lastFix)
    try container.encodeIfPresent(seconds: retryIn, forKey: .retryIn)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encode(moment)
  }
}

extension LocationState {
  /// Whether only a receiver can have the state, and not the link.
  fileprivate var isOfReceiver: Bool { self == .searching || self == .lost || hasFix }
}

extension LossReason {
  /// Creates a reason from its name; `nil` if this version does not know it.
  fileprivate init?(known name: String) {
    self.init(rawValue: name)
    guard [.noFix, .silence, .stuck].contains(self) else { return nil }
  }
}

extension FailedRetry: Codable {
  /// Decodes an attempt that ``encode(to:)`` encoded.
  ///
  /// - Throws: `DecodingError` if the error is missing, or another value is invalid.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordKey.self)
    self.init(
      try container.decode(LocationError.self, forKey: .error),
      retryIn: try container.decodeIfPresent(secondsForKey: .retryIn),
      at: try container.moment())
  }

  /// Encodes all known values, ``retryIn`` in seconds.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordKey.self)
    try container.encode("retry", forKey: .type)
    try container.encode(error, forKey: .error)
    try container.encodeIfPresent(seconds: retryIn, forKey: .retryIn)
    try container.encode(moment)
  }
}

extension LocationUpdate: Codable {
  /// Decodes a record of the command, or an update that ``encode(to:)`` encoded, by its `type`.
  ///
  /// A record with a type or a name that this version does not know becomes a report ``LocationEvent/other(_:)``,
  /// with the type as its kind and the record as its text. So does a record of the command that is not an update,
  /// such as `average`.
  ///
  /// - Throws: `DecodingError` if there is no type, or if a required value of the record is missing or out of range.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: RecordKey.self)
    let type = try container.decode(String.self, forKey: .type)
    do {
      self =
        switch type {
        case "fix": .fix(try LocationFix(from: decoder))
        case "state": .state(try StateChange(from: decoder))
        case "retry": .retry(try FailedRetry(from: decoder))
        case "report": .event(.other(try ServiceReport(from: decoder)))
        case "event": .event(try container.decode(LocationEvent.self, forKey: .event))
        default: .change(try ReceiverChange(from: decoder))
        }
    } catch let error as DecodingError where error.isOfUnknownName {
      let record = try AnyJSON(from: decoder).text
      self = .event(.other(ServiceReport(ServiceReport.Kind(rawValue: type), text: record)))
    }
  }

  /// Encodes the update as a record of the command.
  ///
  /// - Throws: What the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .state(let change): try change.encode(to: encoder)
    case .change(let change): try change.encode(to: encoder)
    case .retry(let retry): try retry.encode(to: encoder)
    case .fix(let fix):
      try fix.encode(to: encoder)
      try encode(type: "fix", to: encoder)
    case .event(.other(let report)):
      try report.encode(to: encoder)
      try encode(type: "report", to: encoder)
    case .event(let event):
      var container = encoder.container(keyedBy: RecordKey.self)
      try container.encode("event", forKey: .type)
      try container.encode(event, forKey: .event)
    }
  }

  private func encode(type: String, to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: RecordKey.self)
    try container.encode(type, forKey: .type)
  }
}
