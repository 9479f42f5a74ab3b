import LocationCore
import LocationText

/// The strength of each satellite's strongest signal (C/N0) as the height of a bar.
struct SignalBars: Sendable {
  /// The strength of a full bar, in dBHz.
  private static let full = 55.0
  private static let eighths: [Unicode.Scalar] = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"]
  /// The columns of the axis.
  private static let axis = 3

  /// The satellites in the order of the bars.
  let satellites: [Satellite]
  let showsUTF8: Bool

  /// The rows that labels need: one for horizontal labels, three for vertical ones. Vertical numbers without
  /// a gap cannot be read, so bars without a gap have only the letters of their systems.
  private static func labelRows(pitch: Int, rows: Int) -> Int {
    pitch >= 4 || pitch == 1 || rows < 5 ? 1 : 3
  }

  func draw(on canvas: inout Canvas, in area: Area) {
    guard area.rows >= 3, area.columns > Self.axis + 2 else { return }
    var area = area
    let title = area.takeTop(1)
    drawTitle(on: &canvas, in: title)
    guard !satellites.isEmpty else {
      let text = "no satellites"
      canvas.put(text, area.column + Self.axis + 1, area.row, .faint, width: area.columns)
      return
    }
    let room = area.columns - Self.axis
    let shown = chosen(for: room)
    let pitch = min(4, max(1, room / shown.count))
    if shown.count < satellites.count {
      let rest = "+\(satellites.count - shown.count)"
      canvas.put(rest, title.column + title.columns - rest.count, title.row, .faint)
    }
    let labels = area.takeBottom(Self.labelRows(pitch: pitch, rows: area.rows))
    drawAxis(on: &canvas, in: area)
    for (index, satellite) in shown.enumerated() {
      let column = area.column + Self.axis + index * pitch
      drawBar(of: satellite, on: &canvas, column, in: area, pitch: pitch)
      drawLabel(of: satellite, on: &canvas, column, in: labels, pitch: pitch)
    }
  }

  /// Draws the unit and, where there is room, the names of the systems.
  private func drawTitle(on canvas: inout Canvas, in area: Area) {
    let systems = Set(satellites.compactMap { Constellation(of: $0)?.rawValue }).sorted()
      .compactMap(Constellation.init(rawValue:))
    let names =
      satellites.isEmpty ? [] : systems.map { "\($0.letter) \($0.name)" } + ["upper case = used"]
    let unit = "C/N0 dBHz"
    let texts = [names, Array(names.suffix(1)), []].map { ([unit] + $0).joined(separator: "  ") }
    let text = texts.first { $0.count + 5 <= area.columns } ?? unit
    canvas.put(text, area.column, area.row, .faint, width: area.columns)
  }

  /// Returns `count` satellites. Unused satellites and weak ones are left out first.
  private func chosen(for count: Int) -> [Satellite] {
    guard satellites.count > count else { return satellites }
    let ranked = satellites.indices.sorted { one, other in
      let (one, other) = (satellites[one], satellites[other])
      if one.isUsed != other.isUsed { return one.isUsed }
      return one.signalStrength ?? 0 > other.signalStrength ?? 0
    }
    return ranked.prefix(count).sorted().map { satellites[$0] }
  }

  private func drawAxis(on canvas: inout Canvas, in area: Area) {
    var last = Int.min
    for strength in area.rows >= 6 ? [10, 20, 30, 40, 50] : [20, 40] {
      let height = Double(strength) / Self.full * Double(area.rows)
      let row = area.row + area.rows - 1 - Int(height)
      guard row != last else { continue }
      last = row
      canvas.put(String(strength), area.column, row, .faint)
    }
  }

  private func drawBar(
    of satellite: Satellite, on canvas: inout Canvas, _ column: Int, in area: Area, pitch: Int
  ) {
    guard let strength = satellite.signalStrength, strength > 0 else { return }
    let parts = Int((min(1, strength / Self.full) * Double(area.rows) * 8).rounded())
    let width = pitch >= 3 ? 2 : 1
    var style = CellStyle(satellite)
    if !satellite.isUsed { style.weight = .faint }
    for row in 0..<area.rows {
      let rest = min(8, max(showsUTF8 ? 1 : 4, parts) - 8 * row)
      guard rest > 0 else { break }
      let scalar =
        showsUTF8 ? Self.eighths[rest - 1] : rest < 4 ? " " : satellite.isUsed ? "#" : ":"
      for column in column..<(column + width) {
        canvas[column, area.row + area.rows - 1 - row] = Cell(scalar: scalar, style: style)
      }
    }
    // The number is above the bar.
    let row = area.row + area.rows - 1 - (parts + (showsUTF8 ? 7 : 4)) / 8
    guard pitch >= 3, row >= area.row else { return }
    canvas.put(Text.rounded(strength, places: 0), column, row, width: pitch)
  }

  private func drawLabel(
    of satellite: Satellite, on canvas: inout Canvas, _ column: Int, in area: Area, pitch: Int
  ) {
    let label = SatelliteLabel(satellite)
    let style = CellStyle(satellite)
    guard area.rows > 1 else {
      canvas.put(pitch >= 4 ? label.text : label.letter, column, area.row, style, width: pitch)
      return
    }
    for (index, character) in label.text.prefix(area.rows).enumerated() {
      canvas.put(String(character), column, area.row + index, style)
    }
  }
}
