package import LocationCore
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The mean position of a receiver that stands still, such as a surveyor's point or an antenna.
///
/// The errors of consecutive fixes are correlated, so the standard error is larger than for independent fixes. It is
/// computed from the means of 1, 2, 4, … consecutive fixes, as long as there are eight means; the largest result
/// counts (Flyvbjerg and Petersen, "Error estimates on averages of correlated data", J. Chem. Phys. 91, 1989). It
/// does not include an error that lasts for the whole observation.
///
/// If there are at least eight fixes, a fix is an outlier if it lies more than 6 standard deviations, and more than
/// 10 cm, from the median, in the plane or in height. The standard deviation is estimated from the distance within
/// which three quarters of the fixes lie. The estimate is therefore reliable even if a quarter of the fixes are
/// outliers, or half of them are the same.
///
/// Positions that were surveyed or simulated have no standard error.
///
/// The memory is limited: of more than 262,144 fixes, an evenly spaced part is used.
package struct PositionAverager: Sendable {
  private var plane: LocalPlane?
  private var samples: Samples
  private var device: String?
  private var from: Timestamp?, to: Timestamp?
  /// Whether a position was surveyed or simulated. Such positions do not scatter, however wrong they are.
  private var isGiven = false
  private var heights = HeightDeviation()
  /// The sum and the number of differences between altHAE and altMSL.
  private var separation = (sum: 0.0, count: 0)

  /// Creates an average without fixes.
  package init() { self.init(keeping: Samples.maximumCount) }

  /// - Parameter limit: The maximum number of positions that are kept.
  init(keeping limit: Int) { samples = Samples(limit: limit) }

  /// The number of fixes so far.
  package var fixCount: Int { samples.total }

  /// Adds a fix of the receiver. The first height decides whether heights above the ellipsoid or above mean sea level
  /// are averaged; the height of a 2D fix is ignored.
  package mutating func add(_ fix: LocationFix) {
    if samples.total == 0 { (device, from) = (fix.device, fix.time) }
    to = fix.time ?? to
    if fix.quality == .timeOnly || fix.quality == .simulated { isGiven = true }
    // The plane is at sea level, like the geodesics.
    let plane = self.plane ?? LocalPlane(at: fix.coordinate, height: nil)
    self.plane = plane
    let (east, north) = plane.project(fix.coordinate)
    let height = heights.deviation(of: fix)
    samples.append(Sample(east: east, north: north, height: height))
    if fix.mode == .fix3D, let altHAE = fix.ellipsoidalAltitude?.ifPlausible,
      let altMSL = fix.altitude?.ifPlausible
    {
      separation = (separation.sum + altHAE - altMSL, separation.count + 1)
    }
  }

  /// The mean of the fixes so far; `nil` if there are none.
  package var mean: MeanPosition? {
    guard let plane else { return nil }
    let all = Array(samples)
    let kept = all.withoutOutliers
    let (easts, norths) = (kept.map(\.east), kept.map(\.north))
    let heights = kept.compactMap(\.height)
    let (east, north) = (easts.mean, norths.mean)
    let outliers = (all.count - kept.count) * samples.step
    var position = MeanPosition(
      device: device, start: from, end: to,
      coordinate: plane.origin.moved(
        by: (east * east + north * north).squareRoot(), bearing: atan2(east, north) * 180 / .pi
      ).rounded,
      standardError: isGiven
        ? MeanPosition.StandardError()
        : MeanPosition.StandardError(
          east: easts.standardError, north: norths.standardError, up: heights.standardError),
      fixCount: samples.total - outliers, outlierCount: outliers)
    guard let datum = self.heights.datum, !heights.isEmpty else { return position }
    let mean = self.heights.origin + heights.mean
    let separation =
      self.separation.count > 0 ? self.separation.sum / Double(self.separation.count) : nil
    position.altHAE = (datum == .ellipsoid ? mean : separation.map { mean + $0 })?.rounded(to: 1e4)
    position.altMSL = (datum == .ellipsoid ? separation.map { mean - $0 } : mean)?.rounded(to: 1e4)
    return position
  }
}

extension [Sample] {
  fileprivate var withoutOutliers: [Sample] {
    guard count >= 8 else { return self }
    let (east, north) = (map(\.east).median, map(\.north).median)
    let distances = map { $0.squaredDistance(east, north).squareRoot() }
    // Three quarters of a circular normal distribution are within 1.6651 deviations (Rayleigh).
    let reach = Swift.max(0.1, 6 * distances.upperQuartile / 1.6651)
    let heights = compactMap(\.height)
    let up = heights.median
    // Three quarters of a normal distribution are within 1.1503 deviations.
    let rise = Swift.max(0.1, 6 * heights.map { abs($0 - up) }.upperQuartile / 1.1503)
    return zip(self, distances).compactMap { sample, distance in
      let isHigh = sample.height.map { abs($0 - up) > rise } ?? false
      return distance > reach || isHigh ? nil : sample
    }
  }
}

extension [Double] {
  /// The standard error of the mean of numbers in the order of their arrival; `nil` for fewer than two.
  fileprivate var standardError: Double? {
    guard count > 1 else { return nil }
    var (blocks, largest) = (self, 0.0)
    repeat {
      let mean = blocks.mean
      let squares = blocks.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      largest = Swift.max(
        largest, (squares / Double(blocks.count) / Double(blocks.count - 1)).squareRoot())
      // The last of an odd number is left out.
      blocks = stride(from: 1, to: blocks.count, by: 2).map { (blocks[$0 - 1] + blocks[$0]) / 2 }
    } while blocks.count >= 8
    return largest.rounded(to: 1e5)
  }
}

extension Double {
  fileprivate func rounded(to parts: Double) -> Double { (self * parts).rounded() / parts }
}

extension Coordinate {
  /// The position, rounded to a tenth of a millimetre.
  fileprivate var rounded: Coordinate {
    Coordinate(latitude: latitude.rounded(to: 1e9), longitude: longitude.rounded(to: 1e9)) ?? self
  }
}
