/// A position on the plane of a receiver. 12 bytes, so that a report of a day is small, and has room
/// for the distances that its percentiles sort.
struct Sample: Sendable {
  /// Metres from the origin; a float holds millimetres up to 8 km.
  let east, north: Float
  /// Metres above the origin; NaN for a fix without a height.
  private let up: Float

  init(east: Double, north: Double, height: Double?) {
    self.east = Float(east)
    self.north = Float(north)
    up = height.map { Float($0) } ?? .nan
  }

  var height: Double? { up.isNaN ? nil : Double(up) }

  func squaredDistance(_ east: Double, _ north: Double) -> Double {
    let (e, n) = (Double(self.east) - east, Double(self.north) - north)
    return e * e + n * n
  }
}

/// Samples in the order in which they came. Of more than a million, every second one is kept, then
/// every fourth, and so on.
///
/// They are kept in pieces: one array would be twice as large as it needs to be while it grows.
struct Samples: Sequence, Sendable {
  static let maximumCount = 256 * piece
  private static let piece = 4096

  private var pieces: [[Sample]] = []
  /// How many samples came, and of how many one is kept.
  private(set) var total = 0
  private(set) var step = 1

  var count: Int { pieces.isEmpty ? 0 : (pieces.count - 1) * Self.piece + pieces.last!.count }

  mutating func append(_ sample: Sample) {
    defer { total += 1 }
    if total & (step - 1) != 0 { return }
    if count == Self.maximumCount {
      thin()
      if total & (step - 1) != 0 { return }
    }
    keep(sample)
  }

  private mutating func keep(_ sample: Sample) {
    if pieces.last?.count ?? Self.piece == Self.piece {
      pieces.append([])
      pieces[pieces.count - 1].reserveCapacity(pieces.count == 1 ? 0 : Self.piece)
    }
    pieces[pieces.count - 1].append(sample)
  }

  private mutating func thin() {
    step *= 2
    let old = pieces
    pieces = []
    for piece in old {
      for index in stride(from: 0, to: piece.count, by: 2) { keep(piece[index]) }
    }
  }

  func makeIterator() -> FlattenSequence<[[Sample]]>.Iterator { pieces.joined().makeIterator() }
}

/// How often each number of milliseconds occurred, up to 65.535 s.
struct MillisecondCounts: Sendable {
  private var counts: [UInt16: Int] = [:]
  private var total = 0

  mutating func add(_ seconds: Double) {
    let milliseconds = UInt16(min(max(0, seconds * 1000), 65_535).rounded())
    counts[milliseconds, default: 0] += 1
    total += 1
  }

  /// The median and the 99th percentile; `nil` if there is nothing.
  var spread: ReceiverReport.Spread? {
    guard total > 0 else { return nil }
    let sorted = counts.sorted { $0.key < $1.key }
    func percentile(_ percent: Int) -> Duration {
      var rest = nearestRank(percent, of: total)
      for (milliseconds, count) in sorted {
        rest -= count
        if rest <= 0 { return .milliseconds(milliseconds) }
      }
      return .zero
    }
    return ReceiverReport.Spread(median: percentile(50), p99: percentile(99))
  }
}

extension [Float] {
  /// Returns the percentile by nearest rank of sorted values.
  func percentile(_ percent: Int) -> Double { Double(self[nearestRank(percent, of: count) - 1]) }
}

/// Returns the rank of a percentile, ⌈p n⌉, counted from 1.
private func nearestRank(_ percent: Int, of count: Int) -> Int {
  max(1, (percent * count + 99) / 100)
}
