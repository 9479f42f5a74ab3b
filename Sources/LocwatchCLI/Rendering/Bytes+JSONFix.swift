import LocationCore

extension [UInt8] {
  /// Appends a member where its value is known, and JSON has a form for it. `key` is all that comes before the value.
  mutating func append(jsonMember key: String, _ number: Double?) {
    guard let number, number.isFinite else { return }
    append(number: number, after: key)
  }

  mutating func append(jsonMember key: String, _ integer: Int?) {
    guard let integer else { return }
    append(text: key)
    append(integer: integer)
  }

  mutating func append(jsonMember key: String, _ text: String?) {
    guard let text else { return }
    append(text: key)
    append(json: text)
  }

  /// Appends the members that say whose fix it is, of when and of what kind.
  mutating func append(jsonOriginOf fix: LocationFix) {
    if !fix.device.isEmpty { append(jsonMember: #","device":"#, fix.device) }
    if let time = fix.time {
      append(text: #","time":""#)
      append(time: time)
      append(character: "\"")
    }
    if let received = fix.received {
      append(text: #","received":""#)
      append(milliseconds: received)
      append(character: "\"")
    }
    if let age = fix.age {
      append(text: #","age":"#)
      append(rounded: age, places: 3)
    }
    if !fix.isCurrent { append(text: #","current":false"#) }
    append(jsonMember: #","timeJump":"#, fix.timeJump?.inSeconds)
    append(text: fix.mode == .threeD ? #","mode":3,"fix":"3d""# : #","mode":2,"fix":"2d""#)
  }

  /// Appends the members that are numbers, but for the position.
  mutating func append(jsonQuantitiesOf fix: LocationFix) {
    append(jsonMember: #","altMSL":"#, fix.altMSL)
    append(jsonMember: #","altHAE":"#, fix.altHAE)
    append(jsonMember: #","geoidSep":"#, fix.geoidSep)
    append(jsonMember: #","speed":"#, fix.speed)
    append(jsonMember: #","track":"#, fix.track)
    append(jsonMember: #","climb":"#, fix.climb)
    if let accuracy = fix.accuracy {
      append(text: #","accuracy":"#)
      append(accuracy: accuracy, of: fix)
    }
    append(jsonMember: #","epx":"#, fix.epx)
    append(jsonMember: #","epy":"#, fix.epy)
    append(jsonMember: #","epv":"#, fix.epv)
    append(jsonMember: #","satsUsed":"#, fix.satellitesUsed)
    append(jsonMember: #","satsSeen":"#, fix.satellitesSeen)
    append(jsonMember: #","hdop":"#, fix.hdop)
    append(jsonMember: #","vdop":"#, fix.vdop)
    append(jsonMember: #","pdop":"#, fix.pdop)
    append(jsonMember: #","ept":"#, fix.ept)
    append(jsonMember: #","eps":"#, fix.eps)
    append(jsonMember: #","epd":"#, fix.epd)
    append(jsonMember: #","epc":"#, fix.epc)
    append(jsonMember: #","sep":"#, fix.sep)
    append(jsonMember: #","magtrack":"#, fix.magtrack)
    append(jsonMember: #","magvar":"#, fix.magvar)
    append(jsonMember: #","velN":"#, fix.velN)
    append(jsonMember: #","velE":"#, fix.velE)
    append(jsonMember: #","velD":"#, fix.velD)
    append(jsonMember: #","dgpsAge":"#, fix.dgpsAge)
  }

  /// Appends the accuracy: as the receiver gave it, or to the millimetre where it was computed.
  mutating func append(accuracy: Double, of fix: LocationFix) {
    if fix.eph == nil {
      append(rounded: accuracy, places: 3)
    } else {
      append(number: accuracy)
    }
  }

  mutating func append(jsonSatellites satellites: [Satellite]) {
    append(text: #","satellites":["#)
    for (index, satellite) in satellites.enumerated() {
      append(text: index == 0 ? #"{"PRN":"# : #",{"PRN":"#)
      append(integer: satellite.prn)
      append(jsonMember: #","gnssid":"#, satellite.gnssID)
      append(jsonMember: #","svid":"#, satellite.svID)
      append(jsonMember: #","sigid":"#, satellite.sigID)
      append(jsonMember: #","el":"#, satellite.elevation)
      append(jsonMember: #","az":"#, satellite.azimuth)
      append(jsonMember: #","ss":"#, satellite.signalStrength)
      append(text: satellite.isUsed ? #","used":true"# : #","used":false"#)
      append(jsonMember: #","health":"#, satellite.health)
      append(character: "}")
    }
    append(character: "]")
  }
}
