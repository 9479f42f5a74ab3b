import LocationText

extension Figure {
  /// Speed and height of a receiver that moved, over the distance.
  static func profile(_ figures: ReceiverFigures, _ trips: TripSummary, _ units: ReportUnits)
    -> Figure?
  {
    let length = max(trips.distance, figures.profile.width)
    return profile(
      figures.profile, WayAxis(length, units, from: Panel.left, to: Panel.right), "profile",
      "Speed and height over the distance.", units
    ) { sentence(trips, $0, units) }
  }

  /// Speed and height of a receiver that moved, over time, with its stops.
  static func times(_ figures: ReceiverFigures, _ time: TimeAxis, _ units: ReportUnits)
    -> Figure?
  {
    profile(figures.columns, time, "times", "Speed and height over time.", units) { _ in
      "Without a fix there is neither."
    }
  }

  private static func profile(
    _ columns: FigureColumns, _ axis: some HorizontalAxis, _ name: String, _ title: String,
    _ units: ReportUnits, _ sentence: (ClosedRange<Double>?) -> String
  ) -> Figure? {
    let unit = units.height
    let speeds = columns.extents(of: .speed)?.map { $0.scaled(by: units.speedNumber(1)) }
    let heights = columns.extents(of: .height)?.map { $0.scaled(by: 1 / unit.metres) }
    let panels = [
      speeds.flatMap { extents in
        extents.bounds.map { ("speed, \(units.speedName)", extents, 0...max($0.upperBound, 1)) }
      },
      heights.flatMap { extents in
        extents.bounds.map {
          // A height that does not change still needs a scale.
          (
            "height above mean sea level, \(unit.symbol)", extents,
            $0.lowerBound...max($0.upperBound, $0.lowerBound + 4)
          )
        }
      },
    ].compactMap(\.self)
    guard !panels.isEmpty else { return nil }
    var figure = Figure(
      name, title: title, sentence: sentence(columns.extents(of: .height)?.bounds),
      height: 110 * Double(panels.count) + 36)
    for (index, (name, extents, bounds)) in panels.enumerated() {
      let panel = Panel(columns, axis, bounds, top: 22 + 110 * Double(index), height: 80)
      panel.draw(in: &figure.drawing, name, showsTime: index == panels.count - 1)
      panel.band(extents, "b1", in: &figure.drawing)
    }
    var table = SeriesTable(columns, axis)
    table.add("speed, \(units.speedName)", speeds, places: 1)
    table.add("height, \(unit.symbol)", heights, places: 1)
    figure.table = table.table
    return figure
  }

  private static func sentence(
    _ trips: TripSummary, _ heights: ClosedRange<Double>?, _ units: ReportUnits
  ) -> String {
    let top = trips.speedTop.map { "The highest speed that lasted 3 s was \(units.speed($0))" }
    let range = heights.map {
      "\(top == nil ? "Heights" : "heights") were between \(units.height($0.lowerBound)) and "
        + units.height($0.upperBound)
    }
    let parts = [top, range].compactMap(\.self)
    return parts.isEmpty ? "The speed at each place." : parts.joined(separator: "; ") + "."
  }
}
