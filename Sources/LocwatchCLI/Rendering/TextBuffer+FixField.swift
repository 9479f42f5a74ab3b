import LocationCore

extension TextBuffer {
  /// Appends the field as plain text, or nothing where it is unknown.
  ///
  /// - Returns: Whether it is known.
  @discardableResult
  mutating func append(_ field: FixField, of fix: LocationFix) -> Bool {
    let before = count
    switch field {
    case .device: append(visible: fix.device)
    case .time: if let time = fix.time { append(time: time) }
    case .received: if let received = fix.received { append(milliseconds: received) }
    case .current: append(text: fix.isCurrent ? "true" : "false")
    case .mode: append(integer: Int(fix.mode.rawValue))
    case .fix: append(text: fix.mode == .threeD ? "3d" : "2d")
    case .satsUsed: if let used = fix.satellitesUsed { append(integer: used) }
    case .satsSeen: if let seen = fix.satellitesSeen { append(integer: seen) }
    case .maidenhead: append(maidenhead: fix.coordinate)
    case .age: if let age = fix.age { append(rounded: age, places: 3) }
    case .accuracy:
      if let accuracy = fix.accuracy { append(accuracy: accuracy, of: fix) }
    case .timeJump, .lat, .lon, .altMSL, .altHAE, .geoidSep, .speed, .track, .climb, .epx, .epy,
      .epv, .hdop, .vdop, .pdop, .ept, .eps, .epd, .epc, .sep, .magtrack, .magvar, .velN, .velE,
      .velD, .dgpsAge:
      if let number = field.number(of: fix) { append(number: number) }
    }
    return count > before
  }
}
