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

/// Samples in the order of their arrival, rounded to a tenth of a millimetre.
struct Samples: Sequence, Sendable {
  /// The maximum number of samples: three days at 1 Hz. Beyond it, every second one is kept, then every fourth.
  static let maximumCount = 1 << 18

  private var kept: EvenSample<Sample>

  init(limit: Int = Samples.maximumCount) { kept = EvenSample(limit: limit) }

  /// The number of samples so far, and how many there were for each sample that is kept.
  var total: Int { kept.total }
  var step: Int { kept.step }

  /// The number of samples that are kept.
  var count: Int { kept.elements.count }

  mutating func append(_ sample: Sample) { _ = kept.add(sample.rounded) }

  /// The same samples without heights.
  var withoutHeights: Samples {
    var samples = Samples(limit: kept.limit)
    for sample in self {
      samples.append(Sample(east: sample.east, north: sample.north, height: nil))
    }
    return samples
  }

  func makeIterator() -> IndexingIterator<[Sample]> { kept.elements.makeIterator() }

  /// Returns percentiles of values of the samples, by nearest rank.
  ///
  /// - Parameter value: Returns the value of a sample; `nil` if it has none. At least one sample has a value.
  func percentiles(_ percents: [Int], _ value: (Sample) -> Float?) -> [Double] {
    let values = kept.elements.compactMap(value).sorted()
    return percents.map { Double(values[nearestRank($0, of: values.count) - 1]) }
  }
}

extension Sample {
  /// The sample, rounded to a tenth of a millimetre. Its height may be absurd.
  fileprivate var rounded: Sample {
    func units(_ metres: Double) -> Double {
      // Adding zero turns a negative zero into zero.
      ((min(max(metres, -1e10), 1e10) * 10_000).rounded() + 0) / 10_000
    }
    return Sample(east: units(east), north: units(north), height: height.map(units))
  }
}

/// How often each age or interval occurred: in milliseconds below a minute, and in seconds from there to a day, so that
/// the number of different ones is limited.
struct MillisecondCounts: Sendable {
  private var counts: [Int32: Int] = [:]
  private var total = 0

  mutating func add(_ seconds: Double) {
    let seconds = min(max(0, seconds), 86_400)
    let milliseconds = seconds < 60 ? (seconds * 1000).rounded() : seconds.rounded() * 1000
    counts[Int32(milliseconds), default: 0] += 1
    total += 1
  }

  /// The median and the 99th percentile; `nil` if nothing was counted.
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
