import LocationText

/// Series over time or over distance, as a table of twelve rows.
struct SeriesTable {
  private static let rows = 12

  let columns: FigureColumns
  let time: any HorizontalAxis
  private var names: [String] = []
  private var series: [(extents: [Extent], places: Int)] = []

  init(_ columns: FigureColumns, _ time: some HorizontalAxis) {
    self.columns = columns
    self.time = time
  }

  mutating func add(_ name: String, _ extents: [Extent]?, places: Int) {
    guard let extents else { return }
    names.append(name)
    series.append((extents, places))
  }

  var table: Table {
    var table = Table(header: ["from"] + names)
    let count = columns.count
    let step = max(1, (count + Self.rows - 1) / Self.rows)
    for first in stride(from: 0, to: count, by: step) {
      let cells = series.map { extents, places in
        let part = Array(extents[first..<min(first + step, count)])
        guard let bounds = part.bounds else { return "–" }
        let low = Text.rounded(bounds.lowerBound, places: places)
        let high = Text.rounded(bounds.upperBound, places: places)
        return low == high ? low : "\(low) to \(high)"
      }
      table.rows.append([time.text(Double(first) * columns.width)] + cells)
    }
    return table
  }
}
