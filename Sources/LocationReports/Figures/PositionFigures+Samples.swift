extension PositionFigures {
  /// - Parameters:
  ///   - origin: The point that deviations are taken from, on the plane of the samples.
  ///   - mean: The mean of the positions, on the same plane.
  ///   - level: The height of the origin.
  ///   - interruptions: The numbers of the first fixes after outages.
  ///   - number: Returns the number of a sample's fix; called for one after another.
  init(
    of samples: Samples, columns: FigureColumns, interruptions: [Int], number: (Int) -> Int,
    origin: (east: Double, north: Double, up: Double), level: Double,
    mean: (east: Double, north: Double), scatter: Scatter
  ) {
    self.level = level
    self.mean = PlanePoint(
      east: Float(mean.east - origin.east), north: Float(mean.north - origin.north))
    let axis = scatter.ellipse?.major ?? 0
    range = Self.range(atLeast: max(0.1, scatter.reach * 1.15, axis * 1.02))
    errors = Array(repeating: .none, count: columns.count)
    var heights = errors
    var density = DensityGrid()
    var points: [PlanePoint] = []
    let fewPoints = samples.count <= Self.maximumPoints
    var track = TrackThinning(
      scatter: scatter, columns: columns.count, interruptions: interruptions)
    var column = 0
    var outside = 0
    for (index, sample) in samples.enumerated() {
      let number = number(index)
      while column < columns.count - 1, columns.fixes(in: column).upperBound <= number {
        column += 1
      }
      let point = PlanePoint(
        east: Float(sample.east - origin.east),
        north: Float(sample.north - origin.north))
      errors[column].add(sample.squaredDistance(origin.east, origin.north).squareRoot())
      if let height = sample.height { heights[column].add(height - origin.up) }
      let isInside = density.add(point, range: Float(range))
      if !isInside { outside += 1 }
      if fewPoints, isInside { points.append(point) }
      track.add(point, number: number, column: column)
    }
    self.outside = outside
    self.density = density
    self.points = points
    self.track = track.points
    trackMean = track.columnsOfMean.map { Double($0) * columns.width }
    guard scatter.heightCount > 0 else { return }
    let greatest = heights.reduce(0) { greatest, extent in
      extent.isEmpty ? greatest : max(greatest, Double(max(-extent.low, extent.high)))
    }
    let usual = scatter.vep95.map { 2.2 * $0 } ?? greatest
    var histogram = Histogram(range: Self.range(atLeast: max(0.1, min(greatest, usual))))
    for case let height? in samples.lazy.map(\.height) { histogram.add(height - origin.up) }
    heightHistogram = histogram
    self.heights = heights
  }

  private static func range(atLeast value: Double) -> Double {
    roundNumber(notBelow: value, steps: [1, 1.5, 2, 3, 4, 5, 6, 8])
  }
}

/// Thins a way: of a receiver that moves, to points some distance apart; of one that stands, to the
/// means of about a hundred times, which show where it seems to go.
struct TrackThinning {
  /// The maximum number of points of a track in a figure.
  private static let maximumPoints = 4000
  /// Positions that scatter no further than this, in metres, are of a receiver that stands.
  private static let standing = 25.0

  private(set) var points: [PlanePoint] = []
  /// How many columns make a point of a receiver that stands; `nil` for one that moves.
  let columnsOfMean: Int?
  private var distance: Float
  private let interruptions: [Int]
  private var nextInterruption = 0
  private var isInterrupted = true
  private var sum = (east: 0.0, north: 0.0, count: 0.0, group: -1)

  init(scatter: Scatter, columns: Int, interruptions: [Int]) {
    columnsOfMean = scatter.reach < Self.standing ? max(1, (columns + 99) / 100) : nil
    distance = Float(max(scatter.reach / 1000, 0.5))
    self.interruptions = interruptions
  }

  mutating func add(_ point: PlanePoint, number: Int, column: Int) {
    while nextInterruption < interruptions.count, interruptions[nextInterruption] <= number {
      nextInterruption += 1
      isInterrupted = true
    }
    var point = point
    if let columnsOfMean {
      // Another group of columns begins, and the last point becomes the mean of its own.
      let group = column / columnsOfMean
      if sum.group != group || isInterrupted {
        sum = (0, 0, 0, group)
        point.isStart = isInterrupted
        points.append(point)
        isInterrupted = false
      }
      sum.east += Double(point.east)
      sum.north += Double(point.north)
      sum.count += 1
      points[points.count - 1].east = Float(sum.east / sum.count)
      points[points.count - 1].north = Float(sum.north / sum.count)
      return
    }
    if !isInterrupted, let last = points.last, last.isWithin(distance, of: point) { return }
    point.isStart = isInterrupted
    points.append(point)
    isInterrupted = false
    if points.count > Self.maximumPoints { thin() }
  }

  private mutating func thin() {
    distance *= 2
    var thinned: [PlanePoint] = []
    for point in points {
      if !point.isStart, let last = thinned.last, last.isWithin(distance, of: point) { continue }
      thinned.append(point)
    }
    // If most points begin after an outage, they cannot be thinned by distance.
    if thinned.count > Self.maximumPoints * 3 / 4 {
      thinned = stride(from: 0, to: thinned.count, by: 2).map { thinned[$0] }
    }
    points = thinned
  }
}

extension PlanePoint {
  fileprivate func isWithin(_ distance: Float, of other: PlanePoint) -> Bool {
    let (e, n) = (east - other.east, north - other.north)
    return e * e + n * n < distance * distance
  }
}
