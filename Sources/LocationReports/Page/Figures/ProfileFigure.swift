import LocationText

extension Figure {
  /// Speed and height over time.
  static func profile(
    _ scatter: Scatter?, _ positions: PositionFigures?, _ columns: FigureColumns, _ time: TimeAxis,
    _ units: ReportUnits = .metric
  ) -> Figure? {
    let (speedName, factor) = units.slowSpeed
    let unit = units.height
    let speed = columns.extents(of: .speed)?.map { $0.scaled(by: factor) }
    let heights = positions?.heights?.map { $0.scaled(by: 1 / unit.metres) }
    let level = (positions?.level ?? 0) / unit.metres
    let panels = [
      speed.flatMap { extents in
        extents.bounds.map { ("speed, \(speedName)", extents, 0...max($0.upperBound, 1), 0) }
      },
      heights.flatMap { extents in
        extents.bounds.map {
          (
            "\(scatter?.heightDatum?.rawValue ?? "height"), \(unit.symbol)", extents,
            // A height that does not change has a scale of metres all the same.
            ($0.lowerBound + level)...max($0.upperBound + level, $0.lowerBound + level + 4),
            level
          )
        }
      },
    ].compactMap(\.self)
    guard !panels.isEmpty else { return nil }
    var parts: [String] = []
    if let bounds = speed?.bounds {
      parts.append(
        "The highest speed was \(Text.rounded(bounds.upperBound, places: 1)) \(speedName)")
    }
    if let bounds = heights?.bounds {
      parts.append(
        "\(parts.isEmpty ? "Heights" : "heights") were between \(units.height((bounds.lowerBound + level) * unit.metres)) and "
          + units.height((bounds.upperBound + level) * unit.metres))
    }
    var figure = Figure(
      "profile", title: "Speed and height.", sentence: parts.joined(separator: "; ") + ".",
      height: 110 * Double(panels.count) + 36)
    for (index, (name, extents, bounds, offset)) in panels.enumerated() {
      let panel = Panel(columns, time, bounds, top: 22 + 110 * Double(index), height: 80)
      panel.draw(in: &figure.drawing, name, showsTime: index == panels.count - 1)
      panel.band(extents, "b1", offset: offset, in: &figure.drawing)
    }
    var table = SeriesTable(columns, time)
    table.add("speed, \(speedName)", speed, places: 1)
    table.add(
      "height, \(unit.symbol)",
      heights?.map { $0.isEmpty ? $0 : Extent($0.low + Float(level), $0.high + Float(level)) },
      places: 1)
    figure.table = table.table
    return figure
  }
}
