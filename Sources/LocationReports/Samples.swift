/// A position on the plane of a receiver. 12 bytes, so that a report of a day is small.
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

  func forEach(_ body: (Sample) -> Void) {
    for piece in pieces {
      for index in piece.indices { body(piece[index]) }
    }
  }

  /// Returns percentiles by nearest rank of values of the samples.
  ///
  /// The values are not sorted, which would take memory for each. Of each percentile, a third of the
  /// bits is found in each of three passes: those of numbers that are not negative are in their order.
  ///
  /// - Parameters:
  ///   - count: How many samples have a value; at least one.
  ///   - value: Returns a number that is not negative; `nil` for none.
  func percentiles(_ percents: [Int], of count: Int, _ value: (Sample) -> Float?) -> [Double] {
    var ranks = percents.map { nearestRank($0, of: count) }
    var known = [UInt32](repeating: 0, count: percents.count)
    for (shift, width) in [(21, 11), (10, 11), (0, 10)] as [(UInt32, UInt32)] {
      let size = 1 << Int(width)
      var counts = [UInt32](repeating: 0, count: size * percents.count)
      forEach { sample in
        guard let bits = value(sample)?.bitPattern else { return }
        for index in 0..<known.count where UInt64(bits) >> UInt64(shift + width) == known[index] {
          counts[index * size + (Int(bits >> shift) & (size - 1))] += 1
        }
      }
      for index in known.indices {
        var digit = 0
        while ranks[index] > counts[index * size + digit] {
          ranks[index] -= Int(counts[index * size + digit])
          digit += 1
        }
        known[index] = known[index] << width | UInt32(digit)
      }
    }
    return known.map { Double(Float(bitPattern: $0)) }
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

/// Returns the rank of a percentile, ⌈p n⌉, counted from 1.
private func nearestRank(_ percent: Int, of count: Int) -> Int {
  max(1, (percent * count + 99) / 100)
}
