import LocationText

extension Figure {
  /// The claimed error over time, and the observed error if it is known.
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
      "accuracy", title: isObserved ? "Observed and claimed error." : "Claimed error.",
      sentence: sentence(scatter, claimed, claimedHeight, units),
      height: 118 * Double(panels.count) + 30)
    var isCut = false
    for (index, (name, claimed, observed)) in panels.enumerated() {
      guard let bounds = (claimed + observed).bounds, let median = claimed.median else { continue }
      // Before a first 3D fix, gpsd reports errors of kilometres. Such a value is drawn at the upper end.
      let top = min(bounds.upperBound, 4 * max(median, observed.bounds?.upperBound ?? 0))
      let unit = units.unit(of: max(top, 0.1))
      let panel = Panel(
        columns, time, 0...max(top, 0.1) / unit.metres, top: 22 + 118 * Double(index), height: 88)
      isCut = isCut || panel.cuts(bounds.upperBound / unit.metres)
      panel.draw(
        in: &figure.drawing, "\(name), \(unit.symbol)", showsTime: index == panels.count - 1)
      panel.drawLegend(
        (isObserved ? [("b1", "observed")] : []) + [("b3", "claimed")], in: &figure.drawing)
      func scaled(_ extents: [Extent]) -> [Extent] {
        extents.map { $0.scaled(by: 1 / unit.metres) }
      }
      panel.band(scaled(observed), "b1", in: &figure.drawing)
      panel.line(scaled(claimed), "b3", in: &figure.drawing)
    }
    if isCut { figure.sentence += " A claim beyond its scale is drawn at the upper end." }
    var table = SeriesTable(columns, time)
    let unit = units.height
    func add(_ name: String, _ extents: [Extent]?) {
      let name = unit.metres == 1 ? name : "\(name), \(unit.symbol)"
      table.add(name, extents?.map { $0.scaled(by: 1 / unit.metres) }, places: 1)
    }
    add("observed", positions?.errors)
    add("claimed", claimed)
    if claimedHeight != nil { add("observed, vertical", positions?.heights?.map(\.magnitude)) }
    add("claimed, vertical", claimedHeight)
    figure.table = table.table
    return figure
  }

  private static func sentence(
    _ scatter: Scatter?, _ claimed: [Extent]?, _ claimedHeight: [Extent]?, _ units: ReportUnits
  ) -> String {
    var parts: [String] = []
    let isOfStops = scatter?.isOfStops == true
    let centre =
      scatter?.isAboutReference == true
      ? "the reference" : isOfStops ? "the mean of their stop" : "their mean"
    if let median = claimed?.median {
      let claim = units.length(median)
      parts.append(
        scatter?.r95.map {
          "95 % of the positions\(isOfStops ? " in stops" : "") were within \(units.length($0)) of "
            + "\(centre); median claimed error \(claim)."
        } ?? "Median claimed error \(claim).")
    }
    if let median = claimedHeight?.median {
      let claim = units.length(median)
      parts.append(
        scatter?.vep95.map { "Heights: 95 % within \(units.length($0)); claimed \(claim)." }
          ?? "Heights: \(claim).")
    }
    return parts.joined(separator: " ")
      + " The claimed error is gpsd's estimate, from the receiver's own figure or else from the geometry of "
      + "the satellites; neither says how often the error is larger."
  }
}

extension Extent {
  /// The extent of the magnitudes.
  fileprivate var magnitude: Extent {
    isEmpty ? self : Extent(max(low, -high, 0), max(-low, high))
  }
}
