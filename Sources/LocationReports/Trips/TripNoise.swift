#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much the positions of a receiver wander by themselves, observed while it stands or moves.
///
/// Errors have two parts. Those of one fix are independent of those of the next one, with a deviation w along each axis. The
/// others are correlated over some time: to a model (Gauss and Markov, of the first order) a deviation s with the
/// correlation exp(-t / T). In a time that is short to T, they diffuse. A displacement has the mean square 4 (w² + D t) in
/// the plane, with D = s² / T. A steady movement cancels in the second difference x(t) - 2 x(t - h) + x(t - 2h), whose
/// variance along each axis is 6 w² + s² (6 - 8 exp(-h/T) + 2 exp(-2h/T)). It is an upper bound of both parts: of w² over
/// a short h, of D over a long one. Of its parts along the way and across it, the smaller one counts, because a receiver
/// seldom brakes and turns at once.
struct TripNoise: Sendable {
  /// How long errors are correlated, in seconds.
  fileprivate static let correlation = 90.0
  private static let (lag, longLag, heightLag) = (4.0, 60.0, 15.0)
  /// Independent errors of less than this deviation, in metres, are not told from others.
  private static let leastWhite = 1.0
  /// The largest D, in m²/s.
  private static let mostDiffusion = 15.0

  /// Of neighbours, of fixes that are some seconds apart, and of those that are a minute or three fixes apart.
  private var neighbours = PlaceDifferences()
  private var places = PlaceDifferences()
  private var distant = PlaceDifferences()
  private var heights = RecentMedian()
  private var lastHeight = -Double.infinity

  /// The deviation of heights, in metres.
  private(set) var heightDeviation = 2.0
  /// Whether that was observed.
  private(set) var knowsHeights = false

  /// Whether the noise of places was observed.
  var knowsPlaces: Bool { places.variance != nil }

  /// w², in m².
  var white: Double {
    guard let variance = neighbours.variance else { return 0 }
    let correlated = neighbours.gain * Self.correlation * min(places.diffusion, distant.diffusion)
    let white = (variance - correlated) / 6
    return white > Self.leastWhite * Self.leastWhite ? white : 0
  }

  /// D, in m²/s; that of a deviation of 3 m before much was observed.
  var diffusion: Double {
    guard knowsPlaces else { return 0.1 }
    let diffusion = white > 0 ? min(places.diffusion, distant.diffusion) : places.diffusion
    return min(diffusion, Self.mostDiffusion)
  }

  /// The deviation of places along each axis, in metres.
  var deviation: Double { max(diffusion * Self.correlation, white).squareRoot() }

  /// Records the last one of fixes that follow each other.
  mutating func record(_ fixes: [TripFix]) {
    guard fixes.count > 2, let last = fixes.last else { return }
    let interval = last.seconds - fixes[fixes.count - 2].seconds
    places.record(fixes, lag: Self.lag, each: 0)
    neighbours.record(fixes, lag: interval, each: Self.lag)
    if let variance = neighbours.variance, variance > 6 * Self.leastWhite * Self.leastWhite {
      let lag = max(Self.longLag, 3 * interval)
      distant.record(fixes, lag: lag, each: lag / 3)
    }
    guard last.seconds - lastHeight >= Self.heightLag / 3, let height = last.altitude,
      let (lag, middle, first) = last.triple(among: fixes, lag: Self.heightLag),
      let between = middle.altitude, let before = first.altitude
    else { return }
    lastHeight = last.seconds
    if heights.add(abs(height - 2 * between + before)) {
      knowsHeights = true
      heightDeviation = heights.value / RecentMedian.ofOne / gain(lag).squareRoot()
    }
  }
}

/// The second differences of places over some time.
private struct PlaceDifferences: Sendable {
  /// The longest time over which movements are steady, in seconds. Over a longer one, places count if no speed contradicts.
  private static let steadyLag = 5.2
  /// Below this speed, in metres per second, a receiver stands, over any time.
  private static let slow = 0.3

  private var median = RecentMedian()
  private var last = -Double.infinity
  /// The variance along each axis, in m²; `nil` before much was observed.
  private(set) var variance: Double?
  /// That of errors with a deviation of 1 that are correlated.
  private(set) var gain = 1.0

  /// The largest D that makes such differences, in m²/s.
  var diffusion: Double { (variance ?? .infinity) / gain / TripNoise.correlation }

  /// Records the last one of fixes that follow each other.
  ///
  /// - Parameters:
  ///   - lag: The time between fixes that are compared, in seconds; the next longer one that there is.
  ///   - pause: How long after the last one that was recorded, in seconds.
  mutating func record(_ fixes: [TripFix], lag: Double, each pause: Double) {
    guard let newest = fixes.last, newest.seconds - last >= pause - 0.1,
      let (lag, middle, first) = newest.triple(among: fixes, lag: lag),
      lag <= Self.steadyLag
        || [first, middle, newest].allSatisfy({ $0.speed ?? 0 < Self.slow })
    else { return }
    last = newest.seconds
    guard median.add(2 * middle.point.deviation(between: first.point, newest.point)) else { return }
    let deviation = median.value / RecentMedian.ofSmaller
    (variance, gain) = (deviation * deviation, LocationReports.gain(lag))
  }
}

/// The variance of a second difference of a deviation of 1.
private func gain(_ lag: Double) -> Double {
  let correlation = exp(-lag / TripNoise.correlation)
  return 6 - 8 * correlation + 2 * correlation * correlation
}

extension TripFix {
  /// The longest time between fixes that are compared, in seconds.
  private static let longestLag = 400.0

  /// Returns the fixes a lag and two lags before, with the lag as it is; `nil` if there are none.
  fileprivate func triple(
    among fixes: [TripFix], lag: Double
  ) -> (lag: Double, middle: TripFix, first: TripFix)? {
    guard let middle = fixes.last(where: { seconds - $0.seconds >= lag - 0.1 }) else { return nil }
    let lag = seconds - middle.seconds
    // The nearest one: where the two lags differ, a steady movement does not cancel.
    let start = middle.seconds - lag
    guard let earliest = fixes.first, earliest.seconds <= start + 0.1 else { return nil }
    let before = fixes.lastIndex { $0.seconds <= start } ?? 0
    let near = fixes[before...min(before + 1, fixes.count - 1)]
    guard lag <= Self.longestLag,
      let first = near.min(by: { abs($0.seconds - start) < abs($1.seconds - start) }),
      abs(first.seconds - start) <= 0.1 * lag
    else { return nil }
    return (lag, middle, first)
  }
}

/// The median of the last numbers.
private struct RecentMedian: Sendable {
  /// The medians of the absolute value of a number of a normal distribution, and of the smaller of two.
  static let (ofOne, ofSmaller) = (0.6745, 0.3755)
  private static let (limit, least) = (128, 16)
  private var numbers: [Double] = []
  private var next = 0
  private(set) var value = 0.0

  /// Adds a number. Returns whether ``value`` is new: it is computed for every eighth.
  mutating func add(_ number: Double) -> Bool {
    if numbers.count < Self.limit { numbers.append(number) } else { numbers[next] = number }
    next = (next + 1) % Self.limit
    guard numbers.count >= Self.least, next.isMultiple(of: 8) else { return false }
    value = numbers.middle
    return true
  }
}
