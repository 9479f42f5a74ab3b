import LocationCore

/// The parts of the line that is redrawn, from left to right.
enum LiveLinePart: CaseIterable {
  case state, remark, position, height, accuracy, motion, satellites, elapsed, device

  /// The lower, the sooner it gets its room.
  var need: Int {
    switch self {
    case .position: 0
    case .state: 1
    case .remark: 2
    case .elapsed: 3
    // It is told only where there are several.
    case .device: 4
    case .accuracy: 5
    case .height: 6
    case .motion: 7
    case .satellites: 8
    }
  }

  /// The part in words; `nil` where there is nothing to say.
  func text(for status: LiveStatus, style: TerminalStyle) -> String? {
    let text = content(for: status, style: style).string
    return text.isEmpty ? nil : text
  }

  private func content(for status: LiveStatus, style: TerminalStyle) -> TextBuffer {
    var output = TextBuffer()
    switch self {
    case .state: output.append(text: status.state.rawValue)
    case .remark: if status.fix?.isCurrent == false { output.append(text: "not current") }
    case .position: if let fix = status.fix { output.append(livePosition: fix, style) }
    case .height:
      if let fix = status.fix, fix.mode == .threeD, let height = fix.altMSL {
        output.append(length: height, style)
      }
    case .accuracy:
      if let accuracy = status.fix?.accuracy {
        output.append(text: style.showsUTF8 ? "±" : "+-")
        output.append(length: accuracy, style)
      }
    case .motion: if let fix = status.fix { output.append(motionOf: fix, style) }
    case .satellites: output.append(satellitesOf: status)
    case .elapsed: if let elapsed = status.elapsed { output.append(elapsed: elapsed.inSeconds) }
    case .device: if let device = status.device { output.append(visible: device) }
    }
    return output
  }
}

extension TextBuffer {
  fileprivate mutating func append(livePosition fix: LocationFix, _ style: TerminalStyle) {
    guard style.coordinates == .decimal else {
      return append(
        fix.coordinate, style: style.coordinates, degree: style.showsUTF8 ? "°" : "d")
    }
    // 0.1 m, and always as wide, so that the line stands still.
    append(fix.coordinate.latitude, places: 6)
    append(character: " ")
    append(fix.coordinate.longitude, places: 6)
  }

  fileprivate mutating func append(length metres: Double, _ style: TerminalStyle) {
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
    guard let track = fix.track else { return }
    if fix.speed != nil { append(character: " ") }
    append(track, places: 0)
    append(text: style.showsUTF8 ? "°" : " deg")
  }

  fileprivate mutating func append(satellitesOf status: LiveStatus) {
    switch (status.satellitesUsed, status.satellitesSeen) {
    case (nil, nil): return
    case (let used?, nil): append(integer: used)
    case (nil, let seen?):
      append(integer: seen)
      return append(text: " sats seen")
    case (let used?, let seen?):
      append(integer: used)
      append(character: "/")
      append(integer: seen)
    }
    append(text: " sats")
  }

  fileprivate mutating func append(elapsed seconds: Double) {
    switch seconds {
    case ..<10:
      append(seconds, places: 1)
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
