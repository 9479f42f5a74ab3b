import LocationCore

extension TextBuffer {
  /// Appends the members that say of when a fix is and of what kind.
  mutating func append(jsonCircumstancesOf fix: LocationFix, _ keys: JSONKeys) {
    if let time = fix.time { append(jsonTime: time, after: keys.time) }
    if let received = fix.received { append(jsonMilliseconds: received, after: keys.received) }
    if let age = fix.age {
      append(keys.age)
      append(rounded: age, places: 3)
    }
    if !fix.isCurrent { append(keys.notCurrent) }
    append(keys.timeJump, fix.timeJump?.inSeconds)
    append(fix.mode == .threeD ? keys.mode3 : keys.mode2)
    append(fix.mode == .threeD ? keys.fix3D : keys.fix2D)
  }

  /// Appends the members that are numbers, but for the position.
  mutating func append(jsonQuantitiesOf fix: LocationFix, _ keys: JSONKeys) {
    append(keys.altMSL, fix.altMSL)
    append(keys.altHAE, fix.altHAE)
    append(keys.geoidSep, fix.geoidSep)
    append(keys.speed, fix.speed)
    append(keys.track, fix.track)
    append(keys.climb, fix.climb)
    if let accuracy = fix.accuracy {
      append(accuracy: accuracy, of: fix, after: keys.accuracy)
    }
    append(keys.epx, fix.epx)
    append(keys.epy, fix.epy)
    append(keys.epv, fix.epv)
    append(keys.satsUsed, fix.satellitesUsed)
    append(keys.satsSeen, fix.satellitesSeen)
    append(keys.hdop, fix.hdop)
    append(keys.vdop, fix.vdop)
    append(keys.pdop, fix.pdop)
    append(keys.ept, fix.ept)
    append(keys.eps, fix.eps)
    append(keys.epd, fix.epd)
    append(keys.epc, fix.epc)
    append(keys.sep, fix.sep)
    append(keys.magtrack, fix.magtrack)
    append(keys.magvar, fix.magvar)
    append(keys.velN, fix.velN)
    append(keys.velE, fix.velE)
    append(keys.velD, fix.velD)
    append(keys.dgpsAge, fix.dgpsAge)
  }

  /// Appends the accuracy: as the receiver gave it, or to the millimetre where it was computed.
  mutating func append(
    accuracy: Double, of fix: LocationFix, after key: ShortText = .none
  ) {
    if fix.eph == nil {
      append(key)
      append(rounded: accuracy, places: 3)
    } else {
      append(number: accuracy, after: key)
    }
  }
}
