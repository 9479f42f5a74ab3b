/// Where a receiver is: a stop, or what becomes one if it lasts.
struct Stay: Sendable {
  let from: TripFix
  /// The last fix of the stay.
  private(set) var last: TripFix
  /// Its fixes, evenly thinned.
  private var sample = EvenSample<TripFix>(limit: 256)
  /// The number of fixes in the sample when its median was last computed.
  private var measured = 1
  /// The median of the positions, and the median distance from it in metres.
  private(set) var place: SurfacePoint
  private(set) var spread = 0.0

  /// How long it has lasted, in seconds.
  var seconds: Double { last.seconds - from.seconds }

  /// Its fixes, and those from the second one on.
  var fixes: [TripFix] { sample.elements }
  var later: ArraySlice<TripFix> { fixes.dropFirst() }

  init(from fix: TripFix) {
    (from, last, place) = (fix, fix, fix.point)
    _ = sample.add(fix)
  }

  /// - Parameter isVague: Whether the position shows nothing.
  mutating func extend(to fix: TripFix, isVague: Bool = false) {
    last = fix
    guard !isVague, sample.add(fix) else { return }
    // With many fixes, the median hardly changes.
    let count = sample.elements.count
    guard count <= 8 || abs(count - measured) >= 8 else { return }
    findPlace()
  }

  private mutating func findPlace() {
    let points = fixes.map(\.point)
    measured = points.count
    place = SurfacePoint(medianOf: points)
    spread = points.map { place.distance(to: $0) }.middle
  }

  /// Returns the stay from the fix on at which the receiver arrived at its place, with the fixes until then; `nil` unless
  /// it was there for a time.
  ///
  /// - Parameter least: The time in seconds.
  func fromArrival(_ noise: TripNoise, least: Double) -> (stay: Stay, way: ArraySlice<TripFix>)? {
    let arrival = fixes.arrival(at: place, spread: spread, noise: noise.reach)
    let close = fixes.closeness(spread: spread, noise: noise.reach)
    guard let there = fixes.last(where: { place.distance(to: $0.point) <= close }),
      there.seconds - fixes[arrival].seconds >= least - 0.01
    else { return nil }
    guard arrival > 0 else { return (self, []) }
    var stay = Stay(from: fixes[arrival])
    for fix in fixes[(arrival + 1)...] { stay.extend(to: fix) }
    stay.last = last
    stay.findPlace()
    return (stay, fixes[1...arrival])
  }
}

extension [TripFix] {
  /// Returns how near a place a receiver is that is there, in metres. Noise explains half of its limit for a while.
  func closeness(spread: Double, noise: Double) -> Double { Swift.max(5, 2 * spread, noise / 2) }

  /// Returns the index of the first fix that was at a place where all later ones are. If speeds are known, it is the first
  /// one at rest, unless a slow walker would be there earlier.
  func arrival(at place: SurfacePoint, spread: Double, noise: Double) -> Int {
    let close = closeness(spread: spread, noise: noise)
    let near = firstIndex { place.distance(to: $0.point) <= close } ?? 0
    return indices[near...].first { index in
      self[index].speed ?? 0 < TripFix.slow
        && abs(self[index].seconds - self[near].seconds) <= close / TripMarks.slowest
    } ?? near
  }
}
