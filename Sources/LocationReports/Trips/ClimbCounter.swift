/// The sums of climbs and descents. A turn counts only once the height has changed by a threshold, so that
/// noise is no climb.
struct ClimbCounter: Sendable {
  private enum Direction { case unknown, up, down }

  private var direction = Direction.unknown
  /// The least and the greatest height while the direction is unknown; then the height of the last turn,
  /// and the farthest from it.
  private var (low, high) = (Double.infinity, -Double.infinity)
  private var (climbed, descended) = (0.0, 0.0)

  /// Adds a height.
  ///
  /// - Parameter threshold: The least height that is no noise, in metres; more than zero.
  mutating func add(_ height: Double, threshold: Double) {
    switch direction {
    case .unknown:
      low = min(low, height)
      high = max(high, height)
      guard high - low >= threshold else { return }
      direction = height == high ? .up : .down
    case .up:
      high = max(high, height)
      guard height <= high - threshold else { return }
      climbed += high - low
      low = height
      direction = .down
    case .down:
      low = min(low, height)
      guard height >= low + threshold else { return }
      descended += high - low
      high = height
      direction = .up
    }
  }

  /// The sums so far, in metres; `nil` without a height.
  var sums: (ascent: Double, descent: Double)? {
    guard high >= low else { return nil }
    return switch direction {
    case .unknown: (0, 0)
    case .up: (climbed + high - low, descended)
    case .down: (climbed, descended + high - low)
    }
  }
}
