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
  private var fixed = ReceiversWithFix()
  /// The satellites of each receiver, and whether they were reported since they were last written.
  private var skies = ReceiverTable<(sky: NMEASky, isNew: Bool)>()

  package init() {}

  package var hasUnnamedPosition: Bool { !fixed.isEmpty }

  package mutating func sky(_ sky: SkyView, into output: inout TextBuffer) {
    let index = skies.find(sky.device) ?? skies.insert((NMEASky(), true), for: sky.device)
    guard let index else { return }
    skies.values[index].isNew = true
    if let satellites = sky.satellites { skies.values[index].sky = NMEASky(satellites) }
  }

  package mutating func fix(_ fix: LocationFix, into output: inout TextBuffer) {
    fixed.record(fix)
    let (sky, isNew) = skies[fix.device] ?? (NMEASky(), false)
    output.append(ggaOf: fix)
    output.append(gsaOf: fix, sky)
    if isNew, let index = skies.find(fix.device) {
      output.append(gsvOf: sky)
      skies.values[index].isNew = false
    }
    output.append(rmcOf: fix)
    output.append(vtgOf: fix)
    output.append(hdtOf: fix)
    output.append(zdaOf: fix)
    output.append(gllOf: fix)
  }

  package mutating func state(_ change: StateChange, into output: inout TextBuffer) {
    skies.removeAll(where: change.endsSky(of:))
    guard !fixed.end(by: change).isEmpty, fixed.isEmpty else { return }
    let time = change.instant
    output.appendSentence("GNGGA") { sentence in
      sentence.append(timeOf: time)
      sentence.append(text: ",,,,,0,00,,,M,,M,,")
    }
    output.appendSentence("GNGSA") { $0.append(text: ",A,1,,,,,,,,,,,,,,,") }
    output.appendSentence("GNRMC") { sentence in
      sentence.append(timeOf: time)
      sentence.append(text: ",V,,,,,,")
      sentence.append(dateOf: time)
      sentence.append(text: ",,,N")
    }
    output.appendSentence("GNGLL") { sentence in
      sentence.append(text: ",,,,")
      sentence.append(timeOf: time)
      sentence.append(text: ",V,N")
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
      sentence.append(timeOf: fix.time)
      sentence.append(position: fix.coordinate)
      sentence.append(field: fix.nmeaQuality.number)
      if let count = fix.satellitesUsed {
        sentence.append(count: count)
      } else {
        sentence.append(emptyFields: 1)
      }
      sentence.append(field: fix[.hdop], places: 1)
      sentence.append(field: fix.altitude, places: 2)
      sentence.append(field: "M")
      sentence.append(field: fix[.geoidSep], places: 2)
      sentence.append(field: "M")
      sentence.append(field: fix[.dgpsAge], places: 1)
      sentence.append(emptyFields: 1)
      if let station = fix[.dgpsSta].flatMap({ Int(exactly: $0) }) {
        sentence.append(integer: station)
      }
    }
  }

  fileprivate mutating func append(rmcOf fix: LocationFix) {
    guard let time = fix.time else { return }
    appendSentence("GNRMC") { sentence in
      sentence.append(timeOf: time)
      sentence.append(field: fix.isCurrent ? "A" : "V")
      sentence.append(position: fix.coordinate)
      sentence.append(field: fix.speed.map { UnitSystem.nautical.speed($0) }, places: 2)
      sentence.append(field: fix.shown(.track), places: 1)
      sentence.append(dateOf: time)
      sentence.append(field: fix[.magvar]?.magnitude, places: 1)
      if let magvar = fix[.magvar] {
        sentence.append(field: magvar < 0 ? "W" : "E")
      } else {
        sentence.append(emptyFields: 1)
      }
      sentence.append(field: fix.nmeaQuality.letter)
    }
  }

  fileprivate mutating func append(vtgOf fix: LocationFix) {
    appendSentence("GNVTG") { sentence in
      sentence.append(field: fix.shown(.track), places: 1)
      sentence.append(field: "T")
      sentence.append(field: fix.shown(.magtrack), places: 1)
      sentence.append(field: "M")
      sentence.append(field: fix.speed.map { UnitSystem.nautical.speed($0) }, places: 2)
      sentence.append(field: "N")
      sentence.append(field: fix.speed.map { UnitSystem.metric.speed($0) }, places: 2)
      sentence.append(field: "K")
      sentence.append(field: fix.nmeaQuality.letter)
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
      sentence.append(timeOf: time)
      sentence.append(longDateOf: time)
      sentence.append(text: ",00,00")
    }
  }

  fileprivate mutating func append(gllOf fix: LocationFix) {
    appendSentence("GNGLL") { sentence in
      sentence.append(position: fix.coordinate)
      sentence.append(timeOf: fix.time)
      sentence.append(field: fix.isCurrent ? "A" : "V")
      sentence.append(field: fix.nmeaQuality.letter)
    }
  }

  /// Appends GSA sentences, each with up to twelve satellites of one system. Without a list of satellites, it
  /// appends one sentence with only the dilutions of precision.
  fileprivate mutating func append(gsaOf fix: LocationFix, _ sky: NMEASky) {
    for system in sky.systems {
      for start in stride(from: system.used.lowerBound, to: system.used.upperBound, by: 12) {
        let end = min(start + 12, system.used.upperBound)
        append(gsaOf: fix, sky.used[start..<end], of: system.number)
      }
    }
    if sky.used.isEmpty { append(gsaOf: fix, [], of: nil) }
  }

  private mutating func append(
    gsaOf fix: LocationFix, _ satellites: ArraySlice<Int>, of system: Unicode.Scalar?
  ) {
    appendSentence("GNGSA") { sentence in
      sentence.append(field: "A")
      sentence.append(field: fix.mode == .fix3D ? "3" : "2")
      for number in satellites { sentence.append(count: number) }
      sentence.append(emptyFields: 12 - satellites.count)
      sentence.append(field: fix[.pdop], places: 2)
      sentence.append(field: fix[.hdop], places: 2)
      sentence.append(field: fix[.vdop], places: 2)
      if let system { sentence.append(field: system) }
    }
  }

  /// Appends GSV sentences, each with up to four satellites of one system and the talker of that system.
  fileprivate mutating func append(gsvOf sky: NMEASky) {
    for system in sky.systems {
      let seen = system.seen
      for start in stride(from: seen.lowerBound, to: seen.upperBound, by: 4) {
        appendSentence(system.gsv) { sentence in
          for number in [(seen.count + 3) / 4, (start - seen.lowerBound) / 4 + 1] {
            sentence.append(character: ",")
            sentence.append(integer: number)
          }
          sentence.append(count: seen.count)
          for satellite in sky.satellites[start..<min(start + 4, seen.upperBound)] {
            sentence.append(count: satellite.number)
            sentence.append(field: satellite.elevation, digits: 2)
            sentence.append(field: satellite.azimuth, digits: 3)
            sentence.append(field: satellite.signalStrength, digits: 2)
          }
        }
      }
    }
  }
}

extension LocationFix {
  /// The letter for the source of the heading, in THS.
  fileprivate var headingMode: Unicode.Scalar {
    switch quality {
    case .deadReckoning?: "E"
    case .simulated?: "S"
    default: "A"
    }
  }

  /// The number in GGA, and the letter in RMC, for how the position was computed; `0` and `N` if it is not current.
  fileprivate var nmeaQuality: (number: Unicode.Scalar, letter: Unicode.Scalar) {
    guard isCurrent else { return ("0", "N") }
    return switch quality {
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
  package static let nmea = LocationFormat("nmea", endings: ["nmea"]) { _ in NMEARenderer() }
}
