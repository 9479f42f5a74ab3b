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
