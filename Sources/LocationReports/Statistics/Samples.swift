/// A position on the plane of a receiver.
struct Sample: Sendable {
  /// Metres from the origin.
  let east, north: Double
  /// Metres above the origin; `nil` for a fix without a height.
  let height: Double?

  func squaredDistance(_ east: Double, _ north: Double) -> Double {
    let (e, n) = (self.east - east, self.north - north)
    return e * e + n * n
  }
}

/// Samples in the order in which they came. Of more than a million, every second one is kept, then
/// every fourth, and so on.
///
/// Each is kept as its differences from the one before, in tenths of a millimetre: about eight bytes,
/// so that a report of a day is small. The bytes are in pieces, because one array would be twice as
/// large as it needs to be while it grows.
struct Samples: Sequence, Sendable {
  /// The maximum number of samples. Beyond it, every second one is kept, then every fourth.
  static let maximumCount = 1 << 20
  private static let pieceSize = 16_000

  private var pieces: [[UInt8]] = []
  private var last = SampleUnits()
  /// How many samples are kept, how many came, and of how many one is kept.
  private(set) var count = 0
  private(set) var total = 0
  private(set) var step = 1
  /// How many samples are kept at the most.
  private let limit: Int

  init(limit: Int = Samples.maximumCount) { self.limit = limit }

  mutating func append(_ sample: Sample) {
    defer { total += 1 }
    if total & (step - 1) != 0 { return }
    if count == limit {
      thin()
      if total & (step - 1) != 0 { return }
    }
    keep(sample)
  }

  private mutating func keep(_ sample: Sample) {
    if pieces.last?.count ?? Self.pieceSize > Self.pieceSize - SampleUnits.maximumSize {
      pieces.append([])
      if pieces.count > 1 { pieces[pieces.count - 1].reserveCapacity(Self.pieceSize) }
    }
    let next = SampleUnits(sample, after: last)
    next.append(to: &pieces[pieces.count - 1], after: last)
    last = next
    count += 1
  }

  private mutating func thin() {
    let old = self
    (pieces, last, count) = ([], SampleUnits(), 0)
    step *= 2
    for (index, sample) in old.enumerated() where index.isMultiple(of: 2) { keep(sample) }
  }

  /// The same positions.
  var withoutHeights: Samples {
    var samples = Samples(limit: limit)
    for sample in self {
      samples.append(Sample(east: sample.east, north: sample.north, height: nil))
    }
    return samples
  }

  func makeIterator() -> Iterator { Iterator(pieces: pieces) }

  struct Iterator: IteratorProtocol {
    fileprivate let pieces: [[UInt8]]
    private var piece = 0
    private var index = 0
    private var units = SampleUnits()

    fileprivate init(pieces: [[UInt8]]) { self.pieces = pieces }

    mutating func next() -> Sample? {
      if piece < pieces.count, index == pieces[piece].count { (piece, index) = (piece + 1, 0) }
      guard piece < pieces.count else { return nil }
      units.read(from: pieces[piece], &index)
      return units.sample
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
}

/// A sample in tenths of a millimetre.
private struct SampleUnits: Sendable {
  /// The maximum size of a sample in bytes: ten for each number.
  static let maximumSize = 30
  private static let perMetre = 10_000.0
  /// No position on Earth is farther away; a height may be nonsense.
  private static let range = -1e10...1e10

  private var east: Int64 = 0, north: Int64 = 0, up: Int64 = 0
  private var hasHeight = false

  init() {}

  /// A sample without a height has the previous one's, which takes a byte.
  init(_ sample: Sample, after last: SampleUnits) {
    east = Self.units(sample.east)
    north = Self.units(sample.north)
    up = sample.height.map(Self.units) ?? last.up
    hasHeight = sample.height != nil
  }

  var sample: Sample {
    Sample(
      east: Double(east) / Self.perMetre, north: Double(north) / Self.perMetre,
      height: hasHeight ? Double(up) / Self.perMetre : nil)
  }

  func append(to bytes: inout [UInt8], after last: SampleUnits) {
    bytes.append(zigzag(east - last.east) << 1 | (hasHeight ? 1 : 0))
    bytes.append(zigzag(north - last.north))
    bytes.append(zigzag(up - last.up))
  }

  mutating func read(from bytes: [UInt8], _ index: inout Int) {
    let first = bytes.number(&index)
    hasHeight = first & 1 == 1
    east += difference(first >> 1)
    north += difference(bytes.number(&index))
    up += difference(bytes.number(&index))
  }

  private static func units(_ metres: Double) -> Int64 {
    Int64((min(max(metres, range.lowerBound), range.upperBound) * perMetre).rounded())
  }
}

/// Returns 0, 1, 2, 3, … for 0, -1, 1, -2, …: a small number for a small difference.
private func zigzag(_ difference: Int64) -> UInt64 {
  UInt64(bitPattern: difference << 1 ^ difference >> 63)
}

private func difference(_ zigzag: UInt64) -> Int64 {
  Int64(bitPattern: zigzag >> 1) ^ -Int64(bitPattern: zigzag & 1)
}

extension [UInt8] {
  /// Appends a number, seven bits a byte, the lowest first; the highest bit says that more follow.
  fileprivate mutating func append(_ number: UInt64) {
    var rest = number
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  @inline(__always)
  fileprivate func number(_ index: inout Int) -> UInt64 {
    var byte = UInt64(self[index])
    index &+= 1
    var number = byte & 0x7F
    var shift: UInt64 = 7
    while byte >= 0x80 {
      byte = UInt64(self[index])
      index &+= 1
      number |= (byte & 0x7F) &<< shift
      shift &+= 7
    }
    return number
  }
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
    return ReceiverReport.Spread(
      median: percentile(50), p99: isBelowLargest(99, of: total) ? percentile(99) : nil)
  }
}

/// Returns whether a percentile by nearest rank can differ from the largest value.
func isBelowLargest(_ percent: Int, of count: Int) -> Bool {
  nearestRank(percent, of: count) < count
}

/// Returns the rank of a percentile, ⌈p n⌉, counted from 1.
func nearestRank(_ percent: Int, of count: Int) -> Int {
  max(1, (percent * count + 99) / 100)
}
