// What programs keep in files: places, times and regions. The keys are those of the command's JSON.

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
  /// - Throws: `EncodingError`, or another error of the encoder.
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
  /// - Throws: `EncodingError`, or another error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(latitude, forKey: .lat)
    try container.encode(longitude, forKey: .lon)
  }
}
