/// The data for the figures of a receiver.
struct ReceiverFigures: Hashable, Sendable {
  var timeline: StateTimeline
  var columns: FigureColumns
  var traces: SkyTraces
  var obstructions: ObstructionMap
  /// Where the positions are; `nil` without a fix, and for a receiver that moved and never stopped.
  var positions: PositionFigures?
  /// The track, and speed and height over the distance.
  var track = TrackTrace()
  var profile = FigureColumns()
  /// How far the offsets of the machine's clock are from their median, in seconds: for the serial line, and
  /// for the pulses; `nil` without offsets.
  var serial, pulses: Histogram?
  /// Where the stops are on the plane of the track, in metres.
  var stops: [PlanePoint] = []
}

/// A position on the plane of a receiver, in metres from the centre of a figure.
struct PlanePoint: Hashable, Sendable {
  var east, north: Float
}

/// How the positions and heights of a receiver are spread, over the plane and over time.
struct PositionFigures: Hashable, Sendable {
  /// The vector from the point from which deviations are measured to the mean of the positions.
  var mean: PlanePoint
  /// The horizontal errors in each column of the series, in metres.
  var errors: [Extent]
  /// The deviations of the heights in each column, in metres; `nil` without heights.
  var heights: [Extent]?
  /// The horizontal errors up to which a fix is drawn, in metres; more than zero.
  var range: Double
  /// The positions within the range, if there are at most ``maximumPoints``. Otherwise, ``density`` counts
  /// them.
  var points: [PlanePoint]
  var density: DensityGrid
  /// How many positions are outside of the range.
  var outside: Int
  /// The deviations of the heights; `nil` without heights.
  var heightHistogram: Histogram?

  /// The maximum number of positions that are drawn separately.
  static let maximumPoints = 1000
}

/// The number of positions in each cell of a square about the centre.
struct DensityGrid: Hashable, Sendable {
  static let side = 80

  private var counts = [UInt32](repeating: 0, count: side * side)

  /// - Parameters:
  ///   - column: Counted from the west.
  ///   - row: Counted from the north.
  subscript(column column: Int, row row: Int) -> Int {
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

/// The frequencies of values, in bins of equal width from `-range` to `range`.
struct Histogram: Hashable, Sendable {
  static let bins = 40

  let range: Double
  private(set) var counts = [Int](repeating: 0, count: bins)
  /// How many values are outside.
  private(set) var outside = 0

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
