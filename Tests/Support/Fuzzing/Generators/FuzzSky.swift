import LocationTestKit

/// The satellites that a receiver sees, and the SKY reports about them.
struct FuzzSky {
  private struct Satellite {
    var gnss: Int
    var number: Int
    var elevation: Double
    var azimuth: Double
  }

  private let path: String
  private let oddness: Double
  private var satellites: [Satellite]
  private let signals: Int
  /// Whether all signals come from one transmitter.
  private let isFalse: Bool

  init(path: String, oddness: Double, _ random: inout SeededRandom) {
    self.path = path
    self.oddness = oddness
    signals = random.happens(onceIn: 4) ? 2 : 1
    isFalse = oddness > 0 && random.happens(onceIn: 3)
    let count = random.pick([0, 1, 8, 14, 30, 70])
    satellites = (0..<count).map { index in
      Satellite(
        gnss: index % 8, number: index / 8 + 1, elevation: .random(in: 0...90, using: &random),
        azimuth: .random(in: 0..<360, using: &random))
    }
  }

  mutating func report(at time: String?, _ random: inout SeededRandom) -> String {
    var report = FuzzReport("SKY", device: path, oddness: oddness)
    if let time { report.add(text: "time", time) }
    for name in ["xdop", "ydop", "vdop", "tdop", "hdop", "gdop", "pdop"] {
      report.add(name, "\(Int.random(in: 50...300, using: &random))e-2", &random)
    }
    // At times there is only a count, or nothing at all.
    let kind = Int.random(in: 0..<12, using: &random)
    if kind != 0 { report.add("nSat", "\(satellites.count)", &random) }
    if kind != 0 { report.add("uSat", "\(satellites.count / 2)", &random) }
    guard kind > 1 else { return report.text }
    var list: [String] = []
    for index in satellites.indices {
      satellites[index].elevation = (satellites[index].elevation + 0.3)
        .truncatingRemainder(dividingBy: 90)
      satellites[index].azimuth = (satellites[index].azimuth + 0.7)
        .truncatingRemainder(dividingBy: 360)
      for signal in 0..<signals { list.append(entry(satellites[index], signal, &random)) }
    }
    report.add(list: "satellites", list)
    return report.text
  }

  private func entry(
    _ satellite: Satellite, _ signal: Int, _ random: inout SeededRandom
  ) -> String {
    func number(_ text: String) -> String {
      guard oddness > 0, random.happens(oddness) else { return text }
      return OddNumber.any(&random)
    }
    let isUsed = isFalse || random.happens(onceIn: 2)
    let strength = Int.random(in: isFalse ? 44...45 : 0...52, using: &random)
    return "{\"PRN\":\(number("\(satellite.gnss * 32 + satellite.number)"))"
      + ",\"el\":\(number("\(satellite.elevation)")),\"az\":\(number("\(satellite.azimuth)"))"
      + ",\"ss\":\(number("\(strength)")),\"used\":\(isUsed)"
      + ",\"gnssid\":\(number("\(satellite.gnss)")),\"svid\":\(number("\(satellite.number)"))"
      + ",\"sigid\":\(number("\(signal)")),\"health\":1}"
  }
}
