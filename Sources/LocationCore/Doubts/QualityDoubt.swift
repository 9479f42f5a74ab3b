/// Doubts a position that is not measured: one that is simulated, one that the receiver was told, and one
/// that has been estimated for longer than it takes to pass a tunnel.
struct QualityDoubt: Sendable {
  /// How long a position may be estimated, in seconds.
  static let tunnel = 300.0

  /// How long the position has been estimated, in seconds.
  private(set) var estimated = 0.0
  private var quality: FixQuality?

  var isEstimated: Bool { estimated >= Self.tunnel }
  var isSimulated: Bool { quality == .simulated }
  var isStored: Bool { quality == .timeOnly }

  /// Handles the quality of a fix, some seconds after the one before.
  mutating func handle(_ quality: FixQuality?, after elapsed: Double) {
    self.quality = quality
    estimated = quality == .deadReckoning ? estimated + elapsed : 0
  }
}

/// Doubts a position while interference is near the upper end of the receiver's scale. Lower levels are
/// told as jamming, and disturb many a position without making it wrong.
struct InterferenceDoubt: Sendable {
  /// The level of 255 at which the doubt begins.
  static let begin = 200
  /// The level below which it ends.
  static let end = 150

  private(set) var isDoubted = false
  private(set) var level = 0

  /// Handles the level in a fix; `nil` if none was reported for a while.
  mutating func handle(jam: Int?) {
    level = jam ?? 0
    isDoubted = level >= (isDoubted ? Self.end : Self.begin)
  }
}
