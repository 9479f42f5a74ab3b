import LocationCore
import LocationText
package import LocwatchSystem

/// The values of a fix as labelled lines: `Claimed   ±24.7 m`.
package struct FactSheet: Sendable {
  package struct Fact: Equatable, Sendable {
    package var label: String
    /// The known values, the most important first.
    package var parts: [String]
    var style = CellStyle.plain
    var labelStyle = CellStyle.faint
  }

  /// The columns of the labels and the space after them.
  static let labelWidth = 10
  /// The minimum age that is shown for a current fix. Current fixes are usually younger.
  private let minimumAge: Duration

  /// A receiver that does not know a dilution sends 99.99 or 100, because NMEA 0183 has no other value for
  /// this.
  private static let unknownDilution = 99.9

  let status: LiveStatus
  let style: TerminalStyle
  /// How late times come over the serial line; `nil` if this is unknown.
  var lateness: String?

  private var fix: LocationFix? { status.fix }

  package init(
    status: LiveStatus, style: TerminalStyle, lateness: String? = nil,
    minimumAge: Duration = .seconds(2)
  ) {
    self.minimumAge = minimumAge
    self.status = status
    self.style = style
    self.lateness = lateness
  }

  /// The state, its duration, and its reason.
  package var state: String {
    var text = TextBuffer()
    text.append(text: status.state.rawValue)
    if let duration = status.duration {
      text.append(text: " for ")
      text.append(elapsed: duration.inSeconds)
    }
    if let reason = status.reason {
      text.append(text: ": ")
      text.append(visible: reason)
    }
    if let retryIn = status.retryIn {
      text.append(text: ", ")
      text.append(retryIn: retryIn)
    }
    return text.string
  }

  /// All facts. Their order and number are always the same, so that each keeps its place.
  package var facts: [Fact] { [position, time, height, accuracy, motion, dilution, quality] }

  var position: Fact {
    var text = TextBuffer()
    let shown = status.fix ?? status.lastFix
    let isSimulated = shown?.quality == .simulated
    if status.fix == nil, shown != nil { text.append(text: "last ") }
    if let shown { text.append(shown.coordinate, style) }
    return Fact(
      label: isSimulated ? "SIMULATED" : "Position",
      parts: shown == nil ? [] : [text.string],
      style: status.fix?.isCurrent == true ? .bold : .plain,
      labelStyle: isSimulated ? .alarm : .faint)
  }

  package var time: Fact {
    var text = TextBuffer()
    let shown = status.fix ?? status.lastFix
    if let time = shown?.time {
      text.append(milliseconds: time)
      let whole = text.string
      text.removeAll()
      // The age of the last position and the lateness of times leave hardly any room for the date.
      let isRecent =
        status.fix == nil ? status.age.map { $0 < .seconds(12 * 3600) } == true : lateness != nil
      if !isRecent { text.append(text: whole.prefix(10) + " ") }
      text.append(text: whole.dropFirst(11).prefix(8) + " UTC")
    } else if shown != nil {
      text.append(text: "unknown")
    }
    guard shown != nil else { return Fact(label: "Time", parts: []) }
    var parts = [text.string]
    if let age = status.age, status.fix == nil || age >= minimumAge {
      text.removeAll()
      text.append(age: age)
      parts.append(text.string)
    }
    if status.fix?.isCurrent == false { parts.append("not current") }
    if let lateness, status.fix != nil { parts.append(lateness) }
    return Fact(label: "Time", parts: parts)
  }

  var height: Fact {
    var parts: [String] = []
    if let fix, fix.mode == .fix3D, let height = fix.altitude ?? fix.ellipsoidalAltitude {
      parts.append(length(height) + (fix.altitude == nil ? " (ellipsoid)" : ""))
    }
    if let climb = fix?.climbRate { parts.append("climb " + speed(climb, isVertical: true)) }
    return Fact(label: "Height", parts: parts)
  }

  /// The errors that the receiver claims. The observed errors are shown beside the scatter.
  var accuracy: Fact {
    let sign = style.showsUTF8 ? "±" : "+-"
    var parts: [String] = []
    if let accuracy = fix?.horizontalError { parts.append(sign + length(accuracy)) }
    if let epv = fix?.verticalError { parts.append("height \(sign)\(length(epv))") }
    return Fact(label: "Claimed", parts: parts)
  }

  var motion: Fact {
    var parts: [String] = []
    if let value = fix?.speed { parts.append(speed(value, isVertical: false)) }
    if let track = fix?.shown(.track) {
      // 359.5° and above would be rounded to 360°.
      let degrees = Text.rounded(track >= 359.5 ? 0 : track, places: 0)
      parts.append("course \(degrees)\(style.showsUTF8 ? "°" : " deg")")
    }
    return Fact(label: "Speed", parts: parts)
  }

  var dilution: Fact {
    let values = [("H", fix?[.hdop]), ("V", fix?[.vdop]), ("P", fix?[.pdop])]
    func isKnown(_ value: Double?) -> Bool { value.map { $0 < Self.unknownDilution } == true }
    guard values.contains(where: { isKnown($0.1) }) else { return Fact(label: "DOP", parts: []) }
    let parts = values.compactMap { name, value in
      value.map { "\(name) \(isKnown($0) ? Text.rounded($0, places: 1) : "-")" }
    }
    return Fact(label: "DOP", parts: parts)
  }

  var quality: Fact {
    var text = TextBuffer()
    text.append(satellitesOf: status)
    var corrections = TextBuffer()
    corrections.append(correctionsOf: status)
    let parts = [fix?.doubtText, fix?.quality?.name, text.string, corrections.string].map {
      $0 == "" ? nil : $0
    }
    return Fact(label: "Quality", parts: parts.compactMap(\.self))
  }

  private func length(_ metres: Double) -> String {
    var text = TextBuffer()
    text.append(length: metres, style)
    return text.string
  }

  /// A vertical speed is in metres or feet per second.
  private func speed(_ metresPerSecond: Double, isVertical: Bool) -> String {
    let units = style.units
    guard !isVertical else {
      let sign = metresPerSecond > 0 ? "+" : ""
      return sign + Text.rounded(units.length(metresPerSecond), places: 1)
        + " \(units.lengthName)/s"
    }
    return Text.rounded(units.speed(metresPerSecond), places: 1) + " \(units.speedName)"
  }
}

extension FactSheet.Fact {
  /// Draws the label and the parts that fit. If the first part does not fit, it replaces the label, unless
  /// the label is a warning.
  func draw(on canvas: inout Canvas, in area: Area) {
    let first = parts.first ?? "-"
    var column = area.column
    if FactSheet.labelWidth + first.displayWidth <= area.columns {
      canvas.put(label, column, area.row, labelStyle, width: area.columns)
      column += FactSheet.labelWidth
    } else if labelStyle == .alarm {
      column = canvas.put(label, column, area.row, labelStyle, width: area.columns) + 1
    }
    let end = area.column + area.columns
    column = canvas.put(first, column, area.row, style, width: end - column) + 2
    for part in parts.dropFirst() {
      guard column + part.displayWidth <= end else { return }
      column = canvas.put(part, column, area.row, style) + 2
    }
  }
}
