extension Region: Codable {
  private enum CodingKeys: CodingKey { case id, center, radius, vertices }

  /// Decodes `id`, and `center` and `radius` of a circle or `vertices` of a polygon.
  ///
  /// - Throws: `DecodingError` if ``polygon(_:_:)`` returns `nil` for the vertices, or if the radius is negative.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let id = try container.decode(String.self, forKey: .id)
    guard let vertices = try container.decodeIfPresent([Coordinate].self, forKey: .vertices) else {
      let radius = try container.decode(Double.self, forKey: .radius)
      guard radius >= 0, radius.isFinite else {
        throw DecodingError.dataCorruptedError(
          forKey: .radius, in: container, debugDescription: "\(radius) m is not a radius")
      }
      self = .circle(
        id, around: try container.decode(Coordinate.self, forKey: .center), radius: radius)
      return
    }
    guard let polygon = Region.polygon(id, vertices) else {
      throw DecodingError.dataCorruptedError(
        forKey: .vertices, in: container,
        debugDescription: "\(vertices.count) corners are not a polygon")
    }
    self = polygon
  }

  /// Encodes `id`, and `center` and `radius` of a circle or `vertices` of a polygon.
  ///
  /// - Throws: `EncodingError`, or another error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(id, forKey: .id)
    if let vertices {
      try container.encode(vertices, forKey: .vertices)
    } else {
      try container.encode(center, forKey: .center)
      try container.encode(radius, forKey: .radius)
    }
  }
}
