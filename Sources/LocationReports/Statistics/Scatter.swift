package import LocationCore
#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// How widely the positions of a receiver scatter, in metres. For a receiver that moved, these are the positions of
/// its stops.
///
/// Percentiles are by nearest rank. A percentile that would be the largest sample is `nil`: the median
/// needs two samples, 95 % twenty, 99 % a hundred. Samples that are a second apart are correlated, so the
/// scatter of a short observation is too small.
package struct Scatter: Hashable, Sendable {
  /// The reference of heights.
  package enum HeightDatum: String, Hashable, Sendable {
    /// The WGS 84 ellipsoid.
    case ellipsoid = "altHAE"
    /// Mean sea level.
    case meanSeaLevel = "altMSL"
  }

  /// An ellipse that contains 95 % of a normal distribution.
  package struct Ellipse: Hashable, Sendable {
    /// The semi-major axis, in metres: 2.4477 times the larger principal deviation.
    package var major: Double
    /// The semi-minor axis, in metres: 2.4477 times the smaller principal deviation.
    package var minor: Double
    /// The direction of the major axis, in degrees clockwise from true north, 0 to less than 180.
    package var azimuth: Double

    /// Creates an ellipse from its semi-axes in metres and the direction of its major axis in degrees.
    package init(major: Double, minor: Double, azimuth: Double) {
      self.major = major
      self.minor = minor
      self.azimuth = azimuth
    }
  }

  /// The deviations of a normal distribution.
  package struct Gaussian: Hashable, Sendable {
    /// In metres: 0.589 (s1 + s2), of the principal deviations (NRC 1995, appendix D; RCC 261-00).
    package var cep50: Double
    /// In metres: 2.4477 s, where s² is the mean of s1² and s2² (Rayleigh); `nil` for fewer than 20 positions.
    package var r95: Double?
    /// In metres: 3.0349 s (Rayleigh); `nil` for fewer than 100 positions.
    package var r99: Double?
    /// In metres: 2 √(s1² + s2²); between 95.5 and 98.2 % of the positions are within it (RCC 261-00, 3.1.4).
    package var drms2: Double
    /// In metres: 0.6745 times the deviation of the heights; `nil` for fewer than two (RCC 261-00, 3.1.2).
    package var vep50: Double?
    /// In metres: 1.96 times the deviation of the heights; `nil` for fewer than two.
    package var vep95: Double?
  }

  /// The smallest length that is not shown as 0.0 mm, in metres.
  static let leastShown = 0.00005

  /// The mean position.
  package var center: Coordinate
  /// The mean height, in metres; `nil` without heights.
  package var centerHeight: Double?
  /// The reference of heights; `nil` without heights.
  package var heightDatum: HeightDatum?
  /// The number of positions from which the scatter is computed: all if there are at most 262,144, otherwise an
  /// evenly spaced part.
  package var positionCount: Int
  /// The number of heights.
  package var heightCount: Int
  /// Whether deviations are measured from a reference instead of from the mean.
  package var isAboutReference: Bool
  /// Whether the receiver moved, so that only the positions of its stops count, each relative to the mean of its
  /// stop. The ``center`` is the mean of all fixes.
  package var isOfStops = false

  /// Half of the positions are within this distance of the center or the reference, in metres; `nil` for a single
  /// position.
  package var cep50: Double?
  /// 95 % of the positions are within this distance, in metres; `nil` for fewer than 20.
  package var r95: Double?
  /// 99 % of the positions are within this distance, in metres; `nil` for fewer than 100.
  package var r99: Double?
  /// The root mean square of the distances, in metres; `nil` for a single position without a reference. Twice this
  /// value is known as 2DRMS.
  package var drms: Double?
  /// Half of the heights deviate by no more than this, in metres; `nil` for fewer than two.
  package var vep50: Double?
  /// 95 % of the heights deviate by no more than this, in metres; `nil` for fewer than 20.
  package var vep95: Double?
  /// The 95 % ellipse about the mean; `nil` for a single position.
  package var ellipse: Ellipse?
  /// The figures of a normal distribution with the same deviations; `nil` for a single position.
  package var gaussian: Gaussian?
  /// The distance that contains 99 % of the positions, or all of fewer than 100.
  package var reach: Double
}

/// The numbers of deviations that contain 95 % and 99 % of a circular normal distribution.
private let (rayleigh95, rayleigh99) = (2.4477, 3.0349)

extension Scatter {
  /// Creates a scatter about a mean, for a test of code that shows it. Distances and heights are in metres. An
  /// argument that is left out is unknown.
  package init(
    about center: Coordinate, positionCount: Int, cep50: Double? = nil, r95: Double? = nil,
    r99: Double? = nil, drms: Double? = nil, centerHeight: Double? = nil,
    heightDatum: HeightDatum? = nil, heightCount: Int = 0, vep50: Double? = nil,
    vep95: Double? = nil, ellipse: Ellipse? = nil,
    isAboutReference: Bool = false, isOfStops: Bool = false
  ) {
    self.init(
      center: center, centerHeight: centerHeight, heightDatum: heightDatum,
      positionCount: positionCount, heightCount: heightCount, isAboutReference: isAboutReference,
      isOfStops: isOfStops, cep50: cep50, r95: r95, r99: r99, drms: drms, vep50: vep50,
      vep95: vep95, ellipse: ellipse, gaussian: nil,
      reach: r99 ?? r95 ?? cep50 ?? 0)
  }

  /// - Parameters:
  ///   - samples: At least one.
  ///   - target: The point from which deviations are measured, on the plane of the samples; `nil` for their
  ///     mean.
  init(
    of samples: Samples, center: Coordinate, heightOrigin: Double, datum: HeightDatum?,
    target: (east: Double, north: Double, height: Double?)?
  ) {
    let mean = Covariances(samples)
    let (east, north) = (target?.east ?? mean.east, target?.north ?? mean.north)
    let up = target?.height.map { $0 - heightOrigin } ?? mean.up
    self.center = center
    isAboutReference = target != nil
    positionCount = samples.count
    heightCount = mean.heights
    heightDatum = heightCount > 0 ? datum : nil
    centerHeight = heightCount > 0 ? heightOrigin + mean.up : nil

    var squares = 0.0
    samples.forEach { squares += $0.squaredDistance(east, north) }
    let flat = samples.percentiles([50, 95, 99]) {
      Float($0.squaredDistance(east, north).squareRoot())
    }
    func unlessLargest(_ percent: Int, _ value: Double, of count: Int) -> Double? {
      isBelowLargest(percent, of: count) ? value : nil
    }
    cep50 = unlessLargest(50, flat[0], of: positionCount)
    r95 = unlessLargest(95, flat[1], of: positionCount)
    r99 = unlessLargest(99, flat[2], of: positionCount)
    reach = flat[2]
    if positionCount > 1 || target != nil {
      drms = (squares / Double(positionCount)).squareRoot()
    }
    if heightCount > 0 {
      let vertical = samples.percentiles([50, 95]) {
        $0.height.map { Float(abs($0 - up)) }
      }
      vep50 = unlessLargest(50, vertical[0], of: heightCount)
      vep95 = unlessLargest(95, vertical[1], of: heightCount)
    }
    guard positionCount > 1 else { return }
    ellipse = Ellipse(
      major: rayleigh95 * mean.principal.larger,
      minor: rayleigh95 * mean.principal.smaller, azimuth: mean.azimuth)
    gaussian = Gaussian(mean, of: positionCount)
  }
}

extension Scatter.Gaussian {
  fileprivate init(_ mean: Covariances, of positions: Int) {
    let (s1, s2) = mean.principal
    let s = ((s1 * s1 + s2 * s2) / 2).squareRoot()
    cep50 = 0.589 * (s1 + s2)
    r95 = isBelowLargest(95, of: positions) ? rayleigh95 * s : nil
    r99 = isBelowLargest(99, of: positions) ? rayleigh99 * s : nil
    drms2 = 2 * (s1 * s1 + s2 * s2).squareRoot()
    guard mean.heights > 1 else { return }
    let sU = mean.upVariance.squareRoot()
    vep50 = 0.6745 * sU
    vep95 = 1.96 * sU
  }
}

/// The means and covariances of samples.
private struct Covariances {
  private(set) var east = 0.0, north = 0.0, up = 0.0
  private(set) var eastVariance = 0.0, northVariance = 0.0, upVariance = 0.0
  private var covariance = 0.0
  private(set) var heights = 0

  init(_ samples: Samples) {
    let count = Double(samples.count)
    for sample in samples {
      east += sample.east
      north += sample.north
      if let height = sample.height {
        up += height
        heights += 1
      }
    }
    east /= count
    north /= count
    up = heights > 0 ? up / Double(heights) : 0
    for sample in samples {
      let (e, n) = (sample.east - east, sample.north - north)
      eastVariance += e * e
      northVariance += n * n
      covariance += e * n
      if let height = sample.height { upVariance += (height - up) * (height - up) }
    }
    eastVariance /= count
    northVariance /= count
    covariance /= count
    upVariance = heights > 0 ? upVariance / Double(heights) : 0
  }

  /// The deviations along the axes of the ellipse: roots of the eigenvalues of the covariance.
  var principal: (larger: Double, smaller: Double) {
    let middle = (eastVariance + northVariance) / 2
    let half = (eastVariance - northVariance) / 2
    let radius = (half * half + covariance * covariance).squareRoot()
    return ((middle + radius).squareRoot(), max(0, middle - radius).squareRoot())
  }

  /// Degrees clockwise from north, from 0 up to 180.
  var azimuth: Double {
    let degrees = atan2(2 * covariance, northVariance - eastVariance) / 2 * 180 / .pi
    return degrees < 0 ? degrees + 180 : degrees
  }
}
