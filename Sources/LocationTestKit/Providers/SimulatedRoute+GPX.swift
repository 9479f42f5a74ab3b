public import LocationCore

extension SimulatedRoute {
  /// Creates a route from the points of a GPX document, in their order.
  ///
  /// ```swift
  /// let route = SimulatedRoute(gpx: try String(contentsOfFile: "trip.gpx", encoding: .utf8), speed: 5)
  /// ```
  ///
  /// The points are those of the track (`trkpt`). A document without a track uses the points of its route (`rtept`),
  /// and without a route its waypoints (`wpt`). Times and heights are not used.
  ///
  /// - Parameters:
  ///   - gpx: The document.
  ///   - speed: The speed in metres per second; with 0, or a number that is negative or not finite, the receiver
  ///     stands at the first point.
  ///   - interval: The time between two fixes. If it is less than 1 ms, 1 ms is used.
  ///   - horizontalError: The estimated horizontal error of the fixes, in metres; `nil` for none.
  ///   - device: The path of the receiver; `nil` for an unnamed receiver.
  ///   - clock: The clock of the route.
  /// - Returns: `nil` if the document has no points.
  public init?(
    gpx: String, speed: Double, interval: Duration = .seconds(1), horizontalError: Double? = 5,
    device: String? = nil, clock: LocationClock = .live
  ) {
    let points = ["trkpt", "rtept", "wpt"].lazy.map { GPXPoints.all(named: $0, in: gpx) }
    guard let points = points.first(where: { !$0.isEmpty }) else { return nil }
    self.init(
      points, speed: speed, interval: interval, horizontalError: horizontalError, device: device,
      clock: clock)
  }
}

/// Finds the points of a GPX document. All they have is two attributes, so no XML parser is needed.
private enum GPXPoints {
  static func all(named name: String, in gpx: String) -> [Coordinate] {
    let texts = [(start: "!--", end: "-->"), (start: "![CDATA[", end: "]]>")]
    // What ends the current comment or CDATA section.
    var end: String?
    return gpx.utf8.split(separator: UInt8(ascii: "<")).compactMap { element in
      end = end ?? texts.first { element.starts(with: $0.start.utf8) }?.end
      if let mark = end {
        if element.indices.contains(where: { element[$0...].starts(with: mark.utf8) }) { end = nil }
        return nil
      }
      let tag = element.prefix { $0 != UInt8(ascii: ">") }
      // The name may have a prefix.
      let words = tag.prefix { !$0.isSpace }.split(separator: UInt8(ascii: ":"))
      guard words.count <= 2, words.last?.elementsEqual(name.utf8) == true,
        let latitude = number(of: "lat", in: tag), let longitude = number(of: "lon", in: tag)
      else { return nil }
      return Coordinate(latitude: latitude, longitude: longitude)
    }
  }

  /// Returns the number that an attribute has.
  private static func number(of attribute: String, in tag: Substring.UTF8View) -> Double? {
    var rest = tag[...]
    while let space = rest.firstIndex(where: \.isSpace) {
      rest = rest[space...].drop(while: \.isSpace)
      guard rest.starts(with: attribute.utf8) else { continue }
      let value = rest.dropFirst(attribute.utf8.count).drop(while: \.isSpace)
      guard value.first == UInt8(ascii: "=") else { continue }
      let quoted = value.dropFirst().drop(while: \.isSpace)
      guard let quote = quoted.first else { return nil }
      return Double(Substring(quoted.dropFirst().prefix { $0 != quote }))
    }
    return nil
  }
}

extension UInt8 {
  /// Whether the byte is white space in XML.
  fileprivate var isSpace: Bool { self == 32 || (9...10).contains(self) || self == 13 }
}
