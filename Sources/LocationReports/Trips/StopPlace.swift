/// Where a receiver stops: the median of its fixes, and how far from it a fix may be.
struct StopPlace: Sendable {
  private var fixes = EvenPart<TripFix>()
  private(set) var centre: SurfacePoint
  /// The farthest from the median that belongs to the stop, in metres.
  private(set) var reach: Double
  /// The farthest from the median that is usual, in metres.
  private var spread: Double

  /// - Parameter fixes: At least one, and not more than an ``EvenPart`` keeps.
  init(of fixes: [TripFix]) {
    (centre, reach, spread) = Self.measure(fixes)
    for fix in fixes { _ = self.fixes.add(fix) }
  }

  mutating func add(_ fix: TripFix) {
    guard fixes.add(fix) else { return }
    (centre, reach, spread) = Self.measure(fixes.elements)
  }

  func contains(_ fix: TripFix) -> Bool { centre.distance(to: fix.point) <= reach }

  /// Returns whether a fix within reach is that of a receiver that stands: by its speed, or else because it
  /// is as near to the median as most.
  func isAtRest(_ fix: TripFix) -> Bool {
    fix.isSlow ?? (centre.distance(to: fix.point) <= spread)
  }

  private static func measure(
    _ fixes: [TripFix]
  ) -> (centre: SurfacePoint, reach: Double, spread: Double) {
    let centre = SurfacePoint(medianOf: fixes.map(\.point))
    let errors = fixes.compactMap(\.error)
    let reach = TripFix.reach(error: errors.isEmpty ? nil : errors.middle)
    let distances = fixes.map { centre.distance(to: $0.point) }
    // Of a normal distribution, one in 65,000 is farther out than four times the median.
    return (centre, reach, min(reach, max(2, 4 * distances.middle)))
  }
}
