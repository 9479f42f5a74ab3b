package import LocationCore
package import LocationFormats
package import LocationText

/// The fixes and transitions that every format is tested with.
package enum Samples {
  package static let device = "/dev/ttyACM0"

  /// All that the documents show of a fix.
  package static var fix: LocationFix {
    var fix = position(48.118633333, 11.517333333, .fix3D, at: time(5, 12))
    fix.received = time(5, 12, milliseconds: 310)
    fix.altitude = 545.4
    fix.ellipsoidalAltitude = 592.3
    fix[.geoidSep] = 46.9
    fix.speed = 11.524
    fix.course = 84.4
    fix.climbRate = 0.02
    fix[.eph] = 24.7
    fix[.epx] = 14.1
    fix[.epy] = 20.3
    fix.verticalError = 48.3
    fix.satellitesUsed = 8
    fix.satellitesSeen = 12
    fix[.hdop] = 1.3
    return fix
  }

  /// Only a position.
  package static var flat: LocationFix { position(-0.5, -71, .fix2D, at: time(5, 13)) }

  package static func position(
    _ latitude: Double, _ longitude: Double, _ mode: FixMode = .fix3D, at time: Timestamp? = nil,
    device: String? = Samples.device
  ) -> LocationFix {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(latitude), \(longitude) is no position")
    }
    return LocationFix(coordinate: coordinate, mode: mode, device: device, time: time)
  }

  /// 2026-11-20T07:00:00Z and so much.
  package static func time(_ minutes: Int64, _ seconds: Int64, milliseconds: Int32 = 0) -> Timestamp
  {
    Timestamp(
      secondsSince1970: 1_795_158_000 + minutes * 60 + seconds,
      nanoseconds: milliseconds * 1_000_000)
  }

  package static func moment(_ time: Timestamp?) -> Moment {
    Moment(uptime: .seconds(1), wall: time)
  }

  package static let searching = StateChange(
    .searching, of: .receiver(device), previous: .connecting,
    at: moment(time(4, 50, milliseconds: 120)))

  package static let lost = StateChange(
    .lost, of: .receiver(device), previous: .fix3D, loss: .silence,
    lastFix: position(48.118633333, 11.517333333, at: time(6, 21)),
    time: time(6, 31, milliseconds: 90),
    at: moment(time(6, 31, milliseconds: 400)))

  package static let noService = StateChange(
    .noService, previous: .lost, reason: "closed by gpsd", retryIn: .seconds(1),
    at: moment(time(6, 40, milliseconds: 2)))

  package static func change(_ change: ReceiverChange.Kind) -> ReceiverChange {
    ReceiverChange(
      change, of: device, state: .fix3D, time: time(5, 13),
      at: moment(time(5, 13, milliseconds: 250)))
  }

  package static let sky = SkyView(
    device: device,
    satellites: [
      Satellite(prn: 71, gnssID: 6, svID: 7, elevation: 5.5, azimuth: 300, health: 2),
      Satellite(
        prn: 5, gnssID: 0, svID: 5, sigID: 0, elevation: 45, azimuth: 120, signalStrength: 38,
        isUsed: true, health: 1, trackingQuality: 7, pseudorangeResidual: -0.5),
      Satellite(prn: 400),
    ])

  package static let pulses = ReceiverChange(
    .pulses(.lost, previous: .present), of: device, at: moment(time(6, 31, milliseconds: 400)))

  package static let selected = ReceiverChange(
    .selected("boat", previous: "car"), at: moment(time(6, 31, milliseconds: 400)))

  package static let corrections = ReceiverChange(
    .corrections(
      Corrections(
        .lost, of: "ntrip://caster.example:2101/NEAR", reason: "401 Unauthorized"),
      previous: .connected), at: moment(time(6, 31, milliseconds: 400)))

  package static let region = change(.region("our harbour", presence: .inside, previous: .outside))

  package static let pulse = ServiceReport(
    .pps, device: device, received: time(6, 31, milliseconds: 400),
    clockOffset: .nanoseconds(250),
    text: #"{"class":"PPS","device":"/dev/ttyACM0","real_sec":1795158391,"real_nsec":0,"#
      + #""clock_sec":1795158391,"clock_nsec":250,"precision":-20}"#)

  /// Everything that a terminal, a spreadsheet or a parser could trip over.
  package static let hostile = "=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}\"</name>&'\n,\\"
}

extension Renderer {
  /// What one call appends.
  package mutating func written(_ call: (inout Self, inout TextBuffer) -> Void) -> String {
    var output = TextBuffer()
    call(&self, &output)
    return output.string
  }

  package mutating func fix(_ fix: LocationFix) -> String { written { $0.fix(fix, into: &$1) } }

  package mutating func state(_ change: StateChange) -> String {
    written { $0.state(change, into: &$1) }
  }

  package mutating func change(_ change: ReceiverChange) -> String {
    written { $0.change(change, into: &$1) }
  }

  package mutating func report(_ report: ServiceReport) -> String {
    written { $0.report(report, into: &$1) }
  }

  package mutating func sky(_ sky: SkyView) -> String { written { $0.sky(sky, into: &$1) } }

  package mutating func begin() -> String { written { $0.begin(into: &$1) } }

  package mutating func end() -> String { written { $0.end(into: &$1) } }
}
