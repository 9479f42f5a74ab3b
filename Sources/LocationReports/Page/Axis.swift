import LocationText

/// A linear scale from values to places in a drawing, with round numbers as ticks.
struct Axis {
  let low, high: Double
  /// The places of `low` and `high`.
  let start, end: Double
  let ticks: [Double]
  private let places: Int

  /// - Parameters:
  ///   - values: The lowest and the highest value. The scale begins and ends at ticks.
  ///   - count: The approximate number of ticks.
  init(_ values: ClosedRange<Double>, from start: Double, to end: Double, count: Int = 4) {
    let width = values.upperBound - values.lowerBound
    let spread = width > 0 ? width : max(values.upperBound.magnitude * 0.1, 0.001)
    let step = roundNumber(notBelow: spread / Double(count), steps: [1, 2, 5])
    let first = (values.lowerBound / step + 1e-9).rounded(.down)
    let last = max((values.upperBound / step - 1e-9).rounded(.up), first + 1)
    ticks = stride(from: first, through: last, by: 1).map { $0 * step }
    (low, high) = (first * step, last * step)
    (self.start, self.end) = (start, end)
    var places = 0
    var unit = step
    while unit < 0.999, places < 6 {
      unit *= 10
      places += 1
    }
    self.places = places
  }

  /// A scale between two values, which need not be ticks.
  init(exactly values: ClosedRange<Double>, from start: Double, to end: Double, count: Int = 4) {
    let inner = Axis(values, from: start, to: end, count: count)
    self.init(
      values, from: start, to: end, ticks: inner.ticks.filter { values.contains($0) },
      places: inner.places)
  }

  private init(
    _ values: ClosedRange<Double>, from start: Double, to end: Double, ticks: [Double], places: Int
  ) {
    (low, high) = (values.lowerBound, values.upperBound)
    (self.start, self.end) = (start, end)
    self.ticks = ticks
    self.places = places
  }

  /// Returns the place of a value. A value beyond an end is placed at the end.
  func place(_ value: Double) -> Double {
    start + (min(max(value, low), high) - low) / (high - low) * (end - start)
  }

  func label(_ tick: Double) -> String { Text.rounded(tick, places: places) }
}
