import LocationCore
import LocationText

/// The sky, with the zenith in the middle, north up and east on the right. The horizon is a circle. The
/// elevations of 30 and 60 degrees are dotted circles.
struct SkyChart: Sendable {
  let satellites: [Satellite]
  let showsUTF8: Bool

  /// The size of the largest chart that fits into an area.
  static func size(in area: Area) -> (columns: Int, rows: Int) {
    let rows = min(area.rows, area.columns / 2)
    return (2 * rows, rows)
  }

  /// Draws the chart in the middle of an area.
  func draw(on canvas: inout Canvas, in area: Area) {
    let size = Self.size(in: area)
    guard size.rows >= 4 else { return }
    let chart = Area(
      column: area.column + (area.columns - size.columns) / 2,
      row: area.row + (area.rows - size.rows) / 2, columns: size.columns, rows: size.rows)
    drawLabels(on: &canvas, in: chart)
    drawCircles(on: &canvas, in: chart)
  }

  /// The radius of the horizon, in dots. Labels on the horizon need a column on each side. The radius is
  /// slightly less than a whole number, so that the circle is symmetric.
  private func radius(in chart: Area) -> Double { Double(chart.columns) - 2.01 }

  private func drawCircles(on canvas: inout Canvas, in chart: Area) {
    let middle = Double(chart.columns)
    let radius = radius(in: chart)
    let (column, row) = (chart.column + chart.columns / 2, chart.row + chart.rows / 2)
    let (right, bottom) = (chart.column + chart.columns - 2, chart.row + chart.rows - 1)
    for (letter, column, row) in [
      ("N", column, chart.row), ("E", right, row), ("S", column, bottom),
      ("W", chart.column + 1, row),
    ] {
      drawCompass(letter, on: &canvas, column, row)
    }
    var grid = BrailleGrid(columns: chart.columns, rows: chart.rows)
    grid.circle(middle, middle, radius: radius, spacing: 0.8)
    let spacing: Double = showsUTF8 ? 4 : 8
    for part in [1.0 / 3, 2.0 / 3] {
      grid.circle(middle, middle, radius: radius * part, spacing: spacing)
    }
    grid.set(middle, middle)
    grid.draw(on: &canvas, in: chart, .faint, showsUTF8: showsUTF8)
  }

  /// Draws a letter of the compass at its place, or a few cells along the horizon if a satellite is there.
  private func drawCompass(_ letter: String, on canvas: inout Canvas, _ column: Int, _ row: Int) {
    let isOnTop = letter == "N" || letter == "S"
    let asides = isOnTop ? [2, -2, 3, -3, 4, -4].map { ($0, 0) } : [(0, -1), (0, 1)]
    for (x, y) in [(0, 0)] + asides {
      let (column, row) = (column + x, row + y)
      // A letter beside its place keeps a distance from the label there.
      let gap = (x, y) == (0, 0) ? 0 : 1
      guard (column - gap...column + gap).allSatisfy({ canvas[$0, row].scalar == " " }) else {
        continue
      }
      canvas.put(letter, column, row, .faint)
      return
    }
  }

  /// Draws the labels as near to their places as possible, with used satellites first.
  private func drawLabels(on canvas: inout Canvas, in chart: Area) {
    let radius = radius(in: chart)
    for isUsed in [true, false] {
      for satellite in satellites where satellite.isUsed == isUsed {
        guard
          let position = SkyPosition(elevation: satellite.elevation, azimuth: satellite.azimuth)
        else { continue }
        let x = (Double(chart.columns) + position.x * radius) / 2
        let y = (Double(chart.columns) + position.y * radius) / 4
        let row = chart.row + Int(y)
        let label = SatelliteLabel(satellite)
        for text in [label.text, label.letter] {
          if let place = room(for: text, around: x, row, in: chart, of: canvas) {
            canvas.put(text, place.column, place.row, CellStyle(satellite))
            break
          }
        }
      }
    }
  }

  /// Returns where a label begins; `nil` if there is no room within two columns or one row of its place,
  /// which are about the same distance. Labels touch each other only if there is no other room.
  private func room(
    for text: String, around x: Double, _ row: Int, in chart: Area, of canvas: Canvas
  ) -> (column: Int, row: Int)? {
    let width = text.count
    let (first, last) = (chart.column, chart.column + chart.columns - width)
    let rows = chart.row..<(chart.row + chart.rows)
    let place = chart.column + Int((x - Double(width) / 2).rounded())
    for (row, gap) in [(row, 1), (row, 0), (row - 1, 1), (row + 1, 1)] where rows.contains(row) {
      for aside in [0, 1, -1, 2, -2] {
        let column = min(max(place + aside, first), last)
        let cells = (column - gap)..<(column + width + gap)
        if cells.allSatisfy({ canvas[$0, row].scalar == " " }) { return (column, row) }
      }
    }
    return nil
  }
}
