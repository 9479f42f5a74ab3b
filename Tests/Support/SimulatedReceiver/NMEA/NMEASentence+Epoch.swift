extension NMEASentence {
  /// The sentences of `kind` that tell of `epoch`.
  package static func sentences(_ kind: SentenceKind, of epoch: ReceiverEpoch) -> [NMEASentence] {
    switch kind {
    case .gga: [gga(epoch)]
    case .gsa: systems(of: epoch).map { gsa(epoch, $0) }
    case .gsv: systems(of: epoch).flatMap { gsv(epoch.satellites, $0) }
    case .rmc: [rmc(epoch)]
    case .vtg: [vtg(epoch)]
    }
  }

  private static func gga(_ epoch: ReceiverEpoch) -> NMEASentence {
    // A receiver that solves for two dimensions knows no height; gpsd takes one for a 3D fix.
    let place = epoch.fix == .threeDimensional ? epoch.place : nil
    return NMEASentence(
      ["GPGGA", epoch.time.nmeaTime] + coordinate(epoch.place) + [
        epoch.fix == .none ? "0" : epoch.isDifferential ? "2" : "1",
        padded(epoch.used.count, to: 2),
        fixed(epoch.dilution.horizontal, decimals: 2),
        place.map { fixed($0.altitudeMSL, decimals: 3) } ?? "", "M",
        place.map { fixed($0.geoidSeparation, decimals: 3) } ?? "", "M",
        "", "",
      ])
  }

  /// The systems of the satellites; GPS where there is none.
  private static func systems(of epoch: ReceiverEpoch) -> [SatelliteSystem] {
    SatelliteSystem.allCases.filter { system in
      system == .gps || epoch.satellites.contains { $0.system == system }
    }
  }

  private static func gsa(_ epoch: ReceiverEpoch, _ system: SatelliteSystem) -> NMEASentence {
    let numbers = epoch.used.filter { $0.system == system }.prefix(12)
      .map { padded($0.number, to: 2) }
    return NMEASentence(
      ["\(system.rawValue)GSA", "A", epoch.fix.gsaMode] + numbers
        + Array(repeating: "", count: 12 - numbers.count) + [
          fixed(epoch.dilution.position, decimals: 2),
          fixed(epoch.dilution.horizontal, decimals: 2),
          fixed(epoch.dilution.vertical, decimals: 2),
        ])
  }

  /// Four satellites a sentence; one empty sentence where none is in view.
  private static func gsv(
    _ satellites: [SimulatedSatellite], _ system: SatelliteSystem
  ) -> [NMEASentence] {
    let satellites = satellites.filter { $0.system == system }
    let count = max(1, (satellites.count + 3) / 4)
    return (0..<count).map { index in
      let group = satellites.dropFirst(index * 4).prefix(4)
      return NMEASentence(
        ["\(system.rawValue)GSV", "\(count)", "\(index + 1)", padded(satellites.count, to: 2)]
          + group.flatMap { satellite in
            [
              padded(satellite.number, to: 2), padded(satellite.elevation, to: 2),
              padded(satellite.azimuth, to: 3),
              satellite.signal.map { padded($0, to: 2) } ?? "",
            ]
          })
    }
  }

  private static func rmc(_ epoch: ReceiverEpoch) -> NMEASentence {
    NMEASentence(
      ["GPRMC", epoch.time.nmeaTime, epoch.fix == .none ? "V" : "A"] + coordinate(epoch.place) + [
        epoch.place.map { fixed($0.speed * knots, decimals: 3) } ?? "",
        epoch.place.map { fixed($0.course, decimals: 2) } ?? "",
        epoch.time.nmeaDate, "", "",
        epoch.fix == .none ? "N" : epoch.isDifferential ? "D" : "A",
      ])
  }

  private static func vtg(_ epoch: ReceiverEpoch) -> NMEASentence {
    NMEASentence([
      "GPVTG", epoch.place.map { fixed($0.course, decimals: 2) } ?? "", "T", "", "M",
      epoch.place.map { fixed($0.speed * knots, decimals: 3) } ?? "", "N",
      epoch.place.map { fixed($0.speed * 3.6, decimals: 3) } ?? "", "K",
      epoch.fix == .none ? "N" : epoch.isDifferential ? "D" : "A",
    ])
  }

  private static func coordinate(_ place: ReceiverPlace?) -> [String] {
    guard let place else { return ["", "", "", ""] }
    return [
      degreesAndMinutes(place.latitude, width: 2), place.latitude < 0 ? "S" : "N",
      degreesAndMinutes(place.longitude, width: 3), place.longitude < 0 ? "W" : "E",
    ]
  }

  /// `ddmm.mmmmmm`: a millionth of a minute is 2 mm.
  private static func degreesAndMinutes(_ degrees: Double, width: Int) -> String {
    // Rounded before it is divided, so that no minute reads 60.000000.
    let units = Int((degrees.magnitude * 60_000_000).rounded())
    let (whole, minutes) = units.quotientAndRemainder(dividingBy: 60_000_000)
    return padded(whole, to: width) + fixed(Double(minutes) / 1e6, decimals: 6, width: 2)
  }

  /// Knots in a metre per second.
  private static var knots: Double { 3600 / 1852 }
}
