import LocationCore
import LocationFormats
import TestSupport

/// What two receivers and one without a name do, with each kind of update and of number.
enum FormatStory {
  private static let (boat, van) = ("/dev/ttyACM0", "/dev/my van;=1")

  private static func time(_ second: Double) -> Timestamp {
    Timestamp(secondsSince1970: 1_795_158_000).advanced(by: .seconds(second))
  }

  private static func moment(_ second: Double) -> Moment {
    Moment(uptime: .seconds(second), wall: time(second + 0.25))
  }

  private static func fix(
    _ second: Double, _ latitude: Double = 48.5, _ longitude: Double = -11.25,
    of device: String? = boat, _ change: (inout LocationFix) -> Void = { _ in }
  ) -> LocationUpdate {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: latitude, longitude: longitude)!, mode: .fix3D,
      device: device, time: time(second))
    change(&fix)
    return .fix(fix)
  }

  private static func state(
    _ second: Double, _ state: LocationState, of device: String? = boat,
    previous: LocationState? = nil, loss: LossReason? = nil, lastFix: LocationUpdate? = nil
  ) -> LocationUpdate {
    let lastFix: LocationFix? = if case .fix(let fix) = lastFix { fix } else { nil }
    return .state(
      StateChange(
        state, of: .receiver(device), previous: previous, loss: loss, lastFix: lastFix,
        time: time(second), at: moment(second)))
  }

  private static func change(
    _ second: Double, _ change: ReceiverChange.Kind, of device: String? = boat,
    state: LocationState? = nil
  ) -> LocationUpdate {
    .change(
      ReceiverChange(change, of: device, state: state, time: time(second), at: moment(second)))
  }

  /// A fix with a different number for each quantity that a `TPV` or a `SKY` gives to records.
  static let full: LocationUpdate = fix(2, 48.118_633_333, 11.517_333_333) { fix in
    for (index, field) in FieldCase.all.enumerated() {
      guard ![.attitude, .raw].contains(field.group) else { continue }
      fix[field.quantity] = Double(index) + (field.isWhole ? 1 : 1.125)
    }
    fix.received = time(2.3125)
    fix.timeJump = .milliseconds(-1500)
    fix.quality = .dgps
    fix.antenna = .short
    fix.isAntennaPowered = true
    (fix[.dgpsSta], fix[.baseS], fix[.leapseconds], fix[.jam]) = (7, 3, 18, 101)
    (fix.satellitesUsed, fix.satellitesSeen, fix.signalsUsed, fix.signalsSeen) = (9, 12, 15, 20)
  }

  private static let sky = SkyView(
    device: boat,
    satellites: [
      Satellite(
        prn: 5, gnssID: 0, svID: 5, sigID: 0, elevation: 45.55, azimuth: 120, signalStrength: 38,
        isUsed: true, health: 1, trackingQuality: 7, pseudorange: 2.05e7, pseudorangeRate: -3.5,
        pseudorangeResidual: 0.25),
      Satellite(
        prn: 5, gnssID: 0, svID: 5, sigID: 3, elevation: 45, azimuth: 120, signalStrength: 40),
      Satellite(
        prn: 71, gnssID: 6, svID: 7, sigID: 2, elevation: 5.5, azimuth: 300.25, health: 2, freqID: 3
      ),
      Satellite(prn: 123, gnssID: 1, svID: 36, azimuth: 9, signalStrength: 9.96, isUsed: true),
      Satellite(prn: 400), Satellite(prn: 305, elevation: 90, azimuth: 360, signalStrength: 0),
    ], seen: 5, used: 2, hdop: 1.3)

  static let updates: [LocationUpdate] = [
    .state(StateChange(.connecting, at: moment(0))),
    .event(.service(LocationService(name: "gpsd 3.22"))),
    .event(.receivers([Receiver(path: boat)])),
    state(1, .searching, previous: .connecting, loss: .silence),
    change(1, .antenna(.open, previous: nil)),
    .event(.sky(sky)),
    state(2, .fix3D, previous: .searching),
    full,
    // Another list of satellites is of another receiver.
    .event(.sky(SkyView(device: van, satellites: [Satellite(prn: 9, gnssID: 2, svID: 9)]))),
    fix(3) { $0.mode = .fix2D },
    .event(.sky(SkyView(device: boat, seen: 4, used: 3))),
    fix(3.0625, -48.5, 180) { fix in
      fix.isCurrent = false
      fix[.eph] = 0
      fix.quality = .rtkFixed
      fix.speed = 12.345
      fix.course = 359.96
      fix[.magvar] = -3.25
    },
    change(3.5, .quality(.rtkFloat, previous: .rtkFixed), state: .fix3D),
    change(3.5, .jamming(true), of: nil, state: .fix2D),
    change(3.5, .pulses(.lost, previous: .present)),
    change(3.5, .region("our \"harbour\"", presence: .inside, previous: .unknown)),
    fix(4, 0, 0, of: van) { fix in
      (fix[.epx], fix[.epy], fix.verticalError) = (1, 1, 2)
      fix.ellipsoidalAltitude = -0.5
      fix.altitude = 1e14
      fix.climbRate = 1e-9
      fix.speed = 0
      fix.course = 0
    },
    .event(
      .other(
        ServiceReport(
          .pps, device: boat, received: time(4.5), clockOffset: .nanoseconds(-250),
          text:
            #"{"class":"PPS","device":"/dev/ttyACM0","real_sec":1,"real_nsec":0,"clock_sec":0,"clock_nsec":999999750,"x":"\#u{9b}"}"#
        ))),
    .event(
      .other(
        ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: #"{"class":"ATT","heading":1}"#))),
    fix(5, 90, -180, of: nil) { $0.time = nil },
    fix(5, -90, 0.5, of: nil) { fix in
      fix.time = nil
      fix.received = time(5.001)
    },
    state(6, .lost, previous: .fix3D, loss: .noFix, lastFix: full),
    state(
      6, .lost, of: van, previous: .fix3D, loss: .silence, lastFix: fix(4, 0, 0) { $0.time = nil }),
    state(6.5, .fix2D, previous: .lost),
    fix(7, 1, 2) { $0.quality = .simulated },
    fix(7.5, 1, 2) { $0[.hdop] = 1.5 },
    .change(ReceiverChange(.selected("my boat", previous: "van"), at: moment(8))),
    fix(8, 3, 4) { $0.quality = .gps },
    fix(8.5, 3, 4, of: van),
    .state(
      StateChange(
        .noService, previous: .fix3D, reason: "closed by \"gpsd\"\u{1b}", lastFix: nil,
        retryIn: .milliseconds(2500), time: nil, at: moment(9))),
    .retry(FailedRetry(LocationError(.silent, "silent"), at: moment(9.5))),
    .state(StateChange(.connecting, previous: .noService, at: Moment(uptime: .seconds(10)))),
    fix(11, 5, 6),
    state(11.5, .noDevice, previous: .fix3D),
    fix(12, 5, 6, of: nil) { $0.mode = .fix2D },
    .state(StateChange(.noDevice, previous: .noDevice, at: Moment(uptime: .seconds(12)))),
    change(13, .corrections(corrections, previous: nil), of: nil),
    fix(14) {
      ($0.heading, $0[.mheading], $0.doubts, $0.quality) = (180, 90, [.time, .jump], .dgps)
    },
    change(14, .doubt([.jump, .time], previous: [.time], detail: "120 m in 1 s"), state: .fix3D),
    fix(15) { $0[.ant] = 4 },
    change(15, .doubt([], previous: [.jump, .time], detail: nil)),
    change(15, .quality(nil, previous: .dgps)),
    .change(
      ReceiverChange(
        .corrections(
          Corrections(.lost, of: "ntrip://caster:2101/NEAR", reason: "401"), previous: .connected),
        at: moment(15))),
    .change(
      ReceiverChange(
        .region("home", presence: .outside, previous: .inside), of: boat, state: .fix3D,
        coordinate: Coordinate(latitude: 48.5, longitude: -11)!, time: time(15), at: moment(15))),
    state(16, .lost, of: nil, previous: .fix2D, loss: .noFix),
  ]

  private static let corrections = Corrections(.connected, of: "ntrip://caster:2101/NEAR")
}
