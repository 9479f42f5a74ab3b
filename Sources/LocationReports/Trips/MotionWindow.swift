/// Finds out for each fix whether the receiver moved, from the fixes around it.
///
/// The median of the measured speeds decides if it is clearly above or below the noise. Otherwise, and
/// without speeds, the positions decide: a receiver moves if it is farther from its earlier and its later
/// position than noise explains. If the errors of fixes are independent, the means of groups of fixes are
/// compared, and larger errors need a longer time. A single step among others is a jump, and no movement.
struct MotionWindow: Sendable {
  /// The speed below which a receiver stands, and the speed from which on it moves, in metres per second.
  private static let (slow, fast) = (0.3, 0.6)
  /// The lowest speed of a movement according to the positions, in metres per second.
  private static let slowest = 0.25
  /// A receiver moves if its positions move faster than this, in metres per second, whatever it reports.
  private static let surelyMoving = 1.0
  /// The time before and after a fix from which speeds count, in seconds.
  private static let medianReach = 7.6
  /// The median of fewer speeds is uncertain.
  private static let fewSpeeds = 7
  /// The minimum number of neighbours on each side, if fixes are farther apart.
  private static let leastNeighbours = 1
  /// The times over which positions are compared, in seconds.
  private static let lags = 5.0...180.0
  /// The fraction of that time, before and after a fix, from which positions belong to its group.
  private static let groupReach = 0.25
  /// The maximum number of fixes without a speed that wait until their noise is known.
  private static let mostUnknown = 60
  /// A step of more than this many deviations is not noise.
  private static let deviations = 6.0
  /// The time over which positions are compared if there is a speed, in seconds.
  private static let lagOfSpeed = 15.0

  private(set) var fixes: [TripFix] = []
  /// The number of fixes that have been judged.
  private var judged = 0
  private(set) var noise = TripNoise()

  /// The earliest fix that has not been judged.
  var undecided: TripFix? { judged < fixes.count ? fixes[judged] : nil }
  var newest: TripFix? { fixes.last }

  mutating func add(_ fix: TripFix) {
    fixes.append(fix)
    noise.record(fixes)
  }

  /// Removes all fixes. The noise remains known.
  mutating func removeAll() {
    fixes = []
    judged = 0
  }

  /// Returns the next fix that can be judged, and whether the receiver moved; `nil` if later ones are needed.
  ///
  /// - Parameter isLast: Whether no later fixes follow.
  mutating func next(isLast: Bool) -> (fix: TripFix, isMoving: Bool)? {
    guard judged < fixes.count else { return nil }
    let fix = fixes[judged]
    let newest = fixes[fixes.count - 1]
    let lag = self.lag
    let needed =
      fix.speed == nil ? max(Self.lagOfSpeed, (1 + Self.groupReach) * lag) : Self.lagOfSpeed
    let isKnown =
      noise.knowsPlaces || fix.speed != nil || fixes.count > Self.mostUnknown
      || judged + 1 < fixes.count
        && fixes[judged + 1].seconds - fix.seconds > TripNoise.longestLag
    guard
      isLast
        || isKnown && newest.seconds - fix.seconds >= needed
          && fixes.count - judged > Self.leastNeighbours
    else { return nil }
    let isMoving = isMoving(at: judged, lag)
    judged += 1
    removeOld(before: fix.seconds)
    return (fix, isMoving)
  }

  /// Removes fixes that are older than the longest time, which are no longer compared.
  private mutating func removeOld(before seconds: Double) {
    let isOld = { (fix: TripFix) in seconds - fix.seconds > Self.lags.upperBound + 5 }
    guard judged >= 66, isOld(fixes[63]) else { return }
    let spare = min(fixes[..<judged].prefix(while: isOld).count, judged - 2)
    fixes.removeFirst(spare)
    judged -= spare
  }

  /// The time over which positions are compared, in seconds. It is longer if the noise is larger.
  private var lag: Double {
    min(max(6 * noise.deviation, Self.lags.lowerBound), Self.lags.upperBound)
  }

  private func isMoving(at index: Int, _ lag: Double) -> Bool {
    guard let speed = medianSpeed(at: index) else {
      return hasMoved(at: index, lag: lag, least: Self.slowest, significance: 2)
    }
    if speed.isSlow {
      // A receiver that does not measure its speed may report 0.
      return noise.knowsPlaces
        && hasMoved(
          at: index, lag: Self.lagOfSpeed, least: Self.surelyMoving, significance: 8)
    }
    return speed.isFast
      || hasMoved(
        at: index, lag: min(lag, Self.lagOfSpeed), least: 0.5 * Self.slow,
        significance: speed.count < Self.fewSpeeds ? 2 : 0)
  }

  /// Returns whether the receiver came and left at the given speed or faster, and farther than noise
  /// explains.
  ///
  /// - Parameter significance: By how many times the squared distance must exceed the mean square of noise.
  private func hasMoved(
    at index: Int, lag: Double, least: Double, significance: Double
  ) -> Bool {
    let fix = fixes[index]
    let here = group(at: index, lag)
    func isFar(_ other: Int?) -> Bool? {
      guard let other else { return nil }
      let seconds = abs(fixes[other].seconds - fix.seconds)
      let there = group(at: other, lag)
      let square =
        2 * noise.white * (1 / here.count + 1 / there.count)
        + 4 * noise.diffusion * max(seconds, lag)
      let way = here.mean.distance(to: there.mean)
      let noise = (significance * square).squareRoot()
      guard seconds > 0, way >= max(least * seconds, noise) else { return false }
      // A jump is no movement: the receiver also has to move in the other steps.
      guard let jump = jump(between: min(index, other), max(index, other)) else { return true }
      return way - jump.way >= max(least * (seconds - jump.seconds), noise)
    }
    /// Whether the receiver was not seen for longer than the time over which positions are compared.
    func isAbsence(after index: Int) -> Bool {
      fixes[index + 1].seconds - fixes[index].seconds > lag + 0.01
    }
    var before = fixes[..<index].lastIndex { fix.seconds - $0.seconds >= lag - 0.01 }
    var after = fixes[(index + 1)...].firstIndex { $0.seconds - fix.seconds >= lag - 0.01 }
    // An absence makes a movement before it or after it look slow.
    if let last = before, last + 1 < index, isAbsence(after: last) { before = last + 1 }
    if let next = after, next - 1 > index, isAbsence(after: next - 1) { after = next - 1 }
    let came = isFar(before ?? (index > 0 ? 0 : nil))
    let goes = isFar(after ?? (index + 1 < fixes.count ? fixes.count - 1 : nil))
    return (came ?? goes ?? false) && (goes ?? true)
  }

  /// Returns the longest step between two fixes; `nil` if it is the only one, or if noise can explain it.
  private func jump(between first: Int, _ last: Int) -> (way: Double, seconds: Double)? {
    guard last - first > 1 else { return nil }
    var longest = (way: 0.0, from: first)
    for index in first..<last {
      let way = fixes[index].distance(to: fixes[index + 1])
      if way > longest.way { longest = (way, index) }
    }
    guard longest.way > max(JumpFilter.noise, Self.deviations * noise.deviation) else { return nil }
    return (longest.way, fixes[longest.from + 1].seconds - fixes[longest.from].seconds)
  }

  /// Returns the mean of the positions around a fix, and their number. Without independent errors, it is the
  /// position of the fix.
  private func group(at index: Int, _ lag: Double) -> (mean: SurfacePoint, count: Double) {
    guard noise.white > 0 else { return (fixes[index].point, 1) }
    let (seconds, reach) = (fixes[index].seconds, lag * Self.groupReach)
    let before = fixes[..<index].reversed().prefix { seconds - $0.seconds <= reach }
    let after = fixes[index...].prefix { $0.seconds - seconds <= reach }
    let points = (before + after).map(\.point)
    return (SurfacePoint(meanOf: points), Double(points.count))
  }

  /// Returns whether the median of the speeds around a fix is ``slow`` or ``fast``, and how many speeds there are; `nil`
  /// if most fixes have none.
  private func medianSpeed(at index: Int) -> (isSlow: Bool, isFast: Bool, count: Int)? {
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
    // The same number of fixes on both sides.
    let count = min(index - first, last - index)
    if count > 0 { (first, last) = (index - count, index + count) }
    var (speeds, slower, notFaster) = (0, 0, 0)
    for index in first...last {
      guard let speed = fixes[index].speed else { continue }
      speeds += 1
      if speed < Self.slow { slower += 1 }
      if speed < Self.fast { notFaster += 1 }
    }
    guard 2 * speeds > last - first + 1 else { return nil }
    // The median is the lower of two middle ones.
    let middle = (speeds - 1) / 2
    return (slower > middle, notFaster <= middle, speeds)
  }
}
