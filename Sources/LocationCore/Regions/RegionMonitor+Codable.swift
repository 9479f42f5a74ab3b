extension RegionMonitor: Codable {
  private enum CodingKeys: CodingKey { case regions, maximumAccuracy, grace, dwell, staleAfter }

  /// A region, the presence in it, and its dwell if it differs from the monitor's.
  private struct Kept: Codable {
    private enum CodingKeys: CodingKey { case region, presence, dwell }

    var region: Region
    var presence: RegionPresence
    var dwell: Duration?

    init(_ watched: Watched, of monitor: RegionMonitor) {
      region = watched.region
      presence = watched.presence
      dwell = watched.dwell == monitor.dwell ? nil : watched.dwell
    }

    init(from decoder: any Decoder) throws {
      let container = try decoder.container(keyedBy: CodingKeys.self)
      region = try container.decode(Region.self, forKey: .region)
      presence = try container.decodeIfPresent(RegionPresence.self, forKey: .presence) ?? .unknown
      dwell = try container.decodeIfPresent(secondsForKey: .dwell)
    }

    func encode(to encoder: any Encoder) throws {
      var container = encoder.container(keyedBy: CodingKeys.self)
      try container.encode(region, forKey: .region)
      if presence != .unknown { try container.encode(presence, forKey: .presence) }
      try container.encodeIfPresent(seconds: dwell, forKey: .dwell)
    }
  }

  /// Decodes a monitor that ``encode(to:)`` encoded. A missing value has the initializer's default.
  ///
  /// The presences are assumed, as with ``add(_:assuming:dwell:)``: ``presence(in:)`` returns unknown until a fix
  /// counts, and only changes are reported.
  ///
  /// - Throws: `DecodingError`, for example if the maximum accuracy is negative or not a number.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let accuracy = try container.decodeIfPresent(Double.self, forKey: .maximumAccuracy) ?? 100
    guard accuracy >= 0 else {
      throw DecodingError.dataCorruptedError(
        forKey: .maximumAccuracy, in: container,
        debugDescription: "\(accuracy) m is not an accuracy")
    }
    self.init(
      [], maximumAccuracy: accuracy,
      grace: try container.decodeIfPresent(secondsForKey: .grace) ?? .seconds(30),
      dwell: try container.decodeIfPresent(secondsForKey: .dwell) ?? .seconds(5),
      staleAfter: try container.decodeIfPresent(secondsForKey: .staleAfter))
    for kept in try container.decode([Kept].self, forKey: .regions) {
      add(kept.region, assuming: kept.presence, dwell: kept.dwell)
    }
  }

  /// Encodes the regions with their presences, and how the monitor decides, with durations in seconds.
  ///
  /// - Throws: `EncodingError`, or another error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(watched.map { Kept($0, of: self) }, forKey: .regions)
    try container.encode(maximumAccuracy, forKey: .maximumAccuracy)
    try container.encodeIfPresent(seconds: grace, forKey: .grace)
    try container.encodeIfPresent(seconds: dwell, forKey: .dwell)
    try container.encodeIfPresent(seconds: staleAfter, forKey: .staleAfter)
  }
}

extension KeyedEncodingContainer {
  fileprivate mutating func encodeIfPresent(seconds: Duration?, forKey key: Key) throws {
    try encodeIfPresent(seconds?.inSeconds, forKey: key)
  }
}

extension KeyedDecodingContainer {
  fileprivate func decodeIfPresent(secondsForKey key: Key) throws -> Duration? {
    try decodeIfPresent(Double.self, forKey: key).map { Nanoseconds(nearestTo: $0 * 1e9).duration }
  }
}
