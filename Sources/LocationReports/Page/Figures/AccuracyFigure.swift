import LocationFormats

extension Figure {
  /// The error that the receiver claims against the error that was observed.
  static func accuracy(
    _ scatter: Scatter, _ positions: PositionFigures, _ columns: FigureColumns, _ time: TimeAxis
  ) -> Figure? {
    let claimed = columns.extents(of: .accuracy)
    let claimedHeight = positions.heights == nil ? nil : columns.extents(of: .verticalAccuracy)
    guard claimed != nil || claimedHeight != nil else { return nil }
    let panels = [
      claimed.map { ("horizontal error, m", $0, positions.errors) },
      claimedHeight.flatMap { claimed in
        positions.heights.map { ("vertical error, m", claimed, $0.map(\.magnitude)) }
      },
    ].compactMap(\.self)
    var figure = Figure(
      "accuracy", title: "Claimed and observed error.",
      sentence: sentence(scatter, claimed, claimedHeight), height: 118 * Double(panels.count) + 30)
    for (index, (name, claimed, observed)) in panels.enumerated() {
      guard let bounds = (claimed + observed).bounds, let median = claimed.median else { continue }
      // Before a first fix in 3D, gpsd claims kilometres. Such a claim stays at the upper end.
      let top = min(bounds.upperBound, 4 * max(median, observed.bounds?.upperBound ?? 0))
      let panel = Panel(
        columns, time, 0...max(top, 0.1), top: 22 + 118 * Double(index), height: 88)
      panel.draw(in: &figure.drawing, name, showsTime: index == panels.count - 1)
      panel.drawLegend([("b3", "claimed"), ("b1", "observed")], in: &figure.drawing)
      panel.band(observed, "b1", in: &figure.drawing)
      panel.band(claimed, "b3", in: &figure.drawing)
    }
    var table = SeriesTable(columns, time)
    table.add("claimed", claimed, places: 1)
    table.add("observed", positions.errors, places: 1)
    table.add("claimed, vertical", claimedHeight, places: 1)
    if claimedHeight != nil {
      table.add("observed, vertical", positions.heights?.map(\.magnitude), places: 1)
    }
    figure.table = table.table
    return figure
  }

  private static func sentence(
    _ scatter: Scatter, _ claimed: [Extent]?, _ claimedHeight: [Extent]?
  ) -> String {
    var parts: [String] = []
    if let median = claimed?.median {
      parts.append(
        "Median claimed error \(ReportText.metres(median))"
          + (scatter.r95.map { "; 95 % of the positions were within \(ReportText.metres($0))" }
            ?? "")
          + ".")
    }
    if let median = claimedHeight?.median {
      parts.append(
        "Heights: \(ReportText.metres(median))"
          + (scatter.vep95.map { " and \(ReportText.metres($0))" } ?? "") + ".")
    }
    return parts.joined(separator: " ") + " Receivers do not say how certain their claim is."
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
