#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much the positions of a receiver wander by themselves, observed while it stands or moves.
///
/// Errors have two parts. Independent errors differ from fix to fix, with a deviation w along each axis.
/// Correlated errors change slowly. They are modelled as a first-order Gauss-Markov process with a deviation
/// s and the correlation exp(-t / T). Over a time that is short compared with T, they diffuse. A displacement
/// has the mean square 4 (w² + D t) in the plane, with D = s² / T.
///
/// A steady movement cancels in the second difference x(t) - 2 x(t - h) + x(t - 2h), whose variance along
/// each axis is 6 w² + s² (6 - 8 exp(-h/T) + 2 exp(-2h/T)). It is an upper bound for both parts: with a short
/// h for w², with a long h for D. The smaller of its components along and across the track is used, because a
/// receiver seldom brakes and turns at the same time. If the speeds show that the receiver stands, the whole difference
/// is used: its median varies half as much.
struct TripNoise: Sendable {
  /// The correlation time T of errors, in seconds.
  fileprivate static let correlation = 90.0
  private static let (lag, longLag, heightLag) = (4.0, 60.0, 15.0)
  /// Independent errors with a smaller deviation than this, in metres, are not distinguished from others.
  private static let leastWhite = 1.0
  /// The largest D, in m²/s.
  private static let mostDiffusion = 15.0
  /// The longest time between fixes that are compared, in seconds. Over a longer time, a movement is not steady.
  static let longestLag = 400.0

  /// The differences of neighbouring fixes, of fixes some seconds apart, and of fixes a minute or three
  /// intervals apart.
  private var neighbours = PlaceDifferences()
  private var places = PlaceDifferences()
  private var distant = PlaceDifferences()
  private var heights = RecentMedian()
  private var lastHeight = -Double.infinity

  /// The deviation of heights, in metres.
  private(set) var heightDeviation = 2.0
  /// Whether the deviation of heights was observed.
  private(set) var knowsHeights = false

  /// Whether the noise of positions was observed.
  var knowsPlaces: Bool { places.variance != nil }

  /// w², in m².
  var white: Double {
    guard let variance = neighbours.variance else { return 0 }
    let correlated = neighbours.gain * Self.correlation * min(places.diffusion, distant.diffusion)
    let white = (variance - correlated) / 6
    return white > Self.leastWhite * Self.leastWhite ? white : 0
  }

  /// D, in m²/s. Until it is observed, it corresponds to a deviation of 3 m.
  var diffusion: Double {
    guard knowsPlaces else { return 0.1 }
    let diffusion = white > 0 ? min(places.diffusion, distant.diffusion) : places.diffusion
    return min(diffusion, Self.mostDiffusion)
  }

  /// The deviation of positions along each axis, in metres.
  var deviation: Double { max(diffusion * Self.correlation, white).squareRoot() }

  /// Records the last of some consecutive fixes.
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

/// The second differences of positions over some time.
private struct PlaceDifferences: Sendable {
  /// The longest time over which movements count as steady, in seconds. Over a longer time, positions count
  /// unless a speed shows a movement.
  private static let steadyLag = 5.2
  /// A receiver that is slower than this stands still, in metres per second. Its positions count over any time.
  private static let slow = 0.3

  private var median = RecentMedian()
  private var last = -Double.infinity
  /// The variance along each axis, in m²; `nil` until enough was observed.
  private(set) var variance: Double?
  /// The variance for correlated errors with a deviation of 1.
  private(set) var gain = 1.0

  /// The largest D that explains the differences, in m²/s.
  var diffusion: Double { (variance ?? .infinity) / gain / TripNoise.correlation }

  /// Records the last of some consecutive fixes.
  ///
  /// - Parameters:
  ///   - lag: The minimum time between fixes that are compared, in seconds.
  ///   - pause: The minimum time since the last recorded fix, in seconds.
  mutating func record(_ fixes: [TripFix], lag: Double, each pause: Double) {
    guard let newest = fixes.last, newest.seconds - last >= pause - 0.1,
      let (lag, middle, first) = newest.triple(among: fixes, lag: lag),
      let deviation = deviation(first, middle, newest, isSteady: lag <= Self.steadyLag)
    else { return }
    last = newest.seconds
    guard median.add(deviation) else { return }
    (variance, gain) = (median.value * median.value, LocationReports.gain(lag))
  }

  /// Returns the second difference of three fixes, divided by the median that it has with a deviation of 1 along each
  /// axis; `nil` if it may be a movement.
  private func deviation(
    _ first: TripFix, _ middle: TripFix, _ last: TripFix, isSteady: Bool
  ) -> Double? {
    if !isSteady {
      let speeds = [first, middle, last].compactMap(\.speed)
      guard speeds.allSatisfy({ $0 < Self.slow }) else { return nil }
      if speeds.count == 3 {
        let between = SurfacePoint(meanOf: [first.point, last.point])
        return 2 * middle.point.distance(to: between) / RecentMedian.inPlane
      }
    }
    return 2 * middle.point.deviation(between: first.point, last.point) / RecentMedian.ofSmaller
  }
}

/// The variance of a second difference of correlated errors with a deviation of 1.
private func gain(_ lag: Double) -> Double {
  let correlation = exp(-lag / TripNoise.correlation)
  return 6 - 8 * correlation + 2 * correlation * correlation
}

extension TripFix {
  /// Returns the fixes one and two lags before this one, with the actual lag; `nil` if there are none.
  fileprivate func triple(
    among fixes: [TripFix], lag: Double
  ) -> (lag: Double, middle: TripFix, first: TripFix)? {
    guard let middle = fixes.last(where: { seconds - $0.seconds >= lag - 0.1 }) else { return nil }
    let lag = seconds - middle.seconds
    // The nearest fix is used, because a steady movement cancels only if both lags are equal.
    let start = middle.seconds - lag
    guard let earliest = fixes.first, earliest.seconds <= start + 0.1 else { return nil }
    let before = fixes.lastIndex { $0.seconds <= start } ?? 0
    let near = fixes[before...min(before + 1, fixes.count - 1)]
    guard lag <= TripNoise.longestLag,
      let first = near.min(by: { abs($0.seconds - start) < abs($1.seconds - start) }),
      abs(first.seconds - start) <= 0.1 * lag
    else { return nil }
    return (lag, middle, first)
  }
}

/// The median of the latest numbers.
private struct RecentMedian: Sendable {
  /// The median of a normally distributed number's magnitude, of the smaller of two such magnitudes, and of the length
  /// of a vector of two such numbers.
  static let (ofOne, ofSmaller, inPlane) = (0.6745, 0.3755, 1.1774)
  private static let (limit, least) = (128, 16)
  private var numbers: [Double] = []
  private var next = 0
  private(set) var value = 0.0

  /// Adds a number. Returns whether ``value`` is new, because it is computed only for every eighth number.
  mutating func add(_ number: Double) -> Bool {
    if numbers.count < Self.limit { numbers.append(number) } else { numbers[next] = number }
    next = (next + 1) % Self.limit
    guard numbers.count >= Self.least, next.isMultiple(of: 8) else { return false }
    value = numbers.middle
    return true
  }
}
