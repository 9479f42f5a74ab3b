import LocationText

extension Figure {
  /// The way of the receiver without a map, with a scale and the direction of north.
  static func track(_ positions: PositionFigures, _ units: ReportUnits = .metric) -> Figure? {
    let track = positions.track
    guard track.count > 1 else { return nil }
    var (east, north) = (Extent.none, Extent.none)
    for point in track {
      east.add(point.east)
      north.add(point.north)
    }
    let (width, height) = (Double(east.high - east.low), Double(north.high - north.low))
    let side = max(width, height, 0.1)
    let scale = 340 / side
    let drawnHeight = max(80, height * scale)
    var figure = Figure(
      "track", title: "Track.",
      sentence:
        "The track spans \(distance(width, units)) east–west and \(distance(height, units)) "
        + "north–south."
        + (positions.trackMean.map {
          " It hardly moved: each point is the mean of \(Text.duration(seconds: $0))."
        } ?? ""),
      height: drawnHeight + 72)
    let (middleX, middleY) = (
      Double(east.low + east.high) / 2, Double(north.low + north.high) / 2
    )
    func place(_ point: PlanePoint) -> (x: Double, y: Double) {
      (
        200 + (Double(point.east) - middleX) * scale,
        24 + drawnHeight / 2 - (Double(point.north) - middleY) * scale
      )
    }
    figure.drawing.add(path: "way") { path in
      for point in track {
        let (x, y) = place(point)
        path.add(point.isStart ? "M" : "L", x, y)
        // A piece of one point would not be drawn.
        if point.isStart { path.add("h0") }
      }
    }
    if let first = track.first, let last = track.last {
      let (start, end) = (place(first), place(last))
      figure.drawing.add(path: "start") {
        $0.add("M", start.x - 5, start.y)
        $0.add("a5 5 0 1 0 10 0a5 5 0 1 0-10 0z")
      }
      figure.drawing.add(path: "end") {
        $0.add("M", end.x - 4.5, end.y - 4.5)
        $0.add("h9v9h-9z")
      }
    }
    let unit = side > 3000 && units.height.metres != 1 ? units.far : units.height
    let bar = roundNumber(notAbove: side / 3 / unit.metres, steps: [1, 2, 5]) * unit.metres
    let y = drawnHeight + 56
    figure.drawing.add(path: "axis") { path in
      path.add("M", 30, y - 5)
      path.add("v5h")
      path.add(bar * scale)
      path.add("v-5")
    }
    figure.drawing.add(label: Figure.scale(bar, units), "m", x: 30 + bar * scale / 2, y: y - 6)
    figure.drawing.add(label: "circle: start, square: end", "e", x: 362, y: y)
    figure.drawing.add(path: "north") {
      $0.add("M", 384, y - 28); $0.add("l6 16l-6-4l-6 4z")
    }
    figure.drawing.add(label: "N", "m", x: 384, y: y)
    return figure
  }

  /// `35.2 cm`, `6.0 m`, `850 m`, `5.9 km`: how far a figure reaches.
  static func distance(_ metres: Double, _ units: ReportUnits) -> String {
    metres < 10 && units.height.metres == 1 ? units.length(metres) : units.way(metres)
  }

  /// `500 m`, `2 km`: the length of a scale, which is a round number of a unit.
  static func scale(_ metres: Double, _ units: ReportUnits) -> String {
    let unit = metres < units.far.metres ? units.height : units.far
    return metres < 1 ? units.length(metres) : "\(unit.text(metres, places: 0)) \(unit.symbol)"
  }
}
