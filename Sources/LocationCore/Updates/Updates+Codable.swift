// A case is an object with one key, the name of the case. Durations are in seconds, moments in whole
// nanoseconds. Unknown values are omitted.

extension KeyedEncodingContainer {
  mutating func encodeIfPresent(seconds duration: Duration?, forKey key: Key) throws {
    try encodeIfPresent(duration?.inSeconds, forKey: key)
  }
}

extension KeyedDecodingContainer {
  func decodeIfPresent(secondsForKey key: Key) throws -> Duration? {
    try decodeIfPresent(Double.self, forKey: key).map { Nanoseconds(nearestTo: $0 * 1e9).duration }
  }

  /// The only key.
  ///
  /// - Throws: `DecodingError` if there are none or several.
  func caseKey() throws -> Key {
    guard let key = allKeys.first, allKeys.count == 1 else {
      throw DecodingError.dataCorrupted(
        .init(codingPath: codingPath, debugDescription: "not one case but \(allKeys.count)"))
    }
    return key
  }
}

extension Moment: Codable {
  private enum CodingKeys: String, CodingKey {
    case uptimeNanoseconds = "uptime"
    case wall
  }

  /// Decodes `uptime`, in nanoseconds, and `wall`.
  ///
  /// An uptime belongs to the run of one machine: moments of another machine, or from before a restart, compare by
  /// ``wall`` only.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      uptimeNanoseconds: try container.decode(Int64.self, forKey: .uptimeNanoseconds),
      wall: try container.decodeIfPresent(Timestamp.self, forKey: .wall))
  }

  /// Encodes `uptime`, in nanoseconds, and `wall`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(uptimeNanoseconds, forKey: .uptimeNanoseconds)
    try container.encodeIfPresent(wall, forKey: .wall)
  }
}

extension StateChange.Subject: Codable {
  private enum CodingKeys: CodingKey { case link, receiver }

  /// Decodes the string `link`, or an object with a `receiver`, which is `null` for an unnamed one.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: CodingKeys.self) {
      self = .receiver(try container.decodeIfPresent(String.self, forKey: .receiver))
      return
    }
    let container = try decoder.singleValueContainer()
    guard try container.decode(String.self) == "link" else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "neither the link nor a receiver")
    }
    self = .link
  }

  /// Encodes the string `link`, or an object with a `receiver`, which is `null` for an unnamed one.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .link:
      var container = encoder.singleValueContainer()
      try container.encode("link")
    case .receiver(let path):
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(path, forKey: .receiver)
    }
  }
}

extension StateChange: Codable {
  private enum CodingKeys: CodingKey {
    case state, previous, subject, loss, reason, error, lastFix, retryIn, time, moment
  }

  /// Decodes a change that ``encode(to:)`` encoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(LocationState.self, forKey: .state),
      of: try container.decode(Subject.self, forKey: .subject),
      previous: try container.decodeIfPresent(LocationState.self, forKey: .previous),
      loss: try container.decodeIfPresent(LossReason.self, forKey: .loss),
      reason: try container.decodeIfPresent(String.self, forKey: .reason),
      error: try container.decodeIfPresent(LocationError.self, forKey: .error),
      lastFix: try container.decodeIfPresent(LocationFix.self, forKey: .lastFix),
      retryIn: try container.decodeIfPresent(secondsForKey: .retryIn),
      time: try container.decodeIfPresent(Timestamp.self, forKey: .time),
      at: try container.decode(Moment.self, forKey: .moment))
  }

  /// Encodes all known values, ``retryIn`` in seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(state, forKey: .state)
    try container.encode(subject, forKey: .subject)
    try container.encodeIfPresent(previous, forKey: .previous)
    try container.encodeIfPresent(loss, forKey: .loss)
    try container.encodeIfPresent(reason, forKey: .reason)
    try container.encodeIfPresent(error, forKey: .error)
    try container.encodeIfPresent(lastFix, forKey: .lastFix)
    try container.encodeIfPresent(seconds: retryIn, forKey: .retryIn)
    try container.encodeIfPresent(time, forKey: .time)
    try container.encode(moment, forKey: .moment)
  }
}

extension FailedRetry: Codable {
  private enum CodingKeys: CodingKey { case error, retryIn, moment }

  /// Decodes an attempt that ``encode(to:)`` encoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      try container.decode(LocationError.self, forKey: .error),
      retryIn: try container.decodeIfPresent(secondsForKey: .retryIn),
      at: try container.decode(Moment.self, forKey: .moment))
  }

  /// Encodes all known values, ``retryIn`` in seconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(error, forKey: .error)
    try container.encodeIfPresent(seconds: retryIn, forKey: .retryIn)
    try container.encode(moment, forKey: .moment)
  }
}

extension LocationUpdate: Codable {
  private enum CodingKeys: CodingKey { case state, change, fix, retry, report }

  /// Decodes an object with one key, such as `fix`.
  ///
  /// - Throws: `DecodingError` if it has another key, or several.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let key = try container.caseKey()
    self =
      switch key {
      case .state: .state(try container.decode(StateChange.self, forKey: key))
      case .change: .change(try container.decode(ReceiverChange.self, forKey: key))
      case .fix: .fix(try container.decode(LocationFix.self, forKey: key))
      case .retry: .retry(try container.decode(FailedRetry.self, forKey: key))
      case .report: .report(try container.decode(LocationEvent.self, forKey: key))
      }
  }

  /// Encodes an object with one key, such as `fix`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    switch self {
    case .state(let change): try container.encode(change, forKey: .state)
    case .change(let change): try container.encode(change, forKey: .change)
    case .fix(let fix): try container.encode(fix, forKey: .fix)
    case .retry(let retry): try container.encode(retry, forKey: .retry)
    case .report(let event): try container.encode(event, forKey: .report)
    }
  }
}
