package import LocationCore

extension SkyView {
  /// Creates a sky view from a report.
  package init(_ sky: SKY) { self.init(SkyValues(sky)) }
}

extension SkyValues {
  /// Creates the values of a sky view from a report.
  ///
  /// A list gives the numbers of satellites and of signals. Without a list there are only those of
  /// gpsd, which counts the elements of its own list.
  init(_ sky: SKY) {
    self.init(
      device: sky.device, time: sky.time, satellites: sky.satellites, count: sky.count,
      hdop: sky[.hdop], vdop: sky[.vdop], pdop: sky[.pdop])
    guard sky.count == nil else { return }
    isCounted = false
    let reportedUse = sky[.uSat].flatMap { Int(exactly: $0) }
    signalsSeen = sky[.nSat].flatMap { Int(exactly: $0) }
    signalsUsed = signalsSeen.flatMap { seen in reportedUse.map { min($0, seen) } } ?? reportedUse
    seen = signalsSeen
    used = signalsUsed
  }
}
