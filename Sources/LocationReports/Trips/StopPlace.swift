/// The place of a stop: the median of its fixes.
struct StopPlace: Sendable {
  /// A position that is farther from the place than this many median distances is not noise.
  static let spreads = 5.0

  private var points = EvenSample<SurfacePoint>()
  /// The number of points since the median was last computed.
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
    // With many points, the median hardly changes.
    guard points.elements.count <= 8 || added >= 8 else { return }
    added = 0
    centre = SurfacePoint(medianOf: points.elements)
    spread = points.elements.map { centre.distance(to: $0) }.middle
  }
}
