extension PositionFigures {
  /// - Parameters:
  ///   - origin: The point from which deviations are measured, on the plane of the samples.
  ///   - mean: The mean of the positions, on the same plane.
  ///   - number: Returns the number of a sample's fix. It is called for each sample in order.
  init(
    of samples: Samples, columns: FigureColumns, number: (Int) -> Int,
    origin: (east: Double, north: Double, up: Double), mean: (east: Double, north: Double),
    scatter: Scatter
  ) {
    self.mean = PlanePoint(
      east: Float(mean.east - origin.east), north: Float(mean.north - origin.north))
    let axis = scatter.ellipse?.major ?? 0
    range = Self.range(atLeast: max(0.1, scatter.reach * 1.15, axis * 1.02))
    errors = Array(repeating: .none, count: columns.count)
    var heights = errors
    var density = DensityGrid()
    var points: [PlanePoint] = []
    let fewPoints = samples.count <= Self.maximumPoints
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
    }
    self.outside = outside
    self.density = density
    self.points = points
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
