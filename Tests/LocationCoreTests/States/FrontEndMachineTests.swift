import Testing

@testable import LocationCore

/// Fault 93.
@Suite struct `Antenna and jamming` {
  private static func fix(
    _ second: Double, of device: String = "a", antenna: AntennaStatus? = nil,
    isPowered: Bool? = nil, jam: Int? = nil
  ) -> LocationEvent {
    var fix = Reports.locationFix(second, of: device)
    fix.antenna = antenna
    fix.isAntennaPowered = isPowered
    fix.interference = jam
    return .fix(fix)
  }

  private static func noFix(
    _ second: Double, antenna: AntennaStatus? = nil, isPowered: Bool? = nil, jam: Int? = nil
  ) -> LocationEvent {
    .noFix(
      NoFix(
        device: "a", time: Reports.time(second), isStated: true, antenna: antenna,
        isAntennaPowered: isPowered, interference: jam))
  }

  /// The changes of a story, without its fixes.
  private func changes(_ events: [(Double, LocationEvent)]) -> [String] {
    var watch = Watch()
    return watch.play(events).filter { $0.contains("antenna") || $0.contains("jamming") }
  }

  @Test func `an open antenna is reported, with and without a fix`() {
    #expect(
      changes([
        (0, Self.fix(0, antenna: .ok)), (1, Self.fix(1)), (2, Self.fix(2, antenna: .open)),
        (3, Self.noFix(3, antenna: .open)), (4, Self.noFix(4, antenna: .short)),
        (5, Self.fix(5, antenna: .ok)), (6, Self.fix(6, antenna: .ok)),
      ]) == [
        "2.0 a antenna ok > open", "4.0 a antenna open > short", "5.0 a antenna short > ok",
      ])
  }

  @Test(arguments: [
    (AntennaStatus.ok, []), (.open, ["0.0 a antenna - > open"]),
    (.short, ["0.0 a antenna - > short"]),
  ])
  func `the first state is reported unless it is ok`(antenna: AntennaStatus, told: [String]) {
    #expect(changes([(0, Self.noFix(0, antenna: antenna))]) == told)
  }

  @Test(arguments: [true, false])
  func `a fault ends with a report of the power that has none, and begins again`(isPowered: Bool) {
    // As gpsd 3.27 reports every fourth epoch: with the fault, or with only the power.
    var events: [(Double, LocationEvent)] = []
    for second in stride(from: 0.0, to: 24, by: 1) {
      let hasPower = second.truncatingRemainder(dividingBy: 4) == 0
      let isOpen = second < 8 || second >= 16
      events.append(
        (
          second,
          Self.noFix(
            second, antenna: hasPower && isOpen ? .open : nil,
            isPowered: hasPower ? isPowered : nil)
        ))
    }
    #expect(
      changes(events) == [
        "0.0 a antenna - > open", "8.0 a antenna open > ok", "16.0 a antenna ok > open",
      ])
  }

  @Test
  func `a fault that is not repeated for 30 s and 20 reports has ended, until it is repeated`() {
    let fast = (1...60).map { (Double($0) / 2, Self.fix(Double($0) / 2)) }
    #expect(
      changes([(0, Self.fix(0, antenna: .short))] + fast) == [
        "0.0 a antenna - > short", "30.0 a antenna short > ok",
      ])
    #expect(
      changes([(0, Self.fix(0, antenna: .short))] + fast.dropLast()) == ["0.0 a antenna - > short"])
    let slow = (1...20).map { (Double($0) * 10, Self.fix(Double($0) * 10)) }
    #expect(
      changes([(0, Self.fix(0, antenna: .open))] + slow + [(201, Self.fix(201, antenna: .open))])
        == [
          "0.0 a antenna - > open", "200.0 a antenna open > ok", "201.0 a antenna ok > open",
        ])
    #expect(
      changes([(0, Self.fix(0, antenna: .open))] + slow.dropLast()) == ["0.0 a antenna - > open"])
    let repeated = slow.dropLast() + [(195, Self.fix(195, antenna: .open))]
    #expect(
      changes([(0, Self.fix(0, antenna: .open))] + repeated + [(225, Self.fix(225))]) == [
        "0.0 a antenna - > open"
      ])
  }

  @Test func `the antennas of two receivers are apart`() {
    #expect(
      changes([
        (0, Self.fix(0, of: "a", antenna: .open, isPowered: true)),
        (0, Self.fix(0, of: "b", antenna: .short, isPowered: true)),
        (1, Self.fix(1, of: "b", isPowered: true)), (1, Self.fix(1, of: "a", antenna: .open)),
        (2, Self.fix(2, of: "a", isPowered: true)), (2, Self.fix(2, of: "b")),
      ]) == [
        "0.0 a antenna - > open", "0.0 b antenna - > short", "1.0 b antenna short > ok",
        "2.0 a antenna open > ok",
      ])
  }

  @Test func `fixes have a fault while it lasts, and then none`() {
    var machine = FrontEndMachine()
    func antenna(of fix: LocationFix) -> AntennaStatus? {
      var fix = fix
      machine.complete(&fix)
      return fix.antenna
    }
    _ = machine.handle(.open, isPowered: true, at: Reports.moment(0))
    #expect(antenna(of: Reports.locationFix(0)) == .open)
    _ = machine.handle(nil, isPowered: nil, at: Reports.moment(1))
    #expect(antenna(of: Reports.locationFix(1)) == .open)
    _ = machine.handle(nil, isPowered: true, at: Reports.moment(2))
    #expect(antenna(of: Reports.locationFix(2)) == nil)
  }

  @Test func `jamming begins at 100 and ends below 50`() {
    let levels = [99, 100, 255, 51, 50, 49, 99, 1]
    #expect(
      changes(levels.enumerated().map { (Double($0), Self.fix(Double($0), jam: $1)) }) == [
        "1.0 a jamming off > on", "5.0 a jamming on > off",
      ])
  }

  @Test func `jamming ends when no level was reported for 30 s`() {
    let quiet = (1...40).map { (Double($0), Self.noFix(Double($0))) }
    #expect(
      changes([(0, Self.noFix(0, jam: 200))] + quiet) == [
        "0.0 a jamming off > on", "30.0 a jamming on > off",
      ])
  }

  @Test func `a report without a level says nothing`() {
    #expect(
      changes([
        (0, Self.fix(0, jam: 200)), (1, Self.fix(1)), (20, Self.fix(20)),
        (29, Self.fix(29, jam: 90)),
        (58, Self.fix(58)),
      ]) == ["0.0 a jamming off > on"])
  }

  @Test func `a fix has an earlier report's values, and a level for 30 s`() {
    var machine = FrontEndMachine()
    _ = machine.handle(.open, isPowered: true, at: Reports.moment(0))
    _ = machine.handle(nil, isPowered: nil, at: Reports.moment(0))
    _ = machine.handle(jam: 7, at: Reports.moment(0))
    var fix = Reports.locationFix(1)
    machine.complete(&fix)
    #expect((fix.antenna, fix.isAntennaPowered, fix.interference) == (.open, true, 7))
    var own = Reports.locationFix(1)
    (own.antenna, own.isAntennaPowered, own.interference) = (.short, false, 9)
    machine.complete(&own)
    #expect((own.antenna, own.isAntennaPowered, own.interference) == (.short, false, 9))
    // 20 reports without a level, and 30 s after the last one.
    for number in 1...19 { _ = machine.handle(jam: nil, at: Reports.moment(2 * Double(number))) }
    var later = Reports.locationFix(30)
    machine.complete(&later)
    #expect((later.antenna, later.interference) == (.open, 7))
    _ = machine.handle(jam: nil, at: Reports.moment(40))
    var last = Reports.locationFix(40)
    machine.complete(&last)
    #expect((last.antenna, last.interference) == (.open, nil))
  }

  /// Fault 94.
  @Test(arguments: [1, 10, 60, 900])
  func `jamming goes on while every tenth report has a level, whatever the interval`(
    interval: Int
  ) {
    let reports = (0..<40).map { number in
      let second = Double(number * interval)
      return (second, Self.fix(second, jam: number % 10 == 0 ? 200 : nil))
    }
    #expect(changes(reports) == ["0.0 a jamming off > on"])
  }

  @Test func `a new connection starts from scratch`() {
    var watch = Watch()
    _ = watch.play([(0, Self.fix(0, antenna: .open))])
    _ = watch.fail(at: 1)
    #expect(watch.play([(2, Self.fix(2, antenna: .open))]).contains("2.0 a antenna - > open"))
  }

  private func reports(_ second: Double, depthIn parts: [Double]) -> [(Double, LocationEvent)] {
    [0, 0.05].map { part in
      var fix = Reports.locationFix(second)
      fix.coordinate = Coordinate(latitude: second, longitude: 8)!
      fix[.depth] = parts.contains(part) ? 4.5 : nil
      return (second + part, .fix(fix))
    }
  }

  @Test func `a rare quantity is waited for after two epochs that had it`() {
    var watch = Watch()
    _ = watch.play(reports(0, depthIn: [0]) + reports(1, depthIn: [0]))
    #expect(watch.play(reports(2, depthIn: [0.05])) == ["2.05 a 3d 2.0"])
    #expect(watch.play([reports(3, depthIn: [])[0]]) == [])
    #expect(watch.play([], until: 3.15) == ["3.0 a 3d 3.0"])
    // The epoch before had none, so this one is written at once.
    #expect(watch.play([reports(4, depthIn: [])[0]]) == ["4.0 a 3d 4.0"])
  }
}
