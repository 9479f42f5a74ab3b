package import LocationCore
package import LocationText

/// Renders text for pipes: one record per line, separated by spaces, without control codes.
///
/// A fix is `TIME fix-3d LAT LON HEIGHT`, with the height above mean sea level, followed by the
/// receiver's path once there are several receivers. A transition is `TIME STATE DEVICE DETAILS`.
/// An unknown value is written as `-` if another one follows. If the source has a name, each record
/// begins with it.
package struct TextRenderer: Renderer {
  private let positionOnly: Bool
  private let events: EventChoice
  private let coordinates: CoordinateStyle
  private let units: UnitSystem
  private let showsSatellites: Bool
  private let usesColor: Bool
  private var source: String?
  private var skies = SkyMemory()
  private var onlyDevice: String?
  private var hasSeveralDevices = false

  /// - Parameters:
  ///   - positionOnly: Whether to write only positions.
  ///   - usesColor: Whether to colour the states with control codes.
  ///   - source: The name of the source; `nil` for none.
  package init(
    positionOnly: Bool = false, events: EventChoice = .all,
    coordinates: CoordinateStyle = .decimal, units: UnitSystem = .metric,
    showsSatellites: Bool = false, usesColor: Bool = false, source: String? = nil
  ) {
    self.positionOnly = positionOnly
    self.events = positionOnly ? .fixesOnly : events
    self.coordinates = coordinates
    self.units = units
    self.showsSatellites = showsSatellites
    self.usesColor = usesColor
    self.source = source
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    record(device: fix.device ?? "")
    guard events != .transitionsOnly else { return }
    output.append(startOf: source)
    if !positionOnly {
      output.append(stampOf: fix)
      output.append(character: " ")
      output.append(fix.mode == .fix3D ? .fix3D : .fix2D, inColor: usesColor)
      output.append(character: " ")
    }
    output.append(fix.coordinate, style: coordinates)
    let showsDevice = hasSeveralDevices && !positionOnly
    if fix.mode == .fix3D, let height = fix.altitude {
      output.append(character: " ")
      output.append(height: height, in: units)
    } else if fix.mode == .fix3D || showsDevice {
      output.append(text: " -")
    }
    if showsDevice {
      output.append(character: " ")
      output.append(deviceOrDash: fix.device)
    }
    if !positionOnly { output.append(remarksOn: fix) }
    output.append(character: "\n")
    if showsSatellites, let satellites = skies.satellites(of: fix.device) {
      output.append(tableOf: satellites)
    }
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    if case .receiver(let device) = change.subject { record(device: device ?? "") }
    skies.record(change)
    guard events != .fixesOnly else { return }
    output.append(startOf: source)
    output.append(stampOf: change)
    output.append(character: " ")
    output.append(change.state, inColor: usesColor)
    output.append(detailsOf: change, coordinates: coordinates)
    output.append(character: "\n")
  }

  package mutating func change(_ change: ReceiverChange, into output: inout TextBuffer) {
    record(device: change.device ?? "")
    guard events != .fixesOnly else { return }
    output.append(startOf: source)
    output.append(timeOrDash: change.time ?? change.moment.wall)
    output.append(character: " ")
    output.append(text: change.kind.name)
    output.append(character: " ")
    output.append(deviceOrDash: change.device)
    output.append(character: " ")
    if let subject = change.kind.subject {
      output.append(word: subject)
      output.append(character: " ")
    }
    output.append(visible: change.kind.words, maximum: .max)
    output.append(character: "\n")
  }

  package mutating func begin(source: String) { self.source = source }

  package mutating func receivers(_ present: [Receiver]) {
    for receiver in present { record(device: receiver.path) }
  }

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {
    if showsSatellites { skies.record(sky) }
  }

  private mutating func record(device: String) {
    if device.isEmpty || hasSeveralDevices || isSamePath(onlyDevice, device) { return }
    hasSeveralDevices = onlyDevice != nil
    onlyDevice = device
  }
}

extension TextBuffer {
  /// Appends the time of the transition, by the receiver's clock if possible, so that the records
  /// of a receiver are ordered by time.
  mutating func append(stampOf change: StateChange) {
    // By the local clock, `connecting` could be later than the first fix, because gpsd reports an epoch up to
    // a second after its beginning.
    append(timeOrDash: change.time ?? (change.state == .connecting ? nil : change.moment.wall))
  }

  /// Appends the time of a fix or, if it has none, the time of its arrival.
  mutating func append(stampOf fix: LocationFix) { append(timeOrDash: fix.time ?? fix.received) }

  mutating func append(timeOrDash time: Timestamp?) {
    if let time { append(milliseconds: time) } else { append(character: "-") }
  }

  package mutating func append(_ state: LocationState, inColor: Bool) {
    if inColor { append(text: "\u{1b}[\(state.color)m") }
    append(text: state.rawValue)
    if inColor { append(text: "\u{1b}[0m") }
  }

  /// Appends the name of the source, if it has one.
  mutating func append(startOf source: String?) {
    guard let source else { return }
    append(word: source)
    append(character: " ")
  }

  /// Appends the receiver's path as one word, or a dash.
  mutating func append(deviceOrDash device: String?) {
    guard let device else { return append(character: "-") }
    append(word: device)
  }

  fileprivate mutating func append(word: String) {
    guard word.utf8.contains(UInt8(ascii: " ")) else { return append(visible: word) }
    var visible = TextBuffer()
    visible.append(visible: word)
    for byte in visible.bytes {
      if byte == UInt8(ascii: " ") { append(text: "\\u{20}") } else { append(byte) }
    }
  }

  /// Appends the details after a state's name: ` /dev/ttyACM0 silence; last fix …`.
  mutating func append(detailsOf change: StateChange, coordinates: CoordinateStyle) {
    append(character: " ")
    append(deviceOrDash: change.device)
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

  /// Appends the quality of a fix, and remarks on an unusual one, in parentheses.
  mutating func append(remarksOn fix: LocationFix) {
    if let quality = fix.quality { append(text: " (\(quality.name))") }
    if !fix.isCurrent { append(text: " (not current)") }
    if let timeJump = fix.timeJump {
      append(text: " (clock jumped ")
      append(timeJump.inSeconds, places: 1)
      append(text: " s)")
    }
    if let doubts = fix.doubtText { append(text: " (\(doubts))") }
    if let rollover = fix.rollover {
      append(text: " (date \(Text.weeks(ofRollover: rollover)))")
    }
    if let count = fix.dateCorrection {
      append(text: " (corrected: date \(Text.weeks(ofRollover: count)))")
    }
  }

  /// Appends the height in metres. In another unit it is rounded to a tenth and followed by the
  /// unit.
  mutating func append(height metres: Double, in units: UnitSystem) {
    if units == .metric {
      append(number: metres)
    } else {
      append(units.length(metres), places: 1)
      append(text: units.lengthName)
    }
  }

  /// Appends a header and a line for each satellite with the names of its signals, used ones first.
  package mutating func append(tableOf signals: [Satellite]) {
    let satellites = TrackedSatellite.all(in: signals)
    guard !satellites.isEmpty else { return }
    append(text: "  sat  system   id    el     az    ss  signals\n")
    for used in [true, false] {
      for tracked in satellites where tracked.satellite.isUsed == used {
        let satellite = tracked.satellite
        append(text: used ? "  used " : "  seen ")
        append(text: (Constellation(of: satellite)?.name ?? "PRN").padded(to: 7))
        append(cell: String(satellite.numberInSystem), width: 4)
        append(cell: satellite.elevation, width: 6)
        append(cell: satellite.azimuth, width: 7)
        append(cell: satellite.signalStrength, width: 6)
        if !tracked.signals.isEmpty {
          append(text: "  " + tracked.signals.joined(separator: ", "))
        }
        if satellite.health == 2 { append(text: " unhealthy") }
        append(character: "\n")
      }
    }
  }

  /// Appends the number rounded to a tenth, or a dash.
  private mutating func append(cell number: Double?, width: Int) {
    var text = TextBuffer()
    if let number = number?.ifMeasurable {
      text.append(number, places: 1)
    } else {
      text.append(character: "-")
    }
    append(cell: text.string, width: width)
  }

  /// Appends the text right-aligned, with at least one space before it.
  private mutating func append(cell text: String, width: Int) {
    for _ in 0..<Swift.max(1, width - text.count) { append(character: " ") }
    append(text: text)
  }
}

extension ReceiverChange.Kind {
  /// `rtk-float, was rtk-fixed`
  package var words: String {
    // Nothing is known about corrections before they are requested.
    if case .corrections(_, nil) = self { return (value ?? "") + detail }
    if case .doubt(_, let previous, _) = self {
      let change = (value ?? "") + (previous.isEmpty ? "" : ", was \(self.previous ?? "")")
      return change + (reason.map { ": \($0)" } ?? "")
    }
    return "\(value ?? "unknown")\(detail), was \(previous ?? "unknown")"
  }

  private var detail: String { reason.map { " (\($0))" } ?? "" }
}

extension LocationState {
  /// The parameter of SGR (ECMA-48).
  package var color: Int {
    switch self {
    case .fix3D: 32
    case .fix2D: 33
    case .searching, .connecting: 36
    case .noDevice: 35
    case .noService, .lost: 31
    }
  }
}

extension LocationFormat {
  /// Lines for people, with values separated by spaces: time, state, latitude, longitude, and height above mean sea
  /// level. A loss is a line with its reason and the last position.
  package static let text = LocationFormat(
    "text", [.transitions, .satellites, .units, .coordinates, .receivers, .averages]
  ) {
    if $0.isAverage { return AverageRenderer(.text, $0) }
    return TextRenderer(
      positionOnly: $0.isOnce, events: $0.events, coordinates: $0.coordinates, units: $0.units,
      showsSatellites: $0.showsSatellites, usesColor: $0.usesColor, source: $0.source)
  }
}
