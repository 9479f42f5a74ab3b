import LocationText

extension Figure {
  /// The positions in metres, with CEP50, R95 and the ellipse.
  ///
  /// Returns `nil` for a single position.
  static func scatter(
    _ scatter: Scatter, _ positions: PositionFigures, _ units: ReportUnits
  ) -> Figure? {
    guard let cep50 = scatter.cep50, let ellipse = scatter.ellipse else { return nil }
    let (centre, half) = (200.0, 162.0)
    let range = positions.range
    let scale = half / range
    let about =
      scatter.isAboutReference
      ? "the reference" : scatter.isOfStops ? "the mean of their stop" : "the mean"
    let which =
      scatter.isOfStops
      ? "Half of the \(scatter.positionCount) positions in stops" : "Half of the positions"
    var figure = Figure(
      "scatter", title: "Scatter.",
      sentence: "\(which) lie within \(units.length(cep50)) of \(about)"
        + (scatter.r95.map { ", 95 % within \(units.length($0))" } ?? "")
        + (scatter.r99.map { ", 99 % within \(units.length($0))" } ?? "") + "."
        + (positions.outside > 0 ? " \(positions.outside) are outside the figure." : ""),
      height: 402)
    let unit = range < 2000 ? units.unit(of: range) : units.far
    let axis = Axis(
      exactly: -range / unit.metres...range / unit.metres, from: centre - half, to: centre + half,
      count: 5)
    figure.drawing.add(path: "g") { path in
      for tick in axis.ticks {
        path.add("M", axis.place(tick), 18)
        path.add("V342")
        path.add("M", centre - half, 380 - axis.place(tick))
        path.add("H")
        path.add(centre + half)
      }
    }
    if positions.points.isEmpty {
      figure.drawing.add(density: positions.density, x: centre - half, y: 18, side: 2 * half)
    } else {
      figure.drawing.add(path: "dot") { path in
        for point in positions.points {
          path.add("M", centre + Double(point.east) * scale, 180 - Double(point.north) * scale)
          path.add("h0")
        }
      }
    }
    for (radius, kind) in [(cep50, "c50"), (scatter.r95, "c95")] {
      guard let radius else { continue }
      figure.drawing.add("<circle class=\"\(kind)\" cx=\"200\" cy=\"180\" r=\"")
      figure.drawing.add(radius * scale)
      figure.drawing.add("\"/>")
    }
    let (x, y) = (
      centre + Double(positions.mean.east) * scale, 180 - Double(positions.mean.north) * scale
    )
    figure.drawing.add("<ellipse class=\"ell\" rx=\"")
    figure.drawing.add(ellipse.minor * scale)
    figure.drawing.add("\" ry=\"")
    figure.drawing.add(ellipse.major * scale)
    figure.drawing.add("\" transform=\"translate(")
    figure.drawing.add(x)
    figure.drawing.add(" ")
    figure.drawing.add(y)
    figure.drawing.add(") rotate(")
    figure.drawing.add(ellipse.roundedAzimuth)
    figure.drawing.add(")\"/><path class=\"mark\" d=\"M194 180h12M200 174v12\"/>")
    for tick in axis.ticks {
      figure.drawing.add(label: axis.label(tick), "m", x: axis.place(tick), y: 358)
      figure.drawing.add(label: axis.label(tick), "e", x: 34, y: 384 - axis.place(tick))
    }
    figure.drawing.add(label: "\(unit.name) east and north of \(about)", "m u", x: centre, y: 374)
    for (x, kind, name) in [
      (32.0, "c50", "CEP50"), (150, "c95", "R95"), (250, "ell", "95 % ellipse"),
    ] where kind != "c95" || scatter.r95 != nil {
      figure.drawing.add(path: kind) {
        $0.add("M", x, 392); $0.add("h24")
      }
      figure.drawing.add(label: name, x: x + 30, y: 396)
    }
    let table = ReportText.table(of: scatter, units)
    figure.table = Table(
      header: [table.unit, "samples", "normal distribution"], rows: table.rows)
    return figure
  }
}

extension Markup {
  /// Appends the cells of a density in five steps of lightness. Equal cells of a row become one rectangle.
  fileprivate mutating func add(density: DensityGrid, x: Double, y: Double, side: Double) {
    let count = DensityGrid.side
    let cell = side / Double(count)
    var most = 1
    for row in 0..<count {
      for column in 0..<count { most = max(most, density[column: column, row: row]) }
    }
    // The steps follow the square root, so that single positions are visible beside the middle.
    func level(_ column: Int, _ row: Int) -> Int {
      guard column < count else { return 0 }
      let part = (Double(density[column: column, row: row]) / Double(most)).squareRoot()
      return Int((part * 5).rounded(.up))
    }
    for step in 1...5 {
      add(path: "l\(step)") { path in
        for row in 0..<count {
          var column = 0
          while column < count {
            let first = column
            while level(column, row) == step { column += 1 }
            if column > first {
              path.add("M", x + cell * Double(first), y + cell * Double(row))
              path.add("h")
              path.add(cell * Double(column - first))
              path.add("v")
              path.add(cell)
              path.add("h")
              path.add(-cell * Double(column - first))
              path.add("z")
            } else {
              column += 1
            }
          }
        }
      }
    }
  }
}
