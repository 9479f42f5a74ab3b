/// What the figures of a receiver show.
package struct ReceiverFigures: Hashable, Sendable {
  package var timeline: StateTimeline
  package var columns: FigureColumns
  package var traces: SkyTraces
  package var obstructions: ObstructionMap
  /// Where the positions are; `nil` without a fix.
  package var positions: PositionFigures?
}

/// A position on the plane of a receiver, in metres from the centre of a figure.
package struct PlanePoint: Hashable, Sendable {
  package var east, north: Float
  /// Whether no line leads to it: an outage was before.
  package var isStart = false

  package init(east: Float, north: Float, isStart: Bool = false) {
    self.east = east
    self.north = north
    self.isStart = isStart
  }
}

/// How the positions and heights of a receiver are spread, over the plane and over time.
package struct PositionFigures: Hashable, Sendable {
  /// From the point that deviations are taken from to the mean of the positions.
  package var mean: PlanePoint
  /// The horizontal errors in each column of the series, in metres.
  package var errors: [Extent]
  /// The deviations of the heights in each column, in metres; `nil` without heights.
  package var heights: [Extent]?
  /// The height that they deviate from, that of the reference or the mean, in metres.
  package var level: Double
  /// The horizontal errors up to which a fix is drawn, in metres; more than zero.
  package var range: Double
  /// The positions within the range, if there are at most ``maximumPoints``; otherwise they are counted
  /// in ``density``.
  package var points: [PlanePoint]
  package var density: DensityGrid
  /// How many positions are outside of the range.
  package var outside: Int
  /// The deviations of the heights; `nil` without heights.
  package var heightHistogram: Histogram?
  /// The way of the receiver, thinned.
  package var track: [PlanePoint]
  /// Of how many seconds each point of the track is the mean; `nil` if they are positions.
  package var trackMean: Double?

  static let maximumPoints = 1000
}

/// How many positions are in each cell of a square about the centre.
package struct DensityGrid: Hashable, Sendable {
  package static let side = 80

  private var counts = [UInt32](repeating: 0, count: side * side)

  /// - Parameters:
  ///   - column: Counted from the west.
  ///   - row: Counted from the north.
  package subscript(column column: Int, row row: Int) -> Int {
    Int(counts[row * Self.side + column])
  }

  /// - Parameter range: Half the width of the square.
  mutating func add(_ point: PlanePoint, range: Float) -> Bool {
    let side = Float(Self.side)
    let column = ((point.east / range + 1) / 2 * side).rounded(.down)
    let row = ((1 - point.north / range) / 2 * side).rounded(.down)
    guard column >= 0, column < side, row >= 0, row < side else { return false }
    counts[Int(row) * Self.side + Int(column)] += 1
    return true
  }
}

/// How often values occurred, in bins of equal width from `-range` to `range`.
package struct Histogram: Hashable, Sendable {
  package static let bins = 40

  package let range: Double
  package private(set) var counts = [Int](repeating: 0, count: bins)
  /// How many values are outside.
  package private(set) var outside = 0

  init(range: Double) { self.range = range }

  mutating func add(_ value: Double) {
    let bin = ((value / range + 1) / 2 * Double(Self.bins)).rounded(.down)
    // The upper end belongs to the last bin.
    guard value.magnitude <= range else {
      outside += 1
      return
    }
    counts[min(Int(bin), Self.bins - 1)] += 1
  }
}
