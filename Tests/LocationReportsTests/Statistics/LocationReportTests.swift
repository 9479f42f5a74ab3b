import LocationCore
import LocationSamples
import Testing

@testable import LocationReports

@Suite struct `A report` {
  private let boat = "/dev/ttyACM0"

  private func fix(_ second: Int, of device: String, mode: FixMode = .fix3D) -> LocationUpdate {
    var fix = LocationFix(
      coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: mode, device: device,
      time: Timestamp(secondsSince1970: 1_700_000_000 + Int64(second)))
    fix.received = Timestamp(
      secondsSince1970: 1_700_000_000 + Int64(second), nanoseconds: 150_000_000)
    fix.satellitesUsed = 9
    return .fix(fix)
  }

  private func at(_ second: Int) -> Moment { .start.advanced(by: .seconds(second)) }

  private func change(
    _ state: LocationState, of device: String? = nil, at second: Int, loss: LossReason? = nil
  ) -> LocationUpdate {
    .state(
      StateChange(
        state, of: device.map { .receiver($0) } ?? .link, loss: loss,
        time: Timestamp(secondsSince1970: 1_700_000_000 + Int64(second)), at: at(second)))
  }

  /// Nothing is recorded from a moment on.
  private func stop(at second: Int) -> LocationUpdate {
    .state(StateChange(.noService, of: .link, error: LocationError(.notRecorded), at: at(second)))
  }

  @Test func `counts no time in which nothing was recorded`() throws {
    var report = LocationReport(countsFigures: true)
    report.add(.event(.service(LocationService(name: "gpsd"))), at: at(0))
    report.add(change(.fix3D, of: boat, at: 10), at: at(10))
    report.add(fix(10, of: boat), at: at(10))
    report.add(change(.lost, of: boat, at: 15, loss: .silence), at: at(15))
    report.add(stop(at: 20), at: at(20))
    report.add(.event(.service(LocationService(name: "gpsd"))), at: at(1020))
    report.add(change(.fix3D, of: boat, at: 1021), at: at(1021))
    report.add(fix(1021, of: boat), at: at(1021))
    report.end(at: at(1031))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.notRecorded == .seconds(1000) && receiver.observed == .seconds(31))
    #expect(
      receiver.states == [.connecting: .seconds(11), .fix3D: .seconds(15), .lost: .seconds(5)])
    #expect(receiver.outages.map(\.duration) == [.seconds(5)] && receiver.outageCount == 1)
    #expect(receiver.firstFix == .seconds(10) && receiver.reconnectCount == 0)
    #expect(receiver.interval == nil)
    #expect(
      receiver.figures?.timeline.spans.map(\.state)
        == [.connecting, .fix3D, .lost, nil, .connecting, .fix3D])
    #expect(report.text().contains("\n  Not recorded: 16 min 40 s.\n"))
    #expect(report.json().contains(#""observed":31.0,"notRecorded":1000.0,"#))
    #expect(report.page().contains("Not recorded: 16\u{a0}min 40\u{a0}s."))
  }

  @Test func `begins with the recording that has a receiver`() throws {
    var report = LocationReport()
    report.add(change(.connecting, at: 0), at: at(0))
    report.add(stop(at: 20), at: at(20))
    report.add(stop(at: 30), at: at(30))
    report.add(change(.searching, of: boat, at: 1020), at: at(1020))
    report.add(change(.fix3D, of: boat, at: 1025), at: at(1025))
    report.end(at: at(1030))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.notRecorded == .zero && receiver.firstFix == .seconds(5))
    #expect(receiver.states == [.searching: .seconds(5), .fix3D: .seconds(5)])
    #expect(!report.json().contains("notRecorded"))
  }

  @Test func `counts a pause after a failure of the connection, up to the end`() throws {
    var report = LocationReport()
    report.add(change(.fix3D, of: boat, at: 0), at: at(0))
    report.add(
      .state(StateChange(.noService, of: .link, error: LocationError(.silent), at: at(5))),
      at: at(5))
    report.add(.retry(FailedRetry(LocationError(.silent), at: at(6))), at: at(6))
    report.add(stop(at: 10), at: at(10))
    report.end(at: at(100))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.notRecorded == .seconds(90))
    #expect(receiver.states == [.fix3D: .seconds(5), .noService: .seconds(5)])
    #expect(receiver.outages.map(\.duration) == [.seconds(5)])
  }

  private func corrections(_ state: Corrections.State, at second: Int) -> LocationUpdate {
    .change(
      ReceiverChange(.corrections(Corrections(state, of: "c"), previous: nil), at: at(second)))
  }

  @Test func `counts no corrections of an earlier run`() {
    var report = LocationReport()
    report.add(change(.fix3D, of: boat, at: 0), at: at(0))
    report.add(corrections(.connected, at: 5), at: at(5))
    report.add(stop(at: 20), at: at(20))
    report.add(change(.fix3D, of: boat, at: 1020), at: at(1020))
    report.add(fix(1030, of: boat), at: at(1030))
    #expect(report.receivers.map(\.corrections) == [.seconds(15)])
    report.add(corrections(.connected, at: 1030), at: at(1030))
    report.end(at: at(1040))
    #expect(report.receivers.map(\.corrections) == [.seconds(25)])
  }

  @Test func `reports how long corrections were received`() throws {
    var report = LocationReport()
    report.add(change(.searching, of: boat, at: 0), at: at(0))
    #expect(report.receivers.first?.corrections == nil)
    #expect(report.receivers.first?.correctionsShare == nil)
    report.add(corrections(.lost, at: 10), at: at(10))
    report.add(corrections(.connected, at: 20), at: at(20))
    report.add(fix(40, of: boat), at: at(40))
    report.add(corrections(.lost, at: 50), at: at(50))
    report.add(fix(60, of: boat), at: at(60))
    report.add(corrections(.connected, at: 70), at: at(70))
    report.end(at: at(80))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.corrections == .seconds(40) && receiver.correctionsShare == 0.5)
    #expect(report.text().contains("\n  corrections 40 s, 50.0 %\n"))
    #expect(report.json().contains(#""corrections":{"duration":40.0,"share":0.5}"#))
    #expect(report.page().contains("40\u{a0}s, 50.0\u{a0}%"))
  }

  @Test(arguments: [(9, 0.9), (10, 1), (12, 1)])
  func `counts corrections for no longer than the observation`(corrections: Int, share: Double) {
    var receiver = ReceiverReport(states: [.fix3D: .seconds(10)])
    #expect(receiver.correctionsShare == nil)
    receiver.corrections = .seconds(corrections)
    #expect(receiver.correctionsShare == share)
  }

  @Test(arguments: [(19, 1.0, false), (20, 1, true), (20, 0.00005, true), (20, 0.000049, false)])
  func `describes the scatter of twenty fixes that are not all at one place`(
    count: Int, drms: Double, hasScatter: Bool
  ) throws {
    let place = try #require(Coordinate(latitude: 48, longitude: 11.5))
    let scatter = Scatter(about: place, positionCount: count, cep50: drms, drms: drms)
    let receiver = ReceiverReport(fixCount: count, scatter: scatter)
    #expect(receiver.hasScatter == hasScatter)
    let sentence = ReportText.sentence(about: receiver)
    #expect(sentence.hasPrefix("All fixes have the same position;") == (drms < 0.00005))
  }

  @Test(arguments: [(86_400_000, 0), (86_400_001, 1)])
  func `has daily sums if it is longer than a day`(milliseconds: Int, days: Int) {
    let from = Timestamp(secondsSince1970: 1_700_000_000)
    let day = TripDay(
      date: "2023-11-14", distance: 1000, duration: .seconds(100), movingTime: .seconds(90))
    let receiver = ReceiverReport(
      from: from, to: from.advanced(by: .milliseconds(milliseconds)), days: [day])
    #expect(receiver.lastsLongerThanADay == (days > 0))
    #expect(TripText.days(of: receiver, .metric).count == days)
  }

  @Test func `reports states, the first fix and outages`() throws {
    var report = LocationReport()
    report.add(change(.connecting, at: 0), at: at(0))
    report.add(change(.searching, of: boat, at: 1), at: at(1))
    report.add(change(.fix3D, of: boat, at: 31), at: at(31))
    for second in 31..<60 { report.add(fix(second, of: boat), at: at(second)) }
    report.add(change(.lost, of: boat, at: 60, loss: .noFix), at: at(60))
    report.add(change(.fix2D, of: boat, at: 132), at: at(132))
    report.add(fix(132, of: boat, mode: .fix2D), at: at(132))
    report.add(change(.noService, at: 140), at: at(140))
    report.end(at: at(150))
    let receiver = try #require(report.receivers.first)
    #expect(
      receiver.states == [
        .connecting: .seconds(1), .searching: .seconds(30), .fix3D: .seconds(29),
        .lost: .seconds(72), .fix2D: .seconds(8), .noService: .seconds(10),
      ])
    #expect(receiver.observed == .seconds(150) && receiver.firstFix == .seconds(31))
    #expect(receiver.availability == 37.0 / 150 && receiver.availability3D == 29.0 / 150)
    #expect(receiver.outageCount == 2 && receiver.outages.map(\.reason) == ["no-fix", "no-daemon"])
    let outage = receiver.outages[0]
    #expect(outage.duration == .seconds(72) && outage.satellitesUsed == 9)
    #expect(outage.from?.description == "2023-11-14T22:14:20.000Z")
    #expect(outage.position?.latitude == 48)
    #expect(receiver.outages[1].duration == .seconds(10))
    #expect(receiver.from?.description == "2023-11-14T22:13:20.000Z")
    #expect(receiver.to?.description == "2023-11-14T22:15:50.000Z")
    #expect(receiver.fixCount == 30 && receiver.fix3DCount == 29)
    #expect(receiver.interval == .init(median: .seconds(1), p99: nil))
    #expect(receiver.age == .init(median: .milliseconds(150), p99: nil))
  }

  @Test(arguments: [false, true])
  func `is dated by the first time that its receiver reported`(isOfStates: Bool) throws {
    var report = LocationReport()
    // By the receiver's clock, ten seconds pass in five.
    for (second, moment) in [(0, at(0)), (10, at(5))] {
      let time = Timestamp(secondsSince1970: 1_700_000_000 + Int64(second))
      let state = StateChange(.fix3D, of: .receiver(boat), time: time, at: moment)
      report.add(isOfStates ? .state(state) : fix(second, of: boat), at: moment)
    }
    report.end(at: at(8))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.from?.description == "2023-11-14T22:13:20.000Z")
    #expect(receiver.to?.description == "2023-11-14T22:13:28.000Z")
  }

  @Test func `has an outage from the moment of a loss, after the last fix that it names`() {
    var last = LocationFix(coordinate: Coordinate(latitude: 50, longitude: 8)!, mode: .fix3D)
    last.satellitesUsed = 4
    for named in [nil, last] {
      var report = LocationReport()
      report.add(change(.fix3D, of: boat, at: 0), at: at(0))
      report.add(fix(0, of: boat), at: at(0))
      // Without a time of its own.
      let lost = StateChange(.lost, of: .receiver(boat), loss: .noFix, lastFix: named, at: at(7))
      report.add(.state(lost), at: at(7))
      report.end(at: at(10))
      #expect(
        report.receivers.first?.outages == [
          ReceiverReport.Outage(
            from: Timestamp(secondsSince1970: 1_700_000_007), duration: .seconds(3),
            position: Coordinate(
              latitude: named == nil ? 48 : 50, longitude: named == nil ? 11.5 : 8),
            reason: "no-fix", satellitesUsed: named == nil ? 9 : 4)
        ])
    }
  }

  @Test func `keeps receivers apart`() throws {
    var report = LocationReport()
    for second in 0..<10 {
      report.add(fix(second, of: boat), at: at(second))
      if second >= 5 { report.add(fix(second, of: "/dev/ttyUSB0"), at: at(second)) }
    }
    #expect(report.receivers.map(\.device) == [boat, "/dev/ttyUSB0"])
    #expect(report.receivers.map(\.fixCount) == [10, 5])
    #expect(report.receivers.map(\.observed) == [.seconds(9), .seconds(4)])
  }

  @Test func `of an hour without fixes has one outage`() throws {
    var report = LocationReport()
    report.add(change(.fix3D, of: boat, at: 0), at: at(0))
    report.add(fix(0, of: boat), at: at(0))
    report.add(change(.lost, of: boat, at: 5, loss: .silence), at: at(5))
    report.add(change(.fix3D, of: boat, at: 3605), at: at(3605))
    let receiver = try #require(report.receivers.first)
    #expect(receiver.outages.map(\.duration) == [.seconds(3600)])
    #expect(receiver.outages.map(\.reason) == ["silence"])
  }

  @Test func `counts reconnects`() {
    var report = LocationReport()
    report.add(fix(0, of: boat), at: at(0))
    for round in 0..<3 {
      report.add(change(.noService, at: 10 * round + 1), at: at(10 * round + 1))
      report.add(change(.noDevice, at: 10 * round + 2), at: at(10 * round + 2))
    }
    #expect(report.receivers.map(\.reconnectCount) == [3])
  }

  @Test func `counts a reconnect that only its receivers show`() {
    var report = LocationReport()
    report.add(fix(0, of: boat), at: at(0))
    for round in 0..<3 {
      report.add(change(.noService, at: 10 * round + 1), at: at(10 * round + 1))
      for second in 2...3 {
        report.add(change(.fix3D, of: boat, at: 10 * round + second), at: at(10 * round + second))
      }
    }
    #expect(report.receivers.map(\.reconnectCount) == [3])
  }

  @Test func `counts a service that is gone once, however often that is said`() {
    var report = LocationReport()
    report.add(fix(0, of: boat), at: at(0))
    let states = [LocationState.noService, .noService, .connecting, .noDevice, .noService]
    for (second, state) in states.enumerated() {
      report.add(change(state, at: second + 1), at: at(second + 1))
    }
    #expect(report.receivers.map(\.reconnectCount) == [1])
  }

  @Test func `leaves out fixes that were not current when they arrived`() {
    var late = LocationFix(coordinate: Coordinate(latitude: 1, longitude: 2)!, mode: .fix3D)
    late.isCurrent = false
    var report = LocationReport()
    report.add(.fix(late), at: at(0))
    #expect(report.receivers.isEmpty)
  }

  @Test func `keeps the 1,000 longest outages`() throws {
    var report = LocationReport()
    for round in 0..<1002 {
      let second = 10_000 * round
      report.add(change(.fix3D, of: boat, at: second), at: at(second))
      report.add(change(.lost, of: boat, at: second + 1, loss: .noFix), at: at(second + 1))
      report.add(
        change(.fix3D, of: boat, at: second + 2 + round), at: at(second + 2 + round))
    }
    let receiver = try #require(report.receivers.first)
    #expect(receiver.outageCount == 1002 && receiver.outages.count == 1000)
    #expect(receiver.outages.map(\.duration).min() == .seconds(3))
  }
}

extension Moment {
  /// When a test begins.
  static let start = Moment(uptime: .seconds(1000))
}
