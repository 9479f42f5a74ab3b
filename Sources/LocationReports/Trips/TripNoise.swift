#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How much the positions of a receiver wander by themselves, observed while it stands or moves.
///
/// The errors of a receiver are correlated over some time: to a model (Gauss and Markov, of the first order) a
/// deviation s with the correlation exp(-t / T). In a time that is short to T, they diffuse: the displacement has the mean
/// square 4 D t in the plane, with D = s² / T. A steady movement cancels in the second difference
/// x(t) - 2 x(t - h) + x(t - 2h), whose variance along each axis is s² (6 - 8 exp(-h/T) + 2 exp(-2h/T)). Of its parts
/// along the way and across it, the smaller one counts, because a receiver seldom brakes and turns at once.
struct TripNoise: Sendable {
  /// How long errors are correlated, in seconds.
  private static let correlation = 90.0
  /// The medians of the absolute value of a number of a normal distribution, and of the smaller of two.
  private static let (medianOfOne, medianOfSmaller) = (0.6745, 0.3755)
  /// The longest h for places: over a longer one, movements are not steady.
  private static let longestLag = 5.2
  private static let (lag, heightLag) = (4.0, 15.0)
  /// Below this speed, in metres per second, a receiver stands, over any time.
  private static let slow = 0.3

  private var places = RecentMedian()
  private var heights = RecentMedian()
  private var lastHeight = -Double.infinity

  /// D, in m²/s; that of a deviation of 3 m before much was observed.
  private(set) var diffusion = 0.1
  /// The deviation of heights, in metres.
  private(set) var heightDeviation = 2.0
  /// Whether the two were observed.
  private(set) var (knowsPlaces, knowsHeights) = (false, false)

  /// The deviation of places along each axis, in metres.
  var deviation: Double { (diffusion * Self.correlation).squareRoot() }

  /// Records the last one of fixes that follow each other.
  mutating func record(_ fixes: [TripFix]) {
    guard let last = fixes.last else { return }
    if let (lag, middle, first) = Self.triple(of: fixes, lag: Self.lag),
      lag <= Self.longestLag || [first, middle, last].allSatisfy({ $0.speed ?? 1 < Self.slow }),
      places.add(middle.point.deviation(between: first.point, last.point) * 2)
    {
      let deviation = places.value / Self.medianOfSmaller
      knowsPlaces = true
      diffusion = min(deviation * deviation / Self.gain(lag) / Self.correlation, 15)
    }
    guard last.seconds - lastHeight >= Self.heightLag / 3, let height = last.altitude,
      let (lag, middle, first) = Self.triple(of: fixes, lag: Self.heightLag),
      let between = middle.altitude, let before = first.altitude
    else { return }
    lastHeight = last.seconds
    if heights.add(abs(height - 2 * between + before)) {
      knowsHeights = true
      heightDeviation = heights.value / Self.medianOfOne / Self.gain(lag).squareRoot()
    }
  }

  /// The variance of a second difference of a deviation of 1.
  private static func gain(_ lag: Double) -> Double {
    let correlation = exp(-lag / Self.correlation)
    return 6 - 8 * correlation + 2 * correlation * correlation
  }

  /// Returns the fixes a lag and two lags before the last one, with the lag as it is; `nil` if there are none.
  private static func triple(
    of fixes: [TripFix], lag: Double
  ) -> (lag: Double, middle: TripFix, first: TripFix)? {
    guard let last = fixes.last,
      let middle = fixes.last(where: { last.seconds - $0.seconds >= lag - 0.1 })
    else { return nil }
    let lag = last.seconds - middle.seconds
    // The nearest one: where the two lags differ, a steady movement does not cancel.
    let start = middle.seconds - lag
    guard let earliest = fixes.first, earliest.seconds <= start + 0.1 else { return nil }
    let before = fixes.lastIndex { $0.seconds <= start } ?? 0
    let near = fixes[before...min(before + 1, fixes.count - 1)]
    guard lag <= 65,
      let first = near.min(by: { abs($0.seconds - start) < abs($1.seconds - start) }),
      abs(first.seconds - start) <= 0.1 * lag
    else { return nil }
    return (lag, middle, first)
  }
}

/// The median of the last numbers.
private struct RecentMedian: Sendable {
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
