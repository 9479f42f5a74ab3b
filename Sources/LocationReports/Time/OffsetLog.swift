import LocationCore

/// How far a machine's clock is ahead of a receiver's, for each comparison.
struct OffsetLog: Sendable {
  /// If two offsets differ by this much, in seconds, the clock was set between them.
  private static let step = 0.5

  private(set) var count = 0
  /// The offsets, in seconds; an evenly spaced part if there are more than 4,096.
  private var part = EvenSample<Double>(limit: 4096)
  private var last: Double?
  /// An offset that is far from the last one. The next one shows whether the clock was set or a report was late.
  private var doubtful: Double?

  /// Adds an offset in seconds.
  ///
  /// - Returns: By how many seconds the clock was set; `nil` if it was not set. If it was, earlier offsets no
  ///   longer count.
  mutating func add(_ offset: Double) -> Double? {
    guard let offset = offset.ifPlausible else { return nil }
    guard let last, abs(offset - last) >= Self.step else {
      if let late = doubtful.take() { record(late) }
      record(offset)
      last = offset
      return nil
    }
    guard let first = doubtful, abs(offset - first) < Self.step else {
      if let late = doubtful { record(late) }
      doubtful = offset
      return nil
    }
    self = OffsetLog()
    record(first)
    record(offset)
    self.last = offset
    return first - last
  }

  private mutating func record(_ offset: Double) {
    _ = part.add(offset)
    count += 1
  }

  /// The median, and the distance from it that contains 95 % of the offsets; `nil` if there are no offsets.
  var spread: ReceiverReport.ClockOffset? {
    let sorted = part.elements.sorted()
    guard let median = sorted.quantile(50) else { return nil }
    let deviations = sorted.map { abs($0 - median) }.sorted()
    return ReceiverReport.ClockOffset(
      count: count, median: .seconds(median),
      within95: deviations.count < 20 ? nil : deviations.quantile(95).map(Duration.seconds))
  }

  /// The frequencies of the offsets, about their median; `nil` if there are no offsets.
  var histogram: Histogram? {
    guard let spread else { return nil }
    let median = spread.median.inSeconds
    let usual = (spread.within95 ?? .zero).inSeconds
    var histogram = Histogram(
      range: roundNumber(notBelow: max(1e-9, 2.2 * usual), steps: [1, 1.5, 2, 3, 4, 5, 6, 8]))
    for offset in part.elements { histogram.add(offset - median) }
    return histogram
  }
}

extension [Double] {
  /// Returns a percentile of sorted numbers by nearest rank; `nil` if there are none.
  fileprivate func quantile(_ percent: Int) -> Double? {
    isEmpty ? nil : self[nearestRank(percent, of: count) - 1]
  }
}
