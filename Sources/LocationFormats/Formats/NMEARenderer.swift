package import LocationCore
package import LocationText

/// Renders NMEA 0183: GGA, GSA, GSV, RMC, VTG, HDT, THS, ZDA and GLL for each fix, with the talker GN. A
/// position that is not current, or is no longer current, is marked as void. A value that the receiver did
/// not report is an empty field. HDT and THS are left out without a heading. Without a time, ZDA is left out,
/// and so is RMC, because readers take the date from it.
///
/// GLL is last because gpsd reports at the last sentence whose time it reads, and does not read the time of a
/// void RMC. Without GLL, gpsd would not report a loss.
package struct NMEARenderer: Renderer {
  private var fixed = FixedReceivers()
  private var skies = SkyMemory()
  /// Whether satellites were reported since they were last written.
  private var hasNewSky = false

  package init() {}

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {
    skies.record(sky)
    hasNewSky = true
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    fixed.record(fix)
    let satellites = skies.satellites(of: fix.device) ?? []
    output.append(ggaOf: fix)
    output.append(gsaOf: fix, NMEASatellite.all(in: satellites))
    if hasNewSky { output.append(gsvOf: NMEASatellite.all(in: satellites)) }
    hasNewSky = false
    output.append(rmcOf: fix)
    output.append(vtgOf: fix)
    output.append(hdtOf: fix)
    output.append(zdaOf: fix)
    output.append(gllOf: fix)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    skies.record(change)
    guard !fixed.end(by: change).isEmpty, fixed.isEmpty else { return }
    let time = change.instant
    output.appendSentence("GNGGA") { sentence in
      sentence.append(field: time?.nmeaTime)
      for field in ["", "", "", "", "0", "00", "", "", "M", "", "M", "", ""] {
        sentence.append(field: field)
      }
    }
    output.appendSentence("GNGSA") { sentence in
      for field in ["A", "1"] + repeatElement("", count: 15) { sentence.append(field: field) }
    }
    output.appendSentence("GNRMC") { sentence in
      sentence.append(field: time?.nmeaTime)
      for field in ["V", "", "", "", "", "", ""] { sentence.append(field: field) }
      sentence.append(field: time?.nmeaDate)
      for field in ["", "", "N"] { sentence.append(field: field) }
    }
    output.appendSentence("GNGLL") { sentence in
      for field in ["", "", "", "", time?.nmeaTime, "V", "N"] { sentence.append(field: field) }
    }
  }
}

extension LocationFix {
  /// The fix as a GGA sentence of NMEA 0183, with its line end.
  package var ggaSentence: String {
    var text = TextBuffer()
    text.append(ggaOf: self)
    return text.string
  }
}

extension TextBuffer {
  fileprivate mutating func append(ggaOf fix: LocationFix) {
    appendSentence("GNGGA") { sentence in
      sentence.append(field: fix.time?.nmeaTime)
      sentence.append(position: fix.coordinate)
      sentence.append(field: fix.isCurrent ? fix.nmeaQuality.number : "0")
      sentence.append(field: fix.satellitesUsed.map { $0 < 10 ? "0\($0)" : String($0) })
      sentence.append(field: fix.hdop, places: 1)
      sentence.append(field: fix.altMSL, places: 2)
      sentence.append(field: "M")
      sentence.append(field: fix.geoidSep, places: 2)
      sentence.append(field: "M")
      sentence.append(field: fix[.dgpsAge], places: 1)
      sentence.append(field: fix[.dgpsSta].flatMap { Int(exactly: $0) }.map(String.init))
    }
  }

  fileprivate mutating func append(rmcOf fix: LocationFix) {
    guard let time = fix.time else { return }
    appendSentence("GNRMC") { sentence in
      sentence.append(field: time.nmeaTime)
      sentence.append(field: fix.isCurrent ? "A" : "V")
      sentence.append(position: fix.coordinate)
      sentence.append(field: fix.speed.map { UnitSystem.nautical.speed($0) }, places: 2)
      sentence.append(field: fix.course, places: 1)
      sentence.append(field: time.nmeaDate)
      sentence.append(field: fix.magvar?.magnitude, places: 1)
      sentence.append(field: fix.magvar.map { $0 < 0 ? "W" : "E" })
      sentence.append(field: fix.isCurrent ? fix.nmeaQuality.letter : "N")
    }
  }

  fileprivate mutating func append(vtgOf fix: LocationFix) {
    appendSentence("GNVTG") { sentence in
      sentence.append(field: fix.course, places: 1)
      sentence.append(field: "T")
      sentence.append(field: fix.shown(.magtrack), places: 1)
      sentence.append(field: "M")
      sentence.append(field: fix.speed.map { UnitSystem.nautical.speed($0) }, places: 2)
      sentence.append(field: "N")
      sentence.append(field: fix.speed.map { UnitSystem.metric.speed($0) }, places: 2)
      sentence.append(field: "K")
      sentence.append(field: fix.isCurrent ? fix.nmeaQuality.letter : "N")
    }
  }

  fileprivate mutating func append(hdtOf fix: LocationFix) {
    guard let heading = fix.heading, fix.isCurrent else { return }
    appendSentence("GNHDT") { sentence in
      sentence.append(field: heading, places: 1)
      sentence.append(field: "T")
    }
    // THS also contains the mode of the heading. It has replaced HDT since version 4 of NMEA 0183.
    appendSentence("GNTHS") { sentence in
      sentence.append(field: heading, places: 1)
      sentence.append(field: fix.headingMode)
    }
  }

  /// Appends ZDA. Its time zone is UTC, because the offset of the local time is unknown.
  fileprivate mutating func append(zdaOf fix: LocationFix) {
    guard let time = fix.time else { return }
    appendSentence("GNZDA") { sentence in
      sentence.append(field: time.nmeaTime)
      for field in time.nmeaCivilDate + ["00", "00"] { sentence.append(field: field) }
    }
  }

  fileprivate mutating func append(gllOf fix: LocationFix) {
    appendSentence("GNGLL") { sentence in
      sentence.append(position: fix.coordinate)
      sentence.append(field: fix.time?.nmeaTime)
      sentence.append(field: fix.isCurrent ? "A" : "V")
      sentence.append(field: fix.isCurrent ? fix.nmeaQuality.letter : "N")
    }
  }

  /// Appends GSA sentences, each with up to twelve satellites of one system. Without a list of satellites, it
  /// appends one sentence with only the dilutions of precision.
  fileprivate mutating func append(gsaOf fix: LocationFix, _ satellites: [NMEASatellite]) {
    let used = satellites.filter(\.isUsed)
    var groups: [(system: Constellation?, numbers: [String])] = NMEASatellite.systems.flatMap {
      system in
      used.filter { $0.system == system }.map(\.number).inGroups(of: 12).map { (system, $0) }
    }
    if groups.isEmpty { groups = [(nil, [])] }
    for (system, numbers) in groups {
      appendSentence("GNGSA") { sentence in
        sentence.append(field: "A")
        sentence.append(field: fix.mode == .fix3D ? "3" : "2")
        for number in numbers { sentence.append(field: number) }
        for _ in numbers.count..<12 { sentence.append(field: "") }
        sentence.append(field: fix.pdop, places: 2)
        sentence.append(field: fix.hdop, places: 2)
        sentence.append(field: fix.vdop, places: 2)
        if let system { sentence.append(field: system.nmeaNumber) }
      }
    }
  }

  /// Appends GSV sentences, each with up to four satellites of one system and the talker of that system.
  fileprivate mutating func append(gsvOf satellites: [NMEASatellite]) {
    for system in NMEASatellite.systems {
      let seen = satellites.filter { $0.system == system }
      let groups = seen.inGroups(of: 4)
      for (index, group) in groups.enumerated() {
        appendSentence("\(system.nmeaTalker)GSV") { sentence in
          for field in [groups.count, index + 1] { sentence.append(field: String(field)) }
          sentence.append(field: seen.count < 10 ? "0\(seen.count)" : String(seen.count))
          for satellite in group {
            sentence.append(field: satellite.number)
            sentence.append(field: satellite.elevation, digits: 2)
            sentence.append(field: satellite.azimuth, digits: 3)
            sentence.append(field: satellite.signalStrength, digits: 2)
          }
        }
      }
    }
  }
}

extension Array {
  fileprivate func inGroups(of count: Int) -> [[Element]] {
    stride(from: 0, to: self.count, by: count).map { Array(self[$0...].prefix(count)) }
  }
}

extension LocationFix {
  /// The letter for the source of the heading, in THS.
  fileprivate var headingMode: String {
    switch quality {
    case .deadReckoning?: "E"
    case .simulated?: "S"
    default: "A"
    }
  }

  /// The number in GGA, and the letter in RMC, for how the position was computed.
  fileprivate var nmeaQuality: (number: String, letter: String) {
    switch quality {
    case .dgps?: ("2", "D")
    case .pCode?: ("3", "P")
    case .rtkFixed?: ("4", "R")
    case .rtkFloat?: ("5", "F")
    case .deadReckoning?: ("6", "E")
    case .timeOnly?: ("7", "M")
    case .simulated?: ("8", "S")
    // NMEA has no number for satellites combined with dead reckoning. gpsd and u-blox write 1 and A, too.
    default: ("1", "A")
    }
  }
}

extension LocationFormat {
  /// NMEA 0183: GGA, GSA, GSV, RMC, VTG, HDT, THS, ZDA and GLL for each fix, with speeds in knots. A loss is a
  /// group of sentences marked as void.
  public static let nmea = LocationFormat("nmea") { _ in NMEARenderer() }
}
