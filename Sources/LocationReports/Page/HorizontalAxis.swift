import LocationText

/// The scale below a panel, of time or of distance.
protocol HorizontalAxis {
  var start: Double { get }
  var end: Double { get }
  /// Seconds since the beginning, or metres, with their labels.
  var ticks: [(seconds: Double, label: String)] { get }
  /// The unit or the reference of the labels.
  var unit: String { get }
  /// How long a series may always be without a value, in seconds; infinite for a distance.
  var longestSilence: Double { get }

  func place(_ seconds: Double) -> Double

  /// Returns a time or a distance as text, for tables.
  func text(_ seconds: Double) -> String
}

extension HorizontalAxis {
  /// Draws the unit and the labels of the ticks. A label without enough room is left out.
  func drawLabels(in drawing: inout Markup, y: Double) {
    var free = -Double.infinity
    for tick in ticks {
      let half = 3.3 * Double(tick.label.utf8.count)
      let x = min(max(place(tick.seconds), half), end + 6 - half)
      guard x - half > free else { continue }
      free = x + half + 3
      drawing.add(label: tick.label, "m", x: x, y: y)
    }
    drawing.add(label: unit, "e u", x: end, y: y + 14)
  }
}

/// The scale of distance, from 0.
struct WayAxis: HorizontalAxis {
  private let axis: Axis
  private let length: ReportUnits.Length

  /// - Parameter metres: The length of the track, in metres; more than zero.
  init(_ metres: Double, _ units: ReportUnits, from start: Double, to end: Double) {
    length = metres < 3000 ? units.height : units.far
    axis = Axis(exactly: 0...metres / length.metres, from: start, to: end, count: 5)
  }

  var start: Double { axis.start }
  var end: Double { axis.end }
  var unit: String { "distance, \(length.symbol)" }
  var longestSilence: Double { .infinity }

  var ticks: [(seconds: Double, label: String)] {
    axis.ticks.map { ($0 * length.metres, axis.label($0)) }
  }

  func place(_ metres: Double) -> Double { axis.place(metres / length.metres) }

  func text(_ metres: Double) -> String {
    "\(length.text(metres, places: length.metres < 100 ? 0 : 1)) \(length.symbol)"
  }
}
