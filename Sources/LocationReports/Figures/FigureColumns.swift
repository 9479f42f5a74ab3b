/// Series over time or over distance, as the lowest and the highest value in each of many columns of equal
/// width.
///
/// At most 1,024 columns are kept. When they are full, pairs of columns are merged.
struct FigureColumns: Hashable, Sendable {
  enum Series: Int, CaseIterable, Sendable {
    /// Metres per second.
    case speed
    /// The errors that the receiver claims, in metres.
    case accuracy, verticalAccuracy
    /// Numbers of satellites.
    case used, seen
    case hdop, vdop, pdop
    /// Signal strengths in dBHz: the strongest signal, and the mean of the used signals.
    case strongestSignal, usedSignal
    /// Metres above mean sea level.
    case height
    /// How far the machine's clock is ahead of the receiver's, in seconds: according to the times over the
    /// serial line, and according to the pulses.
    case serialOffset, pulseOffset
  }

  /// The maximum number of columns. When they are full, pairs are merged.
  static let maximumCount = 1024

  /// The width of a column, in seconds or metres.
  private(set) var width = 0.125
  private var extents: [Extent] = []
  /// The number of fixes up to the end of each column. It never decreases from one column to the next.
  private var fixes: [Int] = []
  /// Whether an outage ended in the column.
  private var isAfterOutage: [Bool] = []
  private var isKnown: [Bool] = Array(repeating: false, count: Series.allCases.count)

  /// The number of columns.
  var count: Int { fixes.count }

  subscript(series: Series, column: Int) -> Extent {
    extents[column * Series.allCases.count + series.rawValue]
  }

  /// Whether a series has a value.
  func has(_ series: Series) -> Bool { isKnown[series.rawValue] }

  /// Whether any signal had a strength.
  var hasSignal: Bool { (extents(of: .strongestSignal)?.bounds?.upperBound ?? 0) > 0 }
  /// Whether the strengths of signals are known, and none is above 0.
  var lacksSignal: Bool { has(.strongestSignal) && !hasSignal }

  /// Returns the extents of a series, one for each column; `nil` if it has no value.
  func extents(of series: Series) -> [Extent]? {
    has(series) ? (0..<count).map { self[series, $0] } : nil
  }

  /// Whether a line is interrupted before the column.
  func isInterrupted(before column: Int) -> Bool { isAfterOutage[column] }

  /// The fixes of a column, counted from 0.
  func fixes(in column: Int) -> Range<Int> {
    (column == 0 ? 0 : fixes[column - 1])..<fixes[column]
  }

  /// Returns the column of a time, and adds it if necessary.
  ///
  /// - Parameter seconds: The time since the beginning of the observation.
  mutating func column(at seconds: Double) -> Int {
    while seconds >= width * Double(Self.maximumCount) { halve() }
    // This is less than the maximum number of columns, because times and distances are finite.
    let column = max(0, Int(seconds / width))
    while count <= column {
      fixes.append(fixes.last ?? 0)
      isAfterOutage.append(false)
      extents.append(contentsOf: repeatElement(.none, count: Series.allCases.count))
    }
    return column
  }

  mutating func add(_ value: Double?, to series: Series, in column: Int) {
    guard let value = value?.ifPlausible else { return }
    extents[column * Series.allCases.count + series.rawValue].add(value)
    isKnown[series.rawValue] = true
  }

  mutating func addFix(in column: Int, afterOutage: Bool) {
    // A fix that was held back can be earlier than the satellites that made the last column.
    for index in column..<count { fixes[index] += 1 }
    if afterOutage { isAfterOutage[column] = true }
  }

  private mutating func halve() {
    width *= 2
    let series = Series.allCases.count
    let half = (count + 1) / 2
    for column in 0..<half {
      let (first, last) = (2 * column, min(2 * column + 1, count - 1))
      fixes[column] = fixes[last]
      isAfterOutage[column] = isAfterOutage[first] || isAfterOutage[last]
      for index in 0..<series {
        var extent = extents[first * series + index]
        extent.add(extents[last * series + index])
        extents[column * series + index] = extent
      }
    }
    isAfterOutage.removeLast(count - half)
    extents.removeLast((count - half) * series)
    fixes.removeLast(count - half)
  }
}
