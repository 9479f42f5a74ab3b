import LocationCore
import SimulatedReceiver

/// What a scenario of the simulated receiver does to the doubts, with each report as gpsd passes it on.
struct ScenarioReports {
  var scenario: Scenario
  /// Whether a speed is reported, and an error of 6 m.
  var hasSpeed = true
  var hasAccuracy = true
  /// By how many seconds the local clock can be wrong; `nil` if nothing keeps it right.
  var clockError: Double?

  /// Returns the changes of the doubts: the seconds from the beginning, and the doubts then.
  func doubts() -> [(second: Double, doubts: [Doubt])] {
    var machine = DoubtMachine(clockError: { [clockError] in clockError })
    var told: [(second: Double, doubts: [Doubt])] = []
    for index in 0..<scenario.length {
      let second = Double(scenario.intervalMilliseconds) * Double(index) / 1000
      let moment = Reports.moment(second + 0.2)
      guard let epoch = scenario.epoch(at: index) else { continue }
      machine.handle(SkyView(satellites: epoch.satellites.map(Satellite.init)), at: moment)
      guard let fix = fix(of: epoch, received: time(of: index, plus: 200)) else { continue }
      if machine.handle(fix, at: moment) { told.append((second, machine.doubts.doubts)) }
    }
    return told
  }

  private func time(of index: Int, plus milliseconds: Int64) -> Timestamp {
    Timestamp(scenario.start).advanced(
      by: .milliseconds(scenario.intervalMilliseconds * Int64(index) + milliseconds))
  }

  private func fix(of epoch: ReceiverEpoch, received: Timestamp) -> LocationFix? {
    guard let place = epoch.place,
      let coordinate = Coordinate(latitude: place.latitude, longitude: place.longitude)
    else { return nil }
    var fix = LocationFix(
      coordinate: coordinate, mode: epoch.fix == .threeDimensional ? .fix3D : .fix2D,
      time: Timestamp(epoch.time), horizontalError: hasAccuracy ? 6 : nil)
    fix.received = received
    fix.speed = hasSpeed ? place.speed : nil
    fix.altitude = epoch.fix == .threeDimensional ? place.altitudeMSL : nil
    return fix
  }
}

extension Timestamp {
  fileprivate init(_ time: ReceiverTime) {
    self.init(nanosecondsSince1970: time.millisecondsSince1970 * 1_000_000)
  }
}

extension Satellite {
  fileprivate init(_ satellite: SimulatedSatellite) {
    self.init(
      prn: satellite.number, elevation: Double(satellite.elevation),
      azimuth: Double(satellite.azimuth), signalStrength: satellite.signal.map(Double.init),
      isUsed: satellite.isUsed)
  }
}
