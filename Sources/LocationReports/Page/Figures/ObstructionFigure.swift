import LocationText

extension Figure {
  /// The mean signal strength by azimuth and elevation, as a panorama from north to north.
  static func obstructions(_ figures: ReceiverFigures) -> Figure? {
    let map = figures.obstructions
    // Without a signal, the legend of the strengths would have no meaning.
    let columns = figures.columns
    guard !map.isEmpty, !columns.lacksSignal else { return nil }
    var figure = Figure(
      "obstructions", title: "Obstructions.", sentence: sentence(about: map), height: 190)
    let (left, bottom, cell) = (30.0, 126.0, (width: 5.0, height: 6.0))
    figure.drawing.add(path: "ground") {
      $0.add("M", left, bottom)
      $0.add("h360v-108h-360z")
    }
    for strength in Strength.allCases {
      figure.drawing.add(path: strength.kind) { path in
        for row in 0..<ObstructionMap.elevations {
          for column in 0..<ObstructionMap.azimuths
          where Strength(map[azimuth: column, elevation: row]) == strength {
            let x = left + cell.width * Double(column)
            let y = bottom - cell.height * Double(row)
            if strength == .none {
              path.add("M", x + 1, y - 1.5)
              path.add("l3-3m0 3l-3-3")
            } else {
              path.add("M", x, y)
              path.add("h5v-6h-5z")
            }
          }
        }
      }
    }
    for elevation in [0, 30, 60, 90] {
      figure.drawing.add(
        label: "\(elevation)°", "e", x: left - 4,
        y: bottom + 4 - cell.height * Double(elevation) / 5)
    }
    for (index, name) in ["N", "NE", "E", "SE", "S", "SW", "W", "NW", "N"].enumerated() {
      figure.drawing.add(label: name, "m", x: left + 45 * Double(index), y: bottom + 14)
    }
    for (index, strength) in Strength.allCases.enumerated() {
      let x = left + [0, 56, 100, 154, 208, 262][index]
      let y = bottom + 38
      figure.drawing.add(path: strength.kind) {
        $0.add("M", strength == .none ? x + 2 : x, strength == .none ? y - 2 : y)
        $0.add(strength == .none ? "l5-5m0 5l-5-5" : "h10v-9h-10z")
      }
      figure.drawing.add(label: strength.name, x: x + 14, y: y)
    }
    figure.drawing.add(label: "mean C/N0, dBHz", "e u", x: 390, y: bottom + 56)
    figure.table = table(of: map)
    return figure
  }

  private static func sentence(about map: ObstructionMap) -> String {
    let parts = directions.enumerated().compactMap { index, name in
      mean(of: map, direction: index, elevations: 0..<18).map { (name, $0) }
    }
    guard let weakest = parts.min(by: { $0.1 < $1.1 }), let best = parts.max(by: { $0.1 < $1.1 })
    else { return "No signal had a strength." }
    guard best.1 > weakest.1 else {
      return "Signals had \(Text.rounded(best.1, places: 0)) dBHz on average."
    }
    return "Signals were strongest in the \(best.0) (\(Text.rounded(best.1, places: 0)) dBHz) and "
      + "weakest in the \(weakest.0) (\(Text.rounded(weakest.1, places: 0)) dBHz). × marks "
      + "a satellite without a signal."
  }

  private static func table(of map: ObstructionMap) -> Table {
    Table(
      caption: "Mean C/N0, dBHz", header: ["", "0 to 30°", "30 to 60°", "60 to 90°"],
      rows: directions.enumerated().map { index, name in
        [name]
          + [0..<6, 6..<12, 12..<18].map { elevations in
            mean(of: map, direction: index, elevations: elevations)
              .map { Text.rounded($0, places: 1) } ?? "–"
          }
      })
  }

  private static let directions = [
    "north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west",
  ]

  /// The mean of an eighth of the sky; `nil` if no signal came from there.
  private static func mean(
    of map: ObstructionMap, direction: Int, elevations: Range<Int>
  ) -> Double? {
    var (sum, count) = (0.0, 0.0)
    for row in elevations {
      for offset in -4..<5 {
        let cell = map[azimuth: (direction * 9 + offset + 72) % 72, elevation: row]
        guard let mean = cell.mean else { continue }
        sum += mean * Double(cell.received)
        count += Double(cell.received)
      }
    }
    return count > 0 ? sum / count : nil
  }
}

/// A step of signal strength, drawn as lightness.
private enum Strength: CaseIterable {
  case none, below12, below30, below36, below42, above

  /// `nil` for a part of the sky without satellites.
  init?(_ cell: ObstructionMap.Cell) {
    guard cell.seen > 0 else { return nil }
    guard let mean = cell.mean else {
      self = .none
      return
    }
    self =
      switch mean {
      case ..<12: .below12
      case ..<30: .below30
      case ..<36: .below36
      case ..<42: .below42
      default: .above
      }
  }

  var name: String {
    switch self {
    case .none: "none"
    case .below12: "< 12"
    case .below30: "12–30"
    case .below36: "30–36"
    case .below42: "36–42"
    case .above: "≥ 42"
    }
  }

  var kind: String {
    switch self {
    case .none: "cross"
    case .below12: "l1"
    case .below30: "l2"
    case .below36: "l3"
    case .below42: "l4"
    case .above: "l5"
    }
  }
}
