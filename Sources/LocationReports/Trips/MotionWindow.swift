/// Finds out of each fix whether the receiver moved, from the fixes around it.
///
/// The median of the measured speeds decides if it is clearly above or below that of noise. Between, and without speeds, the
/// place does: a receiver moves while it has come farther than its noise and will go on so.
struct MotionWindow: Sendable {
  /// Speeds below are those of receivers that stand, and above those of receivers that move, in metres per second.
  private static let (slow, fast) = (0.3, 0.6)
  /// The least distance that is a movement, divided by its time, in metres per second.
  private static let slowest = 0.25
  /// A place that is faster moves whatever the measured speed is, in metres per second.
  private static let surelyMoving = 1.0
  /// How far on both sides speeds count, in seconds.
  private static let medianReach = 7.6
  /// The median of fewer speeds is not certain.
  private static let fewSpeeds = 7
  /// How many are at least on both sides, if fixes are farther apart.
  private static let leastNeighbours = 1
  /// For how long the place is compared, in seconds.
  private static let lags = 5.0...60.0
  /// For how long it is compared beside a speed, in seconds.
  private static let lagOfSpeed = 15.0

  private(set) var fixes: [TripFix] = []
  /// The number of fixes that were judged.
  private var judged = 0
  private(set) var noise = TripNoise()

  /// The earliest fix that was not judged.
  var undecided: TripFix? { judged < fixes.count ? fixes[judged] : nil }
  var newest: TripFix? { fixes.last }

  mutating func add(_ fix: TripFix) {
    fixes.append(fix)
    noise.record(fixes)
  }

  /// Removes all, but not what is known of the noise.
  mutating func removeAll() {
    fixes = []
    judged = 0
  }

  /// Returns the next fix that can be judged, and whether the receiver moved; `nil` if later ones are needed.
  ///
  /// - Parameter isLast: Whether no later ones come.
  mutating func next(isLast: Bool) -> (fix: TripFix, isMoving: Bool)? {
    guard judged < fixes.count else { return nil }
    let fix = fixes[judged]
    let newest = fixes[fixes.count - 1]
    let lag = self.lag
    let needed = max(Self.lagOfSpeed, lag)
    guard
      isLast
        || newest.seconds - fix.seconds >= needed && fixes.count - judged > Self.leastNeighbours
    else { return nil }
    let isMoving = isMoving(at: judged, lag)
    judged += 1
    // What is earlier than the longest lag is not compared any more.
    let old = fixes[..<judged].prefix { fix.seconds - $0.seconds > Self.lags.upperBound + 5 }
      .count
    let spare = max(0, min(old, judged - 2))
    if spare >= 64 {
      fixes.removeFirst(spare)
      judged -= spare
    }
    return (fix, isMoving)
  }

  /// The time over which noise of the place is slow.
  private var lag: Double {
    min(max(6 * noise.deviation, Self.lags.lowerBound), Self.lags.upperBound)
  }

  private func isMoving(at index: Int, _ lag: Double) -> Bool {
    let noise = min((8 * self.noise.diffusion / lag).squareRoot(), 1)
    guard let (speed, count) = medianSpeed(at: index) else {
      return hasMoved(at: index, lag: lag, least: max(Self.slowest, noise))
    }
    if speed < Self.slow {
      // A receiver that measures no speed may report 0.
      guard self.noise.knowsPlaces else { return false }
      let noise = (8 * self.noise.diffusion / Self.lagOfSpeed).squareRoot()
      return hasMoved(at: index, lag: Self.lagOfSpeed, least: max(Self.surelyMoving, 2 * noise))
    }
    if speed >= Self.fast { return true }
    let least = 0.5 * Self.slow
    return hasMoved(
      at: index, lag: min(lag, Self.lagOfSpeed),
      least: count < Self.fewSpeeds ? max(least, noise) : least)
  }

  /// Returns whether the receiver came and goes at least at a speed.
  private func hasMoved(at index: Int, lag: Double, least: Double) -> Bool {
    let fix = fixes[index]
    func isFar(_ other: TripFix?) -> Bool? {
      guard let other else { return nil }
      let seconds = abs(other.seconds - fix.seconds)
      return seconds > 0 && fix.distance(to: other) >= least * seconds
    }
    let before = fixes[..<index].last { fix.seconds - $0.seconds >= lag - 0.01 }
    let after = fixes[(index + 1)...].first { $0.seconds - fix.seconds >= lag - 0.01 }
    let came = isFar(before ?? (index > 0 ? fixes[0] : nil))
    let goes = isFar(after ?? (index + 1 < fixes.count ? fixes[fixes.count - 1] : nil))
    return (came ?? goes ?? false) && (goes ?? true)
  }

  /// Returns the median of the speeds around a fix, and how many they are; `nil` if most have none.
  private func medianSpeed(at index: Int) -> (speed: Double, count: Int)? {
    let fix = fixes[index]
    var (first, last) = (index, index)
    while first > 0,
      index - first < Self.leastNeighbours
        || fix.seconds - fixes[first - 1].seconds <= Self.medianReach
    { first -= 1 }
    while last + 1 < fixes.count,
      last - index < Self.leastNeighbours
        || fixes[last + 1].seconds - fix.seconds <= Self.medianReach
    { last += 1 }
    // As many on both sides.
    let count = min(index - first, last - index)
    if count > 0 { (first, last) = (index - count, index + count) }
    let speeds = fixes[first...last].compactMap(\.speed)
    guard 2 * speeds.count > last - first + 1 else { return nil }
    return (speeds.sorted()[(speeds.count - 1) / 2], speeds.count)
  }
}
