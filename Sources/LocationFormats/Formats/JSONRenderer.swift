package import LocationCore
package import LocationText

/// Renders NDJSON: one record per line, with gpsd's field names.
package struct JSONRenderer: Renderer {
  private let keys = JSONKeys.shared
  private var source: String?
  private let events: EventChoice
  private let showsSatellites: Bool
  private var skies = SkyMemory()

  package init(
    source: String? = nil, events: EventChoice = .all, showsSatellites: Bool = false
  ) {
    self.source = source
    self.events = events
    self.showsSatellites = showsSatellites
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    guard events != .transitionsOnly else { return }
    output.append(jsonStartOf: "fix", source: source, keys)
    output.append(keys.device, fix.device)
    output.append(jsonCircumstancesOf: fix, keys)
    output.append(keys.lat, fix.coordinate.latitude)
    output.append(keys.lon, fix.coordinate.longitude)
    output.append(jsonQuantitiesOf: fix, keys)
    if showsSatellites, let satellites = skies.satellites(of: fix.device) {
      output.append(satellites, keys)
    }
    output.append(keys.end)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    skies.record(change)
    guard events != .fixesOnly else { return }
    output.append(jsonStartOf: "state", source: source, keys)
    output.append(keys.state, change.state.rawValue)
    output.append(keys.previous, change.previous?.rawValue)
    output.append(keys.reason, change.reason, maximum: maximumTextShown)
    output.append(keys.device, change.device)
    if let lastFix = change.lastFix { output.append(lastFix: lastFix, keys) }
    if let retryIn = change.retryIn {
      output.append(keys.retryIn)
      output.append(rounded: retryIn.inSeconds, places: 3)
    }
    output.append(change.time, change.moment, keys)
    output.append(keys.end)
  }

  package mutating func change(_ change: ReceiverChange, into output: inout TextBuffer) {
    guard events != .fixesOnly else { return }
    output.append(jsonStartOf: change.kind.name, source: source, keys)
    if case .doubt(let doubts, let previous, let detail) = change.kind {
      output.append(keys.doubt, DoubtSet(doubts))
      output.append(keys.was, DoubtSet(previous))
      output.append(keys.detail, detail, maximum: maximumTextShown)
    } else if case .corrections(let corrections, _) = change.kind {
      output.append(keys.state, corrections.state.rawValue)
      output.append(keys.reason, corrections.reason, maximum: maximumTextShown)
      output.append(keys.caster, corrections.source)
    } else if let subject = change.kind.subject {
      output.append(text: ",\"\(change.kind.name)\":")
      output.append(json: subject, maximum: .max)
      output.append(keys.presence, change.kind.value)
    } else if let value = change.kind.value {
      output.append(text: ",\"\(change.kind.name)\":")
      output.append(json: value, maximum: .max)
    }
    if case .doubt = change.kind {} else { output.append(keys.previous, change.kind.previous) }
    output.append(keys.state, change.state?.rawValue)
    output.append(keys.device, change.device)
    if let coordinate = change.coordinate {
      output.append(keys.lat, coordinate.latitude)
      output.append(keys.lon, coordinate.longitude)
    }
    output.append(change.time, change.moment, keys)
    output.append(keys.end)
  }

  package mutating func begin(source: String) { self.source = source }

  package mutating func report(_ report: ServiceReport, into output: inout TextBuffer) {
    output.append(jsonStartOf: "report", source: source, keys)
    output.append(keys.class, report.kind.rawValue)
    output.append(keys.device, report.device)
    if let received = report.received {
      output.append(jsonMilliseconds: received, after: keys.received)
    }
    if let offset = report.clockOffset {
      output.append(keys.offset)
      output.append(rounded: offset.inSeconds, places: 9)
    }
    output.append(keys.report)
    output.append(jsonObject: report.text)
    output.append(keys.end)
  }

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {
    if showsSatellites { skies.record(sky) }
  }
}

extension TextBuffer {
  /// Appends the times and the mode of a fix.
  mutating func append(jsonCircumstancesOf fix: LocationFix, _ keys: JSONKeys) {
    if let time = fix.time { append(jsonTime: time, after: keys.time) }
    if let received = fix.received { append(jsonMilliseconds: received, after: keys.received) }
    if let age = fix.age {
      append(keys.age)
      append(rounded: age, places: 3)
    }
    if !fix.isCurrent { append(keys.notCurrent) }
    append(keys.timeJump, fix.timeJump?.inSeconds)
    append(keys.rollover, fix.rollover)
    if let count = fix.dateCorrection {
      append(text: ",\"dateCorrection\":")
      append(integer: count)
    }
    if !fix.doubtSet.isEmpty { append(keys.doubt, fix.doubtSet) }
    append(fix.mode == .fix3D ? keys.mode3 : keys.mode2)
    append(fix.mode == .fix3D ? keys.fix3D : keys.fix2D)
    if let status = fix[.status] {
      append(status, at: Int(LocationFix.Quantity.status.rawValue), keys)
    }
  }

  /// Appends the quantities except for the quality.
  mutating func append(jsonQuantitiesOf fix: LocationFix, _ keys: JSONKeys) {
    var quantities = fix.known.intersection(keys.quantities)
    if fix.isCourseNoise { quantities.subtract(keys.courses) }
    let computed = fix[.eph] == nil ? fix.horizontalError : nil
    if computed != nil { quantities.insert(QuantitySet(.eph)) }
    // The loop uses raw values, because a call into another module would cost as much as everything else.
    var rest = quantities.rawValue
    fix.withNumbers { numbers in
      while rest != 0 {
        let place = rest.trailingZeroBitCount
        rest &= rest &- 1
        if place == JSONKeys.ephPlace, let computed {
          append(keys.key(of: .eph))
          append(accuracy: computed, of: fix)
        } else {
          append(numbers[place], at: place, keys)
        }
      }
    }
  }

  /// Appends a number as the member of the quantity whose raw value is `place`.
  private mutating func append(_ number: Double, at place: Int, _ keys: JSONKeys) {
    let (key, form) = keys.members[place]
    switch form {
    case .number: append(number: number, after: key)
    case .word: if let index = Int(exactly: number) { append(keys.word(index, at: place)) }
    case .integer:
      if let integer = Int(exactly: number) {
        append(integer: integer, after: key)
      } else {
        append(number: number, after: key)
      }
    }
  }

  /// Appends the accuracy, rounded to the millimetre if it was computed.
  mutating func append(accuracy: Double, of fix: LocationFix) {
    if fix[.eph] == nil {
      append(rounded: accuracy, places: 3)
    } else {
      append(number: accuracy)
    }
  }
}

/// Members of JSON records. A member is left out if its value is unknown or cannot be represented in JSON.
extension TextBuffer {
  mutating func append(_ key: ShortText, _ number: Double?) {
    guard let number, number.isFinite else { return }
    append(number: number, after: key)
  }

  mutating func append(_ key: ShortText, _ integer: Int?) {
    guard let integer else { return }
    append(integer: integer, after: key)
  }

  mutating func append(_ key: ShortText, _ text: String?, maximum: Int = .max) {
    guard let text else { return }
    append(key)
    append(json: text, maximum: maximum)
  }

  /// Appends the names of doubts as an array.
  fileprivate mutating func append(_ key: ShortText, _ doubts: DoubtSet) {
    append(key)
    append(character: "[")
    var start = "\""
    // An array of the doubts would be made for each fix.
    for doubt in Doubt.allCases where doubts.contains(doubt) {
      append(text: start)
      append(text: doubt.rawValue)
      append(character: "\"")
      start = ",\""
    }
    append(character: "]")
  }

  /// Appends `{"type":"fix","source":"van"`.
  mutating func append(jsonStartOf type: String, source: String?, _ keys: JSONKeys) {
    append(text: #"{"type":""#)
    append(text: type)
    append(character: "\"")
    append(keys.source, source)
  }

  /// Appends when a change happened, by the receiver's clock and by the local clock.
  fileprivate mutating func append(_ time: Timestamp?, _ moment: Moment, _ keys: JSONKeys) {
    if let time { append(jsonTime: time, after: keys.time) }
    if let received = moment.wall { append(jsonMilliseconds: received, after: keys.received) }
  }

  /// Appends the time and position of the last fix.
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
      append(keys.signal, satellite.signalName)
      append(keys.el, satellite.elevation)
      append(keys.az, satellite.azimuth)
      append(keys.ss, satellite.signalStrength)
      append(satellite.isUsed ? keys.used : keys.unused)
      append(keys.health, satellite.health)
      append(keys.freqid, satellite.freqID)
      append(keys.qual, satellite.trackingQuality)
      append(keys.pr, satellite.pseudorange)
      append(keys.prRate, satellite.pseudorangeRate)
      append(keys.prRes, satellite.pseudorangeResidual)
      append(character: "}")
    }
    append(character: "]")
  }
}

/// The text before each value of a record.
///
/// It is a class because a large struct would be copied. Renderers keep ``shared``, because each access to a
/// static property checks whether the property is initialized.
final class JSONKeys: Sendable {
  static let shared = JSONKeys()

  let device = ShortText(#","device":"#)
  let source = ShortText(#","source":"#)
  let end = ShortText("}\n")

  let time = ShortText(#","time":""#)
  let received = ShortText(#","received":""#)
  let age = ShortText(#","age":"#)
  let notCurrent = ShortText(#","current":false"#)
  let timeJump = ShortText(#","timeJump":"#)
  let rollover = ShortText(#","rollover":"#)
  let doubt = ShortText(#","doubt":"#)
  let mode2 = ShortText(#","mode":2"#)
  let mode3 = ShortText(#","mode":3"#)
  let fix2D = ShortText(#","fix":"2d""#)
  let fix3D = ShortText(#","fix":"3d""#)

  let lat = ShortText(#","lat":"#)
  let lon = ShortText(#","lon":"#)

  /// How the value of a quantity is written.
  enum Form { case number, integer, word }

  /// The quantities that are written after the position.
  let quantities = QuantitySet(FixField.quantities)
  /// The quantities that are left out of a fix at rest.
  let courses = QuantitySet([.track, .magtrack])
  /// The key and the form of each quantity, by its raw value.
  let members: [(key: ShortText, form: Form)] = LocationFix.Quantity.allCases.map { quantity in
    let form: Form =
      switch quantity.row.kind {
      case .words: .word
      case .integer: .integer
      case .number: .number
      }
    return (ShortText(",\"\(quantity.row.name)\":"), form)
  }

  /// The raw value of `eph`, the only quantity that is computed if it is unknown.
  static let ephPlace = Int(LocationFix.Quantity.eph.rawValue)

  /// Returns the key of a quantity.
  func key(of quantity: LocationFix.Quantity) -> ShortText { members[Int(quantity.rawValue)].key }

  /// The complete members whose values are words, by the raw value of the quantity and the number of the
  /// word.
  private let words: [[[ShortText]]] = LocationFix.Quantity.allCases.map { quantity in
    guard case .words(let words) = quantity.row.kind else { return [] }
    return words.map { word in
      var text = TextBuffer()
      if !word.isEmpty { text.append(text: ",\"\(quantity.row.name)\":\"\(word)\"") }
      return ShortText.pieces(of: text)
    }
  }

  /// Returns the complete member for a word of the quantity whose raw value is `place`; empty if no word has
  /// the number.
  func word(_ number: Int, at place: Int) -> [ShortText] {
    let members = words[place]
    return members.indices.contains(number) ? members[number] : []
  }

  let `class` = ShortText(#","class":"#)
  let offset = ShortText(#","offset":"#)
  let report = ShortText(#","report":"#)

  let state = ShortText(#","state":"#)
  let previous = ShortText(#","previous":"#)
  let reason = ShortText(#","reason":"#)
  let lastFix = ShortText(#","lastFix":{"#)
  let firstTime = ShortText(#""time":""#)
  let firstLat = ShortText(#""lat":"#)
  let retryIn = ShortText(#","retryIn":"#)
  let presence = ShortText(#","presence":"#)
  let was = ShortText(#","was":"#)
  let detail = ShortText(#","detail":"#)
  let caster = ShortText(#","caster":"#)

  let from = ShortText(#","from":""#)
  let to = ShortText(#","to":""#)
  let errEast = ShortText(#","errEast":"#)
  let errNorth = ShortText(#","errNorth":"#)
  let errUp = ShortText(#","errUp":"#)
  let fixes = ShortText(#","fixes":"#)
  let outliers = ShortText(#","outliers":"#)

  let firstPRN = ShortText(#"{"PRN":"#)
  let nextPRN = ShortText(#",{"PRN":"#)
  let gnssid = ShortText(#","gnssid":"#)
  let svid = ShortText(#","svid":"#)
  let sigid = ShortText(#","sigid":"#)
  let signal = ShortText(#","signal":"#)
  let el = ShortText(#","el":"#)
  let az = ShortText(#","az":"#)
  let ss = ShortText(#","ss":"#)
  let used = ShortText(#","used":true"#)
  let unused = ShortText(#","used":false"#)
  let health = ShortText(#","health":"#)
  let freqid = ShortText(#","freqid":"#)
  let qual = ShortText(#","qual":"#)
  let pr = ShortText(#","pr":"#)
  let prRate = ShortText(#","prRate":"#)
  let prRes = ShortText(#","prRes":"#)
}

extension LocationFormat {
  /// NDJSON: an object per line, whose `type` is `fix`, `state` or the name of another change. A
  /// loss is a `state` with its reason and the last position.
  ///
  /// `locwatch --generate schema` prints the JSON Schema of the records.
  package static let ndjson = LocationFormat(
    "json", [.transitions, .satellites, .reports, .receivers, .averages],
    endings: LocationFormat.jsonEndings
  ) {
    if $0.isAverage { return AverageRenderer(.json, $0) }
    return JSONRenderer(
      source: $0.source, events: $0.isOnce ? .fixesOnly : $0.events,
      showsSatellites: $0.showsSatellites)
  }
}
