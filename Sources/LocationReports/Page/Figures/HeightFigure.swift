import LocationText

extension Figure {
  /// The deviations of the heights over time, beside their frequencies.
  static func heights(
    _ scatter: Scatter, _ positions: PositionFigures, _ columns: FigureColumns, _ time: TimeAxis,
    _ units: ReportUnits = .metric
  ) -> Figure? {
    guard let heights = positions.heights, let histogram = positions.heightHistogram,
      let vep50 = scatter.vep50
    else { return nil }
    let isHAE = scatter.heightDatum == .ellipsoid
    var figure = Figure(
      "heights", title: "Height error.",
      sentence:
        "Half of the heights above \(isHAE ? "the ellipsoid" : "mean sea level") deviate by "
        + "no more than \(units.length(vep50))"
        + (scatter.vep95.map { ", 95 % by no more than \(units.length($0))" } ?? "") + ".",
      height: 220)
    let unit = units.unit(of: histogram.range)
    let short = TimeAxis(time, to: 300)
    let panel = Panel(
      columns, short, -histogram.range / unit.metres...histogram.range / unit.metres, top: 22,
      height: 150, isExact: true,
      count: 5)
    panel.draw(in: &figure.drawing, "height error, \(unit.symbol)", showsTime: true)
    panel.band(heights.map { $0.scaled(by: 1 / unit.metres) }, "b1", in: &figure.drawing)
    figure.drawing.add(histogram)
    figure.table = table(histogram, unit)
    return figure
  }

  private static func table(
    _ histogram: Histogram, _ unit: ReportUnits.Length
  ) -> Table {
    let width = 2 * histogram.range / Double(Histogram.bins)
    var table = Table(header: ["height error, \(unit.symbol)", "heights"])
    // With five bins for each row, there are eight rows.
    for first in stride(from: 0, to: Histogram.bins, by: 5) {
      let low = -histogram.range + width * Double(first)
      let count = histogram.counts[first..<first + 5].reduce(0, +)
      table.rows.append([
        "\(unit.text(low, places: 2)) to \(unit.text(low + 5 * width, places: 2))",
        "\(count)",
      ])
    }
    if histogram.outside > 0 { table.rows.append(["beyond", "\(histogram.outside)"]) }
    return table
  }
}
