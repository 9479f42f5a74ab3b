#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much the positions of a receiver wander by themselves.
///
/// Errors have two parts: independent errors with a deviation w along each axis, and errors that change slowly. Over
/// seconds, the second kind diffuse: in the plane, a displacement over a time t has the mean square 4 (w² + D t). They
/// stay bounded: after a minute and a half they wander no farther.
struct TripNoise: Sendable {
  /// After this time, slow errors do not wander farther, in seconds. That of receivers is 60 to 300 s.
  fileprivate static let correlation = 90.0
  /// A displacement is no noise from this many times its mean square on, which noise exceeds once in 160,000 cases:
  /// exp(-12).
  private static let significance = 12.0
  /// D, in m²/s, and w, in metres; until they are observed, those of a deviation of 3 m.
  fileprivate(set) var (diffusion, white) = (0.1, 0.0)
  /// Whether the noise of positions, and of heights, was observed.
  fileprivate(set) var (isKnown, knowsHeights) = (false, false)
  /// The deviation of heights, in metres.
  fileprivate(set) var heightDeviation = 2.0

  /// Returns how far noise can move the position in a time, in metres.
  func reach(over seconds: Double) -> Double {
    let square = white * white + diffusion * min(max(seconds, 0), Self.correlation)
    return (Self.significance * 4 * square).squareRoot()
  }

  /// How far noise can move the position in any time, in metres.
  var reach: Double { reach(over: .infinity) }
}

/// Observes the noise of a receiver.
///
/// A steady movement cancels in the second difference x(t) - 2 x(t - h) + x(t - 2h). Its variance along each axis is
/// 6 w² + 4 D h, so that differences over one step and over several show both parts. The smaller of the components
/// along and across the track is used, because a receiver seldom brakes and turns at the same time.
struct NoiseObserver: Sendable {
  /// The largest w in metres and D in m²/s: no receiver is worse for long, but a track with bends may seem so.
  private static let (mostWhite, mostDiffusion) = (30.0, 15.0)
  /// Over how many steps positions are compared: few are surely steady, and many show slow errors beside independent ones.
  private static let (middleSteps, farSteps) = (4, 16)
  /// Over a longer step, no movement is steady, in seconds.
  static let longestStep = 400.0
  /// Over a longer time, a movement is not steady if its speed is known; without a speed, its positions must do.
  fileprivate static let steadyTime = 5.2
  /// The time between heights that are compared, in seconds.
  private static let heightStep = 5.0

  private(set) var noise = TripNoise()
  private var (recent, high) = ([TripFix](), [TripFix]())
  private var (near, middle, far) = (RecentMedian(), RecentMedian(), RecentMedian())
  private var heights = RecentMedian()
  /// The usual step, in seconds.
  private var step = 1.0

  /// Records a fix that follows the last one.
  mutating func record(_ fix: TripFix) {
    recent.append(fix)
    // The removal of one would move all others.
    if recent.count > 4 * Self.farSteps { recent.removeFirst(2 * Self.farSteps) }
    recordHeight(of: fix)
    guard let close = recent.difference(over: 1) else { return }
    step += (close.seconds - step) / 16
    let wide = recent.difference(over: Self.middleSteps)
    let isNew = wide.map { middle.add($0.place) } ?? false
    if let wide = recent.difference(over: Self.farSteps) { _ = far.add(wide.place) }
    guard near.add(close.place) || isNew, !near.isAwaited, !middle.isAwaited else { return }
    /// What slow errors add to a difference in one step, at most.
    let one = near.value * near.value
    func slow(_ median: RecentMedian, _ steps: Int) -> Double {
      median.value > 0 ? max(0, median.value * median.value - one) / Double(steps - 1) : one
    }
    let few = min(one, slow(middle, Self.middleSteps))
    let slow = few > one / 2 ? few : min(few, slow(far, Self.farSteps))
    noise.diffusion = min(slow / (4 * step), Self.mostDiffusion)
    noise.white = min(max(0, (one - slow) / 6).squareRoot(), Self.mostWhite)
    noise.isKnown = true
  }

  /// Forgets the fixes, but not the noise.
  mutating func interrupt() { (recent, high) = ([], []) }

  /// Heights are compared over a quarter of a minute, because they change slowly.
  private mutating func recordHeight(of fix: TripFix) {
    guard fix.altitude != nil, fix.seconds - (high.last?.seconds ?? -.infinity) >= Self.heightStep
    else { return }
    high.append(fix)
    if high.count > 7 { high.removeFirst() }
    guard let wide = high.difference(over: 3), let height = wide.height, heights.add(abs(height))
    else { return }
    let correlation = exp(-3 * wide.seconds / TripNoise.correlation)
    let gain = 6 - 8 * correlation + 2 * correlation * correlation
    noise.heightDeviation = heights.value / RecentMedian.ofOne / gain.squareRoot()
    noise.knowsHeights = true
  }
}

extension [TripFix] {
  /// Returns the second difference of the last fixes over some steps, as the deviation along each axis, with the
  /// duration of a step; `nil` if it may be a movement.
  fileprivate func difference(
    over steps: Int
  ) -> (place: Double, height: Double?, seconds: Double)? {
    guard count > 2 * steps else { return nil }
    let (last, middle) = (self[count - 1], self[count - 1 - steps])
    let first = self[count - 1 - 2 * steps]
    let seconds = (last.seconds - first.seconds) / 2
    let isShort = seconds <= NoiseObserver.steadyTime
    let stands = [first, middle, last].allSatisfy { $0.speed ?? 0 < TripFix.slow }
    guard abs(last.seconds - middle.seconds - seconds) <= 0.1 * seconds, seconds > 0,
      seconds <= NoiseObserver.longestStep * Double(steps), isShort || stands
    else { return nil }
    let isMeasured = first.speed != nil && middle.speed != nil && last.speed != nil
    // While it stands, and in a short time, the whole difference is noise.
    let place =
      stands && isMeasured || isShort && steps == 1
      ? middle.point.distance(to: SurfacePoint(meanOf: [first.point, last.point]))
        / RecentMedian.inPlane
      : middle.point.deviation(between: first.point, last.point) / RecentMedian.ofSmaller
    var height: Double?
    if let a = first.altitude, let b = middle.altitude, let c = last.altitude {
      height = a - 2 * b + c
    }
    return (2 * place, height, seconds / Double(steps))
  }
}

/// The median of the latest numbers.
private struct RecentMedian: Sendable {
  /// The median of a normally distributed number's magnitude, of the smaller of two such magnitudes, and of the length
  /// of a vector of two such numbers.
  static let (ofOne, ofSmaller, inPlane) = (0.6745, 0.3755, 1.1774)
  private static let limit = 128
  private var (numbers, next) = ([Double](), 0)
  private(set) var value = 0.0
  /// Whether it is not known yet, although there are numbers.
  var isAwaited: Bool { (1..<16).contains(numbers.count) }

  /// Adds a number. Returns whether ``value`` is new, because it is computed only for every sixteenth number.
  mutating func add(_ number: Double) -> Bool {
    if numbers.count < Self.limit { numbers.append(number) } else { numbers[next] = number }
    next = (next + 1) % Self.limit
    guard next.isMultiple(of: 16) else { return false }
    value = numbers.middle
    return true
  }
}
