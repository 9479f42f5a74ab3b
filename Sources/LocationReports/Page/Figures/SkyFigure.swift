package import LocationCore
package import LocationText

extension Figure {
  private static let (centre, radius) = (200.0, 172.0)

  /// The sky with the paths of the satellites, and their places at the end.
  static func sky(_ figures: ReceiverFigures) -> Figure? {
    let traces = figures.traces.traces
    guard !traces.isEmpty else { return nil }
    let inView = traces.filter { figures.traces.isInView($0) }
    let used = inView.count { $0.satellite.isUsed }
    let systems = Constellation.allCases.filter { system in
      traces.contains { Constellation(of: $0.satellite) == system }
    }
    let rows = Double((systems.count + 3) / 4 + 1)
    var figure = Figure(
      "sky", title: "Sky.",
      sentence:
        "\(traces.count) satellites crossed the sky; at the end \(inView.count) were in view, "
        + "\(used) of them used.",
      height: 2 * radius + 40 + 17 * rows)
    drawRings(in: &figure.drawing)
    for trace in traces { draw(trace, in: &figure.drawing) }
    draw(inView.map(\.satellite), in: &figure.drawing)
    drawLegend(systems, y: 2 * radius + 52, in: &figure.drawing)
    figure.table = Table(
      header: ["satellite", "system", "elevation", "azimuth", "C/N0, dBHz", "used"],
      rows: traces.map { trace in
        let satellite = trace.satellite
        let isInView = figures.traces.isInView(trace)
        return [
          satellite.label, Constellation(of: satellite)?.name ?? "unknown",
          satellite.elevation.map { "\(Text.rounded($0, places: 0))°" } ?? "–",
          satellite.azimuth.map { "\(Text.rounded($0, places: 0))°" } ?? "–",
          satellite.signalStrength.map { Text.rounded($0, places: 0) } ?? "–",
          isInView ? (satellite.isUsed ? "yes" : "no") : "out of view",
        ]
      })
    return figure
  }

  /// Draws the satellites whose places are known, with labels where there is room.
  fileprivate static func draw(_ satellites: [Satellite], in drawing: inout Markup) {
    var labels = SkyLabels()
    let placed = satellites.compactMap { satellite -> (Satellite, Double, Double)? in
      guard
        let place = SkyPosition(elevation: satellite.elevation, azimuth: satellite.azimuth)
      else { return nil }
      return (satellite, centre + radius * place.x, centre - 4 + radius * place.y)
    }
    // Used satellites come first, so that they get labels even if there is little room.
    let sorted = placed.filter(\.0.isUsed) + placed.filter { !$0.0.isUsed }
    for (_, x, y) in sorted { labels.reserve(x: x, y: y) }
    for (satellite, x, y) in sorted.reversed() {
      drawing.add(Constellation(of: satellite), isUsed: satellite.isUsed, x: x, y: y)
    }
    for (satellite, x, y) in sorted { labels.add(satellite.label, x: x, y: y, to: &drawing) }
  }

  fileprivate static func drawRings(in drawing: inout Markup) {
    for (elevation, kind) in [(0.0, "ring"), (30, "ring d"), (60, "ring d")] {
      drawing.add("<circle class=\"\(kind)\" cx=\"200\" cy=\"196\" r=\"")
      drawing.add(radius * (90 - elevation) / 90)
      drawing.add("\"/>")
      if elevation > 0 {
        drawing.add(
          label: "\(Int(elevation))°", "m n", x: centre,
          y: centre - 7 + radius * (90 - elevation) / 90)
      }
    }
    for (name, x, y) in [("N", 200.0, 16.0), ("E", 386, 200), ("S", 200, 384), ("W", 14, 200)] {
      drawing.add(label: name, "m n", x: x, y: y)
    }
  }

  private static func draw(_ trace: SkyTraces.Trace, in drawing: inout Markup) {
    guard trace.places.count > 1 else { return }
    let system = Constellation(of: trace.satellite)
    drawing.add(path: "trace \(system?.kind ?? "c-")") { path in
      for place in trace.places {
        guard
          let position = SkyPosition(
            elevation: Double(place.elevation), azimuth: Double(place.azimuth))
        else { continue }
        path.add(
          place.isRise ? "M" : "L", centre + radius * position.x,
          centre - 4 + radius * position.y)
      }
    }
  }

  private static func drawLegend(_ systems: [Constellation], y: Double, in drawing: inout Markup) {
    for (index, system) in systems.enumerated() {
      let (x, y) = (16 + 98 * Double(index % 4), y + 17 * Double(index / 4))
      drawing.add(system, isUsed: true, x: x, y: y - 4)
      drawing.add(label: "\(system.letter) \(system.name)", x: x + 10, y: y)
    }
    let last = y + 17 * Double((systems.count + 3) / 4)
    drawing.add(label: "filled: used, hollow: not used, line: path", x: 10, y: last)
  }
}

extension ReportPage {
  /// Returns a drawing of the satellites in view, for a page that describes them beside it.
  package static func sky(of satellites: [Satellite]) -> TextBuffer {
    var drawing = Markup()
    drawing.add("<svg class=\"sky\" role=\"img\" aria-label=\"Sky\" viewBox=\"0 0 400 400\">")
    Figure.drawRings(in: &drawing)
    Figure.draw(satellites, in: &drawing)
    drawing.add("</svg>")
    return drawing.buffer
  }
}

extension Markup {
  /// Appends the symbol of a satellite.
  fileprivate mutating func add(_ system: Constellation?, isUsed: Bool, x: Double, y: Double) {
    let kind = system?.kind ?? "c-"
    // A hollow symbol is a line in its colour over a wider dark line.
    for kind in isUsed ? ["sat \(kind)"] : ["sat h", "o \(kind)"] {
      add("<path class=\"\(kind)\" transform=\"translate(")
      add(x)
      add(" ")
      add(y)
      add(")\" d=\"\((system?.shape ?? .circle).path)\"/>")
    }
  }
}

extension Constellation {
  /// The class for the colour of the symbol.
  var kind: String { self == .imes ? "c-" : "c\(letter)" }
}

extension Constellation.Shape {
  /// The outline about the origin, 10 units wide.
  var path: String {
    switch self {
    case .circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0z"
    case .square: "M-4.5-4.5h9v9h-9z"
    case .diamond: "M0-6L6 0L0 6L-6 0z"
    case .triangleUp: "M0-6L6 5H-6z"
    case .triangleDown: "M0 6L6-5H-6z"
    case .triangleLeft: "M-6 0L5-6V6z"
    case .triangleRight: "M6 0L-5-6V6z"
    }
  }
}

extension Satellite {
  /// The letter of the system and the satellite's number in it, such as `G05`.
  var label: String {
    let number = numberInSystem
    let digits = (0..<10).contains(number) ? "0\(number)" : "\(number)"
    return Constellation(of: self).map { "\($0.letter)\(digits)" } ?? digits
  }
}

/// Places for labels about symbols, without overlap.
private struct SkyLabels {
  /// The labels of the rings and of the directions already take their places.
  private var taken: [(x: Double, y: Double, width: Double, height: Double)] = [
    (188, 236, 24, 14), (188, 293, 24, 14), (194, 4, 12, 14), (194, 372, 12, 14),
    (380, 190, 12, 14),
    (8, 190, 12, 14),
  ]

  mutating func reserve(x: Double, y: Double) { taken.append((x - 6, y - 6, 12, 12)) }

  /// Draws the label on the first side with enough room, or not at all if there is none.
  mutating func add(_ label: String, x: Double, y: Double, to drawing: inout Markup) {
    let width = 6.2 * Double(label.utf8.count)
    let sides = [
      (x + 8, y - 5), (x - 8 - width, y - 5), (x - width / 2, y - 17), (x - width / 2, y + 7),
      (x + 6, y - 14), (x + 6, y + 5), (x - 6 - width, y - 14), (x - 6 - width, y + 5),
    ]
    for (left, top) in sides where isFree(left, top, width) {
      taken.append((left, top, width, 10))
      return drawing.add(label: label, "s", x: left, y: top + 9)
    }
  }

  private func isFree(_ left: Double, _ top: Double, _ width: Double) -> Bool {
    guard left >= 0, left + width <= 400 else { return false }
    return !taken.contains {
      left < $0.x + $0.width && $0.x < left + width && top < $0.y + $0.height && $0.y < top + 10
    }
  }
}
