/// Where a receiver stops: the median of its fixes.
struct StopPlace: Sendable {
  /// How many median distances from a place no noise is.
  static let spreads = 5.0

  private var points = EvenPart<SurfacePoint>()
  /// How many points came since the median was computed.
  private var added = 0
  private(set) var centre: SurfacePoint
  /// The median distance from the centre, in metres.
  private(set) var spread = 0.0

  init(at point: SurfacePoint) {
    centre = point
    _ = points.add(point)
  }

  mutating func add(_ point: SurfacePoint) {
    guard points.add(point) else { return }
    added += 1
    // The median of many hardly changes.
    guard points.elements.count <= 8 || added >= 8 else { return }
    added = 0
    centre = SurfacePoint(medianOf: points.elements)
    spread = points.elements.map { centre.distance(to: $0) }.middle
  }
}
