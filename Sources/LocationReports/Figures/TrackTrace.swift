/// The track of a receiver with its speed, thinned to points some distance apart.
struct TrackTrace: Hashable, Sendable {
  struct Point: Hashable, Sendable {
    /// Metres from the first position.
    var east, north: Float
    /// Metres per second; negative if it is unknown.
    var speed: Float
    /// Whether no line leads to this point: after an outage, or if the receiver cannot have come this far.
    var isStart: Bool
    /// How long there was no position before this point, in seconds, if no line leads to it.
    var silence: Float
  }

  /// The maximum number of points of a track.
  private static let maximumCount = 4096

  private var kept: [Point] = []
  private var last: Point?
  /// The minimum distance between points, in metres.
  private var distance: Float = 1

  /// The points, including the last position.
  var points: [Point] {
    guard let last, kept.last != last else { return kept }
    return kept + [last]
  }

  mutating func add(_ point: Point) {
    var point = point
    point.isStart = point.isStart || kept.isEmpty
    last = point
    if !point.isStart, let before = kept.last, before.isWithin(distance, of: point) { return }
    kept.append(point)
    while kept.count > Self.maximumCount { thin() }
  }

  private mutating func thin() {
    distance *= 2
    var thinned: [Point] = []
    for point in kept {
      if !point.isStart, let before = thinned.last, before.isWithin(distance, of: point) {
        continue
      }
      thinned.append(point)
    }
    // If most points begin after an outage, they cannot be thinned by distance.
    if thinned.count > Self.maximumCount * 3 / 4 {
      thinned = stride(from: 0, to: thinned.count, by: 2).map { thinned[$0] }
    }
    kept = thinned
  }
}

extension TrackTrace.Point {
  fileprivate func isWithin(_ distance: Float, of other: Self) -> Bool {
    let (e, n) = (east - other.east, north - other.north)
    return e * e + n * n < distance * distance
  }
}
