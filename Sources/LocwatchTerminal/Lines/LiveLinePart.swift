import LocationCore
import LocationText
import LocwatchSystem

/// The parts of a live line, from left to right.
enum LiveLinePart: CaseIterable {
  case state, doubt, quality, position, counter, retry, height, accuracy, motion, satellites,
    corrections,
    age, reason, device

  /// The minimum age that is shown for a current fix. Current fixes are usually younger.
  private static let minimumAge = Duration.seconds(2)

  /// The rank of the part. Parts with lower ranks get their space first.
  var need: Int {
    switch self {
    case .position: 0
    case .state, .doubt: 1
    // The receiver is shown only if there are several. Their lines must not be confused.
    case .device: 2
    case .age, .counter: 3
    case .retry: 4
    case .reason: 5
    case .accuracy: 6
    case .quality: 7
    case .height: 8
    case .motion: 9
    case .corrections: 10
    case .satellites: 11
    }
  }

  /// Whether the part is shown even if there is no space for the position.
  var standsAlone: Bool { need <= Self.reason.need }

  /// Returns the complete text of the part, and its short form; `nil` if the part is empty.
  func text(for status: LiveStatus, style: TerminalStyle) -> (whole: String, short: String)? {
    let text = content(for: status, style: style).string
    guard !text.isEmpty else { return nil }
    return switch self {
    case .device: (text, text.split(separator: "/").last.map(String.init) ?? text)
    case .doubt: (text, "doubted")
    default: (text, text)
    }
  }

  private func content(for status: LiveStatus, style: TerminalStyle) -> TextBuffer {
    var output = TextBuffer()
    switch self {
    case .state: output.append(text: status.state.rawValue)
    case .doubt: output.append(text: status.fix?.doubtText ?? "")
    case .quality:
      if let quality = status.fix?.quality, quality.isMeasured || quality == .timeOnly {
        output.append(text: quality.name)
      }
    case .position: output.append(positionOf: status, style)
    case .counter: output.append(counterOf: status)
    case .retry: if let retryIn = status.retryIn { output.append(retryIn: retryIn) }
    case .height:
      if let fix = status.fix, fix.mode == .fix3D, let height = fix.altitude {
        output.append(length: height, style)
      }
    case .accuracy:
      if let accuracy = status.fix?.horizontalError {
        output.append(text: style.showsUTF8 ? "±" : "+-")
        output.append(length: accuracy, style)
      }
    case .motion: if let fix = status.fix { output.append(motionOf: fix, style) }
    case .satellites: output.append(satellitesOf: status)
    case .corrections: output.append(correctionsOf: status)
    case .age:
      if status.fix != nil, let age = status.age, age >= Self.minimumAge {
        output.append(age: age)
      }
    case .reason: if let reason = status.reason { output.append(visible: reason) }
    case .device: if let device = status.device { output.append(visible: device) }
    }
    return output
  }
}

extension TextBuffer {
  /// Appends the position, in decimal degrees to 0.1 m.
  mutating func append(_ coordinate: Coordinate, _ style: TerminalStyle) {
    guard style.coordinates == .decimal else {
      return append(coordinate, style: style.coordinates, degree: style.showsUTF8 ? "°" : "d")
    }
    // A fixed number of places keeps the line from moving.
    append(coordinate.latitude, places: 6)
    append(character: " ")
    append(coordinate.longitude, places: 6)
  }

  /// Appends the position. A mark shows that the fix is simulated, not current, or from dead reckoning,
  /// because there may be no space for another part.
  fileprivate mutating func append(positionOf status: LiveStatus, _ style: TerminalStyle) {
    switch (status.fix ?? status.lastFix)?.quality {
    case .simulated?: append(text: "SIMULATED ")
    case .deadReckoning?: append(text: "dead reckoning ")
    default: break
    }
    if let fix = status.fix {
      if !fix.isCurrent { append(text: "not current ") }
      append(fix.coordinate, style)
    } else if let lastFix = status.lastFix {
      append(text: "last ")
      append(lastFix.coordinate, style)
    }
  }

  /// Appends the time since the last fix, or the time in this state if there was no fix.
  fileprivate mutating func append(counterOf status: LiveStatus) {
    guard status.fix == nil else { return }
    if status.lastFix != nil {
      if let age = status.age { append(age: age) }
    } else if status.retryIn == nil, let duration = status.duration {
      append(text: "for ")
      append(elapsed: duration.inSeconds)
    }
  }

  mutating func append(retryIn: Duration) {
    guard retryIn > .zero else { return append(text: "retrying") }
    append(text: "retry in ")
    append(integer: Int(retryIn.inSeconds.rounded(.up)))
    append(text: " s")
  }

  mutating func append(length metres: Double, _ style: TerminalStyle) {
    append(style.units.length(metres), places: 1)
    append(character: " ")
    append(text: style.units.lengthName)
  }

  fileprivate mutating func append(motionOf fix: LocationFix, _ style: TerminalStyle) {
    if let speed = fix.speed {
      append(style.units.speed(speed), places: 1)
      append(character: " ")
      append(text: style.units.speedName)
    }
    guard let track = fix.shown(.track) else { return }
    if fix.speed != nil { append(character: " ") }
    // 359.5° and above would be rounded to 360°.
    append(track >= 359.5 ? 0 : track, places: 0)
    append(text: style.showsUTF8 ? "°" : " deg")
  }

  mutating func append(satellitesOf status: LiveStatus) {
    var counts = (status.satellitesUsed, status.satellitesSeen)
    if counts == (nil, nil), let fix = status.fix {
      counts = (fix.satellitesUsed, fix.satellitesSeen)
    }
    switch counts {
    case (nil, nil): return
    case (let used?, nil): append(integer: used)
    case (nil, let seen?):
      append(integer: seen)
      return append(text: " sats seen")
    case (let used?, let seen?) where status.fix == nil:
      append(integer: used)
      append(text: " of ")
      append(integer: seen)
      return append(text: " sats used")
    case (let used?, let seen?):
      append(integer: used)
      append(character: "/")
      append(integer: seen)
    }
    append(text: " sats")
  }

  /// Appends the age of the corrections and the distance from their base station:
  /// `corrections 1.2 s, base 3.4 km`.
  mutating func append(correctionsOf status: LiveStatus) {
    guard let corrections = status.corrections else { return }
    guard corrections.state == .connected else { return append(text: "no corrections") }
    append(text: "corrections")
    guard let fix = status.fix else { return }
    if let age = fix[.dgpsAge] {
      append(character: " ")
      append(elapsed: age)
    }
    if let base = corrections.base {
      append(text: ", base ")
      append(fix.coordinate.distance(to: base) / 1000, places: 1)
      append(text: " km")
    }
  }

  mutating func append(age: Duration) {
    append(elapsed: age.inSeconds)
    append(text: " ago")
  }

  /// Appends a duration with a unit: `9.5 s`, `45 s`, `12 min`, `3 h`.
  mutating func append(elapsed seconds: Double) {
    switch seconds {
    case ..<10:
      append(Swift.max(0, seconds), places: 1)
      append(text: " s")
    case ..<120:
      append(seconds, places: 0)
      append(text: " s")
    case ..<7200:
      append(seconds / 60, places: 0)
      append(text: " min")
    default:
      append(seconds / 3600, places: 0)
      append(text: " h")
    }
  }
}
