/// The samples of stops, as their deviations from the mean of their own stop, without the heights of a stop that
/// climbs.
struct StopSamples {
  private(set) var samples = Samples()
  /// The mean height of all, in metres above the origin.
  private(set) var meanHeight = 0.0
  /// Where the samples of a stop begin: the first one, and the number of its fix.
  private var beginnings: [(index: Int, number: Int)] = []
  private let step: Int

  /// - Parameter stops: In their order.
  init(of all: Samples, in stops: [Stop]) {
    step = all.step
    var means = Array(repeating: Mean(), count: stops.count)
    func height(_ sample: Sample, _ stop: Int) -> Double? {
      stops[stop].climbs ? nil : sample.height
    }
    Self.forEach(all, in: stops) { stop, _, sample in
      means[stop].add(sample, height(sample, stop))
    }
    var (last, heights, count) = (-1, 0.0, 0.0)
    Self.forEach(all, in: stops) { stop, number, sample in
      if stop != last { beginnings.append((samples.total, number)) }
      last = stop
      let mean = means[stop]
      let height = height(sample, stop)
      if let height {
        heights += height
        count += 1
      }
      samples.append(
        Sample(
          east: sample.east - mean.east / mean.count, north: sample.north - mean.north / mean.count,
          height: height.map { $0 - mean.height / mean.heights }))
    }
    meanHeight = count > 0 ? heights / count : 0
  }

  /// The number of a sample's fix, among all that count.
  var numbers: (Int) -> Int {
    var stop = 0
    return { index in
      while stop + 1 < beginnings.count, beginnings[stop + 1].index <= index { stop += 1 }
      return beginnings[stop].number + (index - beginnings[stop].index) * step
    }
  }

  private static func forEach(
    _ all: Samples, in stops: [Stop], _ body: (_ stop: Int, _ number: Int, Sample) -> Void
  ) {
    var stop = 0
    for (index, sample) in all.enumerated() {
      let number = index * all.step
      while stop < stops.count, stops[stop].fixes.upperBound <= number { stop += 1 }
      guard stop < stops.count else { return }
      if stops[stop].fixes.contains(number) { body(stop, number, sample) }
    }
  }

  private struct Mean {
    var east = 0.0
    var north = 0.0
    var height = 0.0
    var count = 0.0
    var heights = 0.0

    mutating func add(_ sample: Sample, _ height: Double?) {
      east += sample.east
      north += sample.north
      count += 1
      guard let height else { return }
      self.height += height
      heights += 1
    }
  }
}
