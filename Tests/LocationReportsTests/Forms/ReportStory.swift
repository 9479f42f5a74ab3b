import LocationCore
import LocationReports

/// What happened to some receivers, step by step, with the report of it.
struct ReportStory {
  private(set) var report: LocationReport
  private var second = 0.0
  /// Whether receivers tell the time.
  var hasTime = true

  init(reference: LocationReport.Reference? = nil) {
    report = LocationReport(reference: reference, countsFigures: true)
  }

  private var moment: Moment { Moment(uptime: .seconds(100 + second)) }

  private var time: Timestamp? {
    hasTime ? Timestamp(secondsSince1970: 1_795_158_000).advanced(by: .seconds(second)) : nil
  }

  mutating func wait(_ seconds: Double) { second += seconds }

  mutating func enter(
    _ state: LocationState, of device: String? = "/dev/ttyACM0", loss: LossReason? = nil
  ) {
    report.add(
      .state(StateChange(state, of: .receiver(device), loss: loss, time: time, at: moment)),
      at: moment)
  }

  mutating func enterLink(_ state: LocationState) {
    report.add(.state(StateChange(state, time: time, at: moment)), at: moment)
  }

  mutating func announce(_ receiver: Receiver) {
    report.add(.event(.receiver(receiver)), at: moment)
  }

  /// Adds a fix some metres from 48° north, 11.5° east.
  mutating func fix(
    north: Double, east: Double, of device: String? = "/dev/ttyACM0", mode: FixMode = .fix3D,
    age: Double? = nil, _ change: (inout LocationFix) -> Void = { _ in }
  ) {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 48 + north / 111_200, longitude: 11.5 + east / 74_600)!,
      mode: mode, device: device, time: time)
    fix.received = age.flatMap { age in time?.advanced(by: .seconds(age)) }
    change(&fix)
    report.add(.fix(fix), at: moment)
  }

  mutating func sky(_ sky: SkyView) { report.add(.event(.sky(sky)), at: moment) }

  mutating func end() { report.end(at: moment) }
}

extension ReportStory {
  /// A receiver that stands, through all states and qualities, with satellites of all systems.
  static let standing: ReportStory = {
    var story = ReportStory()
    story.enterLink(.connecting)
    story.wait(1.5)
    story.announce(Receiver(path: "/dev/ttyACM0", driver: "u-blox"))
    story.enter(.searching)
    story.wait(8.5)
    let qualities: [FixQuality?] = [nil, .dgps, .rtkFloat, .rtkFixed, .simulated, .gps]
    for epoch in 0..<180 {
      switch epoch {
      case 0: story.enter(.fix3D)
      case 50: story.enter(.fix2D)
      case 57: story.enter(.fix3D)
      case 80:
        story.enter(.lost, loss: .noFix)
        story.wait(14)
        story.enter(.fix3D)
      case 110:
        story.enter(.noDevice)
        story.wait(5.5)
        story.enter(.searching)
        story.wait(2)
        story.enter(.fix3D)
      case 150:
        story.enterLink(.noService)
        story.wait(6)
        story.enterLink(.connecting)
        story.wait(1)
        story.enter(.fix3D)
      default: break
      }
      if epoch % 4 == 0 { story.sky(sky(epoch)) }
      story.fix(
        north: Double(epoch * 37 % 21 - 10) * 0.4, east: Double(epoch * 53 % 17 - 8) * 0.6,
        mode: (50..<57).contains(epoch) ? .fix2D : .fix3D, age: 0.1 + Double(epoch % 7) / 100
      ) { fix in
        fix.ellipsoidalAltitude = 500 + Double(epoch * 29 % 13 - 6) * 0.7
        fix.altitude = 453
        fix[.eph] = 3 + Double(epoch % 5)
        fix.verticalError = epoch < 3 ? 4000 : 5 + Double(epoch % 3)
        fix.speed = 0.02 * Double(epoch % 11)
        fix.quality = qualities[epoch / 30]
        fix.satellitesUsed = 9 + epoch % 3
      }
      story.wait(1)
    }
    story.enter(.lost, loss: .silence)
    story.wait(4)
    story.end()
    return story
  }()

  private static func sky(_ epoch: Int) -> SkyView {
    var satellites: [Satellite] = []
    for system in 0..<8 {
      for (number, elevation) in [(0, 47.0), (1, 18)] {
        let azimuth = (45 * system + 100 * number + epoch / 2) % 360
        let strength = 10 + 5 * system + epoch % 9
        satellites.append(
          Satellite(
            prn: 200 + system, gnssID: system, svID: 3 + 9 * number,
            elevation: elevation + Double(epoch) / 12, azimuth: Double(azimuth),
            signalStrength: system == 4 ? nil : Double(strength),
            isUsed: system % 2 == 0 && number == 0))
      }
    }
    // A second signal, one without a strength, one in the zenith, and some that are not drawn.
    satellites += [
      Satellite(
        prn: 200, gnssID: 0, svID: 3, sigID: 3, elevation: 47, azimuth: 1, signalStrength: 49),
      Satellite(prn: 7, elevation: 90, azimuth: 360, signalStrength: 0, isUsed: true),
      Satellite(prn: 88, elevation: 3, azimuth: 200, signalStrength: 33),
      Satellite(prn: 250, elevation: 5, azimuth: 10, signalStrength: 12, isUsed: true),
      Satellite(prn: 9, elevation: -1, azimuth: 10), Satellite(prn: 10, elevation: 20),
      Satellite(prn: 11, azimuth: 20, signalStrength: 50),
    ]
    // It sets.
    if epoch < 100 { satellites.append(Satellite(prn: 12, elevation: 1, azimuth: 45)) }
    return SkyView(
      device: "/dev/ttyACM0", satellites: epoch % 20 == 4 ? nil : satellites,
      used: epoch % 20 == 4 ? 4 : nil, hdop: epoch == 0 ? 99.99 : 0.9 + Double(epoch % 5) / 10,
      vdop: 1.4, pdop: epoch % 8 == 0 ? nil : 1.6 + Double(epoch) / 100)
  }

  /// A car that drives ten kilometres, through a tunnel, and another receiver that reports no time.
  static let moving: ReportStory = {
    var story = ReportStory()
    story.enter(.fix3D)
    for epoch in 0..<240 {
      if epoch == 90 {
        story.enter(.lost, loss: .stuck)
        story.wait(31)
        story.enter(.fix3D)
      }
      let way = 40 * Double(epoch)
      story.fix(north: min(way, 6000), east: max(0, way - 6000) * 0.8) { fix in
        fix.altitude = 300 + Double(epoch)
        fix[.epx] = 3
        fix[.epy] = 4
        fix.speed = 40 - Double(epoch % 20)
      }
      if epoch % 10 == 5 { story.sky(SkyView(device: "/dev/ttyACM0", seen: 9 + epoch / 30)) }
      if epoch % 50 == 20 {
        story.hasTime = false
        story.fix(north: 1, east: Double(epoch), of: nil, mode: .fix2D)
        story.hasTime = true
      }
      story.wait(1)
    }
    story.end()
    return story
  }()

  /// A car that drives from one stop to another, uphill, in two directions.
  static let trip: ReportStory = {
    var story = ReportStory()
    story.enter(.fix3D)
    for second in 0...600 {
      let way = 20 * Double(min(max(second - 200, 0), 200))
      let turn = Double(second * 37 % 21 - 10) / 10
      story.fix(north: min(way, 2500) + turn, east: max(0, way - 2500) - turn, age: 0.2) { fix in
        fix.altitude = 300 + way / 50
        fix.ellipsoidalAltitude = 347 + way / 50
        fix[.eph] = 3
        fix.verticalError = 4
        fix.speed = second > 200 && second < 400 ? 20 : 0
      }
      story.wait(1)
    }
    story.end()
    return story
  }()

  /// A receiver without a time, ten times a second, whose positions are too many for points.
  static let crowded: ReportStory = {
    var story = ReportStory()
    story.hasTime = false
    story.enter(.fix2D)
    for epoch in 0..<1100 {
      let turn = epoch * epoch % 101
      story.fix(
        north: Double(turn - 50) * Double(epoch % 3) / 25, east: Double(epoch % 13 - 6) / 4,
        mode: .fix2D
      ) { $0.verticalError = 3 }
      story.wait(0.1)
    }
    story.end()
    return story
  }()

  /// A month with a fix every two hours, on a mast whose place is known.
  static let month: ReportStory = {
    let mast = Coordinate(latitude: 48 + 1 / 111_200.0, longitude: 11.5)!
    var story = ReportStory(reference: .init(mast, altHAE: 600))
    story.enter(.fix3D)
    for epoch in 0..<360 {
      story.fix(north: Double(epoch % 7 - 3) / 2, east: Double(epoch % 5 - 2) / 2) { fix in
        fix.ellipsoidalAltitude = 603 + Double(epoch % 9) / 4
        fix[.eph] = 2
      }
      story.wait(7200)
    }
    story.end()
    return story
  }()

  /// Three fixes, and nothing else.
  static let short: ReportStory = {
    var story = ReportStory()
    for epoch in 0..<3 {
      story.fix(north: Double(epoch), east: 0) { $0.ellipsoidalAltitude = 500 }
      story.wait(1)
    }
    story.end()
    return story
  }()
}
