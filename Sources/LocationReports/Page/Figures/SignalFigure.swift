import LocationText

extension Figure {
  /// Satellites, dilution of precision and signal strength, one below the other.
  static func signals(_ columns: FigureColumns, _ time: TimeAxis) -> Figure? {
    let panels:
      [(
        name: String, low: FigureColumns.Series, high: FigureColumns.Series, names: [String]
      )] = [
        ("satellites", .used, .seen, ["used", "seen"]),
        ("dilution of precision", .hdop, .pdop, ["HDOP", "PDOP"]),
        ("C/N0, dBHz", .usedSignal, .strongestSignal, ["mean of the used", "strongest"]),
      ].filter { columns.has($0.low) || columns.has($0.high) }
        // Without signals, an axis from 0 to 1 would have no meaning.
        .filter { $0.high != .strongestSignal || columns.hasSignal }
    guard !panels.isEmpty else { return nil }
    var figure = Figure(
      "signals", title: "Satellites and signals.", sentence: sentence(about: columns),
      height: 98 * Double(panels.count) + 36)
    var isCut = false
    for (index, panel) in panels.enumerated() {
      let (low, high) = (columns.extents(of: panel.low), columns.extents(of: panel.high))
      guard let bounds = ((low ?? []) + (high ?? [])).bounds else { continue }
      // A DOP of 99.99 means that there is no fix. The scale shows the usable range.
      let top = panel.low == .hdop ? min(bounds.upperBound, 10) : bounds.upperBound
      let drawn = Panel(
        columns, time, 0...max(top, 1), top: 22 + 98 * Double(index), height: 68)
      isCut = isCut || drawn.cuts(bounds.upperBound)
      drawn.draw(in: &figure.drawing, panel.name, showsTime: index == panels.count - 1)
      drawn.drawLegend(
        [(low, "b1"), (high, "b2")].enumerated().compactMap { index, series in
          series.0 == nil ? nil : (series.1, panel.names[index])
        }, in: &figure.drawing)
      for (extents, kind) in [(high, "b2"), (low, "b1")] {
        guard let extents else { continue }
        drawn.band(extents, kind, interruptedBy: .none, in: &figure.drawing)
      }
    }
    if isCut { figure.sentence += " A DOP beyond its scale is drawn at the upper end." }
    var table = SeriesTable(columns, time)
    table.add("used", columns.extents(of: .used), places: 0)
    table.add("seen", columns.extents(of: .seen), places: 0)
    table.add("HDOP", columns.extents(of: .hdop), places: 1)
    table.add("VDOP", columns.extents(of: .vdop), places: 1)
    table.add("PDOP", columns.extents(of: .pdop), places: 1)
    table.add("C/N0 used", columns.extents(of: .usedSignal), places: 1)
    table.add("strongest", columns.extents(of: .strongestSignal), places: 1)
    figure.table = table.table
    return figure
  }

  private static func sentence(about columns: FigureColumns) -> String {
    func median(_ series: FigureColumns.Series, _ places: Int) -> String? {
      columns.extents(of: series)?.median.map { Text.rounded($0, places: places) }
    }
    let parts = [
      median(.used, 0).map { "\($0) satellites used" },
      median(.hdop, 1).map { "HDOP \($0)" },
      median(.usedSignal, 0).map { "a mean C/N0 of \($0) dBHz" },
    ].compactMap(\.self)
    if columns.lacksSignal { return "No satellite had a signal." }
    return parts.isEmpty
      ? "Only numbers of satellites are known." : "Medians: \(parts.joined(separator: ", "))."
  }
}
