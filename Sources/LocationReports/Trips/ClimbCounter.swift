/// The sums of climbs and descents. A turn counts only when the height has changed by a threshold, so that
/// noise does not count as a climb.
///
/// The height of a turn is the mean of the heights near the extreme one, because the extreme height has the
/// largest error.
struct ClimbCounter: Sendable {
  private enum Direction { case unknown, up, down }

  /// The highest or lowest of some heights, and the heights that may differ from it only by noise.
  private struct Extreme: Sendable {
    let isHigh: Bool
    private(set) var height: Double
    private var near = EvenSample<Double>(limit: 64)

    init(isHigh: Bool, _ height: Double) {
      self.isHigh = isHigh
      self.height = height
      _ = near.add(height)
    }

    mutating func add(_ height: Double, band: Double) {
      let isFarther = isHigh ? height > self.height : height < self.height
      if isFarther {
        self.height = height
        near.removeAll { abs($0 - height) > band }
      }
      if abs(self.height - height) <= band { _ = near.add(height) }
    }

    var mean: Double { near.elements.reduce(0, +) / Double(near.elements.count) }
  }

  private var direction = Direction.unknown
  /// Both extremes while the direction is unknown, and then the extreme in the direction of the heights.
  /// `nil` before the first height.
  private var high, low: Extreme?
  /// The height of the last turn.
  private var turn = 0.0
  private var (climbed, descended) = (0.0, 0.0)

  /// Adds a height.
  ///
  /// - Parameters:
  ///   - threshold: The smallest height that is not noise, in metres; more than zero.
  ///   - band: The difference below which two heights may differ only by noise, in metres.
  mutating func add(_ height: Double, threshold: Double, band: Double) {
    high?.add(height, band: band)
    low?.add(height, band: band)
    // Only the heights are read: a copy of an extreme would be made for each height.
    switch (direction, high?.height, low?.height) {
    case (.unknown, let highest?, let lowest?):
      guard highest - lowest >= threshold else { return }
      direction = height == highest ? .up : .down
      turn = (direction == .up ? low?.mean : high?.mean) ?? turn
      if direction == .up { low = nil } else { high = nil }
    case (.up, let highest?, _):
      guard height <= highest - threshold else { return }
      let mean = high?.mean ?? turn
      climbed += max(0, mean - turn)
      turn = mean
      (high, low) = (nil, Extreme(isHigh: false, height))
      direction = .down
    case (.down, _, let lowest?):
      guard height >= lowest + threshold else { return }
      let mean = low?.mean ?? turn
      descended += max(0, turn - mean)
      turn = mean
      (low, high) = (nil, Extreme(isHigh: true, height))
      direction = .up
    default:
      (high, low) = (Extreme(isHigh: true, height), Extreme(isHigh: false, height))
    }
  }

  /// The sums so far, in metres; `nil` without a height.
  var sums: (ascent: Double, descent: Double)? {
    guard high != nil || low != nil else { return nil }
    return switch direction {
    case .unknown: (0, 0)
    case .up: (climbed + max(0, (high?.mean ?? turn) - turn), descended)
    case .down: (climbed, descended + max(0, turn - (low?.mean ?? turn)))
    }
  }
}
