/// The climbs of a receiver on the spot, as in a lift. Heights that wander slowly are noise.
struct StopClimbs: Sendable {
  /// What changes by more than the least climb in this time is a climb, in seconds.
  private static let seconds = 60.0
  /// The least climb, in metres.
  private static let least = 10.0
  /// How many deviations apart the heights of a floor may be.
  private static let bandDeviations = 3.0

  private var recent: [(seconds: Double, height: Double)] = []
  private var counter = ClimbCounter()
  private var hasClimbed = false

  /// - Parameter deviation: That of the heights of the receiver, in metres.
  mutating func add(_ fix: TripFix, deviation: Double) {
    guard let height = fix.altitude else { return }
    let least = max(Self.least, 6 * deviation)
    let band = deviation.isFinite ? Self.bandDeviations * deviation : 0
    counter.add(height, threshold: least, band: band)
    recent.removeFirst(recent.prefix { fix.seconds - $0.seconds > Self.seconds }.count)
    recent.append((fix.seconds, height))
    guard !hasClimbed, recent.count > 1 else { return }
    // Two fixes, so that a single wrong height is no climb.
    let before = recent[recent.count - 2].height
    hasClimbed = abs(height - recent[0].height) >= least && abs(before - recent[0].height) >= least
  }

  /// The sums, in metres; `nil` without a height.
  var sums: (ascent: Double, descent: Double)? {
    counter.sums.map { hasClimbed ? $0 : (0, 0) }
  }
}
