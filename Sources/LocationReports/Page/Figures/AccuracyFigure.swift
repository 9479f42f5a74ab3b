import LocationText

extension Figure {
  /// The error that the receiver claims against the error that was observed, where it was.
  static func accuracy(
    _ scatter: Scatter?, _ positions: PositionFigures?, _ columns: FigureColumns, _ time: TimeAxis,
    _ units: ReportUnits = .metric
  ) -> Figure? {
    let claimed = columns.extents(of: .accuracy)
    let isObserved = scatter != nil
    let claimedHeight =
      isObserved && positions?.heights == nil ? nil : columns.extents(of: .verticalAccuracy)
    guard claimed != nil || claimedHeight != nil else { return nil }
    let panels = [
      claimed.map { ("horizontal error", $0, positions?.errors ?? []) },
      claimedHeight.map { claimed in
        ("vertical error", claimed, positions?.heights?.map(\.magnitude) ?? [])
      },
    ].compactMap(\.self)
    var figure = Figure(
      "accuracy", title: isObserved ? "Claimed and observed error." : "Claimed error.",
      sentence: sentence(scatter, claimed, claimedHeight, units),
      height: 118 * Double(panels.count) + 30)
    for (index, (name, claimed, observed)) in panels.enumerated() {
      guard let bounds = (claimed + observed).bounds, let median = claimed.median else { continue }
      // Before a first fix in 3D, gpsd claims kilometres. Such a claim stays at the upper end.
      let top = min(bounds.upperBound, 4 * max(median, observed.bounds?.upperBound ?? 0))
      let unit = units.unit(of: max(top, 0.1))
      let panel = Panel(
        columns, time, 0...max(top, 0.1) / unit.metres, top: 22 + 118 * Double(index), height: 88)
      panel.draw(
        in: &figure.drawing, "\(name), \(unit.symbol)", showsTime: index == panels.count - 1)
      panel.drawLegend(
        [("b3", "claimed")] + (isObserved ? [("b1", "observed")] : []), in: &figure.drawing)
      func scaled(_ extents: [Extent]) -> [Extent] {
        extents.map { $0.scaled(by: 1 / unit.metres) }
      }
      panel.band(scaled(observed), "b1", in: &figure.drawing)
      panel.line(scaled(claimed), "b3", in: &figure.drawing)
    }
    var table = SeriesTable(columns, time)
    let unit = units.height
    func add(_ name: String, _ extents: [Extent]?) {
      let name = unit.metres == 1 ? name : "\(name), \(unit.symbol)"
      table.add(name, extents?.map { $0.scaled(by: 1 / unit.metres) }, places: 1)
    }
    add("claimed", claimed)
    add("observed", positions?.errors)
    add("claimed, vertical", claimedHeight)
    if claimedHeight != nil { add("observed, vertical", positions?.heights?.map(\.magnitude)) }
    figure.table = table.table
    return figure
  }

  private static func sentence(
    _ scatter: Scatter?, _ claimed: [Extent]?, _ claimedHeight: [Extent]?, _ units: ReportUnits
  ) -> String {
    var parts: [String] = []
    let place = scatter?.isOfStops == true ? " in stops" : ""
    if let median = claimed?.median {
      parts.append(
        "Median claimed error \(units.length(median))"
          + (scatter?.r95.map { "; 95 % of the positions\(place) were within \(units.length($0))" }
            ?? "")
          + ".")
    }
    if let median = claimedHeight?.median {
      parts.append(
        "Heights: \(units.length(median))"
          + (scatter?.vep95.map { " and \(units.length($0))" } ?? "") + ".")
    }
    return parts.joined(separator: " ")
      + " The receiver's own estimate has no stated confidence level."
  }
}

extension Extent {
  /// The extent of the magnitudes.
  fileprivate var magnitude: Extent {
    guard !isEmpty else { return self }
    if low <= 0, high >= 0 { return Extent(0, max(-low, high)) }
    return Extent(min(abs(low), abs(high)), max(abs(low), abs(high)))
  }
}
