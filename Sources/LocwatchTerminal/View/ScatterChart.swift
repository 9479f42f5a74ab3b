import LocationCore
import LocationReports
import LocationText

/// Positions as dots about their mean, in a circle whose radius is a round number. It shows the scatter of a
/// receiver that stands still, or the track of a receiver that moves.
struct ScatterChart: Sendable {
  let deviations: Deviations?
  let units: UnitSystem
  let showsUTF8: Bool

  /// The radius of the circle in the units of the chart: 1, 2 or 5 times a power of ten.
  static func scale(for maximum: Double) -> Double {
    roundNumber(notBelow: max(maximum, 0.1), steps: [1, 2, 5])
  }

  func draw(on canvas: inout Canvas, in area: Area) {
    guard area.rows >= 4, area.columns >= 8 else { return }
    var area = area
    let title = area.takeTop(1)
    guard let deviations else {
      canvas.put("Scatter", title.column, title.row, .faint, width: title.columns)
      return
    }
    let legend = Area(
      column: area.column, row: area.row + min(area.rows - 1, area.columns / 2),
      columns: area.columns, rows: 1)
    area.rows -= 1
    let scale = Self.scale(for: units.length(deviations.maximum))
    drawText(on: &canvas, title, legend, scale, deviations)

    let rows = min(area.rows, area.columns / 2)
    let chart = Area(
      column: area.column + (area.columns - 2 * rows) / 2, row: area.row, columns: 2 * rows,
      rows: rows)
    let middle = 2 * Double(rows)
    let radius = middle - 1.01
    var points = BrailleGrid(columns: chart.columns, rows: chart.rows)
    func place(_ point: (east: Double, north: Double)) -> (x: Double, y: Double) {
      (
        middle + units.length(point.east) / scale * radius,
        middle - units.length(point.north) / scale * radius
      )
    }
    for point in deviations.points {
      let (x, y) = place(point)
      points.set(x, y)
    }
    if let last = deviations.points.last {
      let (x, y) = place(last)
      canvas.put(
        "+", chart.column + Int(x) / 2, chart.row + Int(y) / 4, .bold)
    }
    var circle = BrailleGrid(columns: chart.columns, rows: chart.rows)
    circle.circle(middle, middle, radius: radius, spacing: showsUTF8 ? 2 : 6)
    points.draw(on: &canvas, in: chart, .bold, showsUTF8: showsUTF8, plain: "*")
    circle.draw(on: &canvas, in: chart, .faint, showsUTF8: showsUTF8)
  }

  private func drawText(
    on canvas: inout Canvas, _ title: Area, _ legend: Area, _ scale: Double,
    _ deviations: Deviations
  ) {
    var elapsed = TextBuffer()
    elapsed.append(elapsed: deviations.duration.inSeconds)
    let minutes = elapsed.string
    let count = deviations.points.count
    let fixes = count == 1 ? "1 fix" : "\(count) fixes in \(minutes)"
    let name = deviations.isTrack ? "Track" : "Scatter"
    let titles = [
      "\(name) of \(fixes), + is the last", "\(name) of \(fixes)", "\(name), \(minutes)",
      "\(name) \(minutes)",
    ]
    canvas.put(
      titles.first { $0.count <= title.columns } ?? name, title.column, title.row, .faint)
    let radius = "circle \(length(scale))"
    let half = length(units.length(deviations.median))
    // For a track, the distance that contains half of the positions has no meaning.
    let legends =
      deviations.isTrack
      ? ["\(radius) about the mean", radius]
      : ["\(radius) about the mean, half within \(half)", "\(radius), half in \(half)", radius]
    canvas.put(
      legends.first { $0.count <= legend.columns } ?? "", legend.column, legend.row, .faint,
      width: legend.columns)
  }

  /// Returns a length in the units of the chart, with two or three digits.
  private func length(_ value: Double) -> String {
    let inKilometres = units == .metric && value >= 1000
    let value = inKilometres ? value / 1000 : value
    let places = value < 0.995 ? 2 : value < 9.95 && value != value.rounded() ? 1 : 0
    return "\(Text.rounded(value, places: places)) \(inKilometres ? "km" : units.lengthName)"
  }
}
