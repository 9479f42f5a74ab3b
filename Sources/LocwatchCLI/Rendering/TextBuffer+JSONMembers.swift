import LocationCore

/// Members of JSON, which are there where their value is known and JSON has a form for it.
extension TextBuffer {
  mutating func append(_ key: ShortText, _ number: Double?) {
    guard let number, number.isFinite else { return }
    append(number: number, after: key)
  }

  mutating func append(_ key: ShortText, _ integer: Int?) {
    guard let integer else { return }
    append(integer: integer, after: key)
  }

  mutating func append(_ key: ShortText, _ text: String?, longest: Int = .max) {
    guard let text else { return }
    append(key)
    append(json: text, longest: longest)
  }

  /// Appends `{"type":"fix","source":"van"`.
  mutating func append(jsonStartOf type: String, source: String?, _ keys: JSONKeys) {
    append(text: #"{"type":""#)
    append(text: type)
    append(character: "\"")
    append(keys.source, source)
  }

  /// Appends when and where the last fix was.
  mutating func append(lastFix fix: LocationFix, _ keys: JSONKeys) {
    append(keys.lastFix)
    if let time = fix.time { append(jsonTime: time, after: keys.firstTime) }
    append(fix.time == nil ? keys.firstLat : keys.lat, fix.coordinate.latitude)
    append(keys.lon, fix.coordinate.longitude)
    append(character: "}")
  }

  mutating func append(_ satellites: [Satellite], _ keys: JSONKeys) {
    append(text: #","satellites":["#)
    for (index, satellite) in satellites.enumerated() {
      append(index == 0 ? keys.firstPRN : keys.nextPRN, satellite.prn)
      append(keys.gnssid, satellite.gnssID)
      append(keys.svid, satellite.svID)
      append(keys.sigid, satellite.sigID)
      append(keys.el, satellite.elevation)
      append(keys.az, satellite.azimuth)
      append(keys.ss, satellite.signalStrength)
      append(satellite.isUsed ? keys.used : keys.unused)
      append(keys.health, satellite.health)
      append(character: "}")
    }
    append(character: "]")
  }
}
