import LocationCore

extension TextBuffer {
  /// Appends when it happened, by the clock that fixes have where that is known, so that the records
  /// of a receiver are in the order of their times.
  mutating func append(stampOf change: StateChange) {
    // This machine has no time for `connecting` that would stand before that of the first fix: gpsd
    // tells of an epoch up to a second after it began.
    append(timeOrDash: change.time ?? (change.state == .connecting ? nil : change.moment.wall))
  }

  /// Appends the time of a fix; where it tells none, when this machine received it.
  mutating func append(stampOf fix: LocationFix) { append(timeOrDash: fix.time ?? fix.received) }

  mutating func append(timeOrDash time: Timestamp?) {
    if let time { append(milliseconds: time) } else { append(character: "-") }
  }

  mutating func append(_ state: LocationState, inColor: Bool) {
    if inColor { append(text: "\u{1b}[\(state.color)m") }
    append(text: state.rawValue)
    if inColor { append(text: "\u{1b}[0m") }
  }

  /// Appends the receiver's path as one word; a dash where there is none.
  mutating func append(deviceOrDash device: String) {
    if device.isEmpty { return append(character: "-") }
    guard device.utf8.contains(UInt8(ascii: " ")) else { return append(visible: device) }
    var visible = TextBuffer()
    visible.append(visible: device)
    for byte in visible.bytes {
      if byte == UInt8(ascii: " ") { append(text: "\\u{20}") } else { append(byte) }
    }
  }

  /// Appends what follows a state's name in a record: ` /dev/ttyACM0 silence; last fix …`.
  mutating func append(detailsOf change: StateChange, coordinates: CoordinateStyle) {
    append(character: " ")
    append(deviceOrDash: change.device ?? "")
    var separator = " "
    if let reason = change.reason, !reason.isEmpty {
      append(text: separator)
      append(visible: reason)
      separator = "; "
    }
    if let lastFix = change.lastFix {
      append(text: separator)
      append(text: "last fix ")
      append(timeOrDash: lastFix.time)
      append(character: " ")
      append(lastFix.coordinate, style: coordinates)
      separator = "; "
    }
    if let retryIn = change.retryIn {
      append(text: separator)
      append(text: "retry in ")
      append(retryIn.inSeconds, places: 1)
      append(text: " s")
    }
  }

  /// Appends, in parentheses, what is odd about a fix.
  mutating func append(remarksOn fix: LocationFix) {
    if !fix.isCurrent { append(text: " (not current)") }
    if let timeJump = fix.timeJump {
      append(text: " (clock jumped ")
      append(timeJump.inSeconds, places: 1)
      append(text: " s)")
    }
  }

  /// Appends the height as it came, in metres; in another unit to a tenth, and with the unit's name,
  /// so that nobody takes it for metres.
  mutating func append(height metres: Double, in units: UnitSystem) {
    if units == .metric {
      append(number: metres)
    } else {
      append(units.length(metres), places: 1)
      append(text: units.lengthName)
    }
  }

  /// Appends a table: a header, and one line for each satellite, those that are used first.
  mutating func append(tableOf satellites: [Satellite]) {
    guard !satellites.isEmpty else { return }
    append(text: "  sat  system   id    el     az    ss\n")
    for used in [true, false] {
      for satellite in satellites where satellite.isUsed == used {
        append(text: used ? "  used " : "  seen ")
        append(text: satellite.constellation.padded(to: 7))
        append(cell: String(satellite.svID ?? satellite.prn), width: 4)
        append(cell: satellite.elevation, width: 6)
        append(cell: satellite.azimuth, width: 7)
        append(cell: satellite.signalStrength, width: 6)
        if satellite.health == 2 { append(text: " unhealthy") }
        append(character: "\n")
      }
    }
  }

  /// Appends the number to a tenth, or a dash.
  private mutating func append(cell number: Double?, width: Int) {
    var text = TextBuffer()
    if let number { text.append(number, places: 1) } else { text.append(character: "-") }
    append(cell: text.string, width: width)
  }

  /// Appends the text at the right end of so many columns, with a space before it at least.
  private mutating func append(cell text: String, width: Int) {
    for _ in 0..<Swift.max(1, width - text.count) { append(character: " ") }
    append(text: text)
  }
}

extension LocationState {
  /// The parameter of SGR (ECMA-48).
  fileprivate var color: Int {
    switch self {
    case .fix3D: 32
    case .fix2D: 33
    case .searching, .connecting: 36
    case .noDevice: 35
    case .noDaemon, .lost: 31
    }
  }
}

extension Satellite {
  /// The constellation's name, or `PRN` where the receiver does not tell.
  fileprivate var constellation: String {
    switch gnssID {
    case 0: "GPS"
    case 1: "SBAS"
    case 2: "Galileo"
    case 3: "BeiDou"
    case 4: "IMES"
    case 5: "QZSS"
    case 6: "GLONASS"
    case 7: "NavIC"
    default: "PRN"
    }
  }
}
