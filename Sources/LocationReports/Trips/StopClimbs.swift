/// The climbs of a receiver on the spot, as in a lift. Slow changes of the heights are noise.
struct StopClimbs: Sendable {
  /// The time within which a height has to change by the smallest climb, in seconds.
  private static let seconds = 60.0
  /// The smallest climb, in metres.
  private static let least = 10.0
  /// The heights of one floor differ by at most this many deviations.
  private static let bandDeviations = 3.0

  private var recent: [(seconds: Double, height: Double)] = []
  private var counter = ClimbCounter()
  private var hasClimbed = false

  /// - Parameter deviation: The deviation of the receiver's heights, in metres.
  mutating func add(_ fix: TripFix, deviation: Double) {
    guard let height = fix.altitude else { return }
    let least = max(Self.least, 6 * deviation)
    let band = deviation.isFinite ? Self.bandDeviations * deviation : 0
    counter.add(height, threshold: least, band: band)
    recent.removeFirst(recent.prefix { fix.seconds - $0.seconds > Self.seconds }.count)
    recent.append((fix.seconds, height))
    guard !hasClimbed, recent.count > 1 else { return }
    // Two fixes have to agree, so that a single wrong height does not count as a climb.
    let before = recent[recent.count - 2].height
    hasClimbed = abs(height - recent[0].height) >= least && abs(before - recent[0].height) >= least
  }

  /// The sums in metres; `nil` without a height.
  var sums: (ascent: Double, descent: Double)? {
    counter.sums.map { hasClimbed ? $0 : (0, 0) }
  }
}
