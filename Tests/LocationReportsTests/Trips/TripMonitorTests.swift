import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@testable import LocationReports

/// Faults 124 and 125.
@Suite(.virtualTime) struct `A monitor of legs and stops` {
  private typealias Fixes = [(fix: LocationFix, moment: Moment)]
  private let origin = Coordinate(latitude: 48, longitude: 11.5)!

  /// Stands until 200 s, drives 30 m/s, and stands from 400 s on.
  private func drive(_ second: Double) -> SyntheticTrack.Place {
    let way = 30 * min(max(second - 200, 0), 200)
    return (way, 0, second > 200 && second < 400 ? 30 : 0)
  }

  private func fix(
    _ second: Double, east: Double, speed: Double? = nil, time: Double? = nil,
    _ change: (inout LocationFix) -> Void = { _ in }
  ) -> (fix: LocationFix, moment: Moment) {
    var fix = LocationFix(
      coordinate: origin.moved(by: east, bearing: 90), mode: .fix3D,
      time: (time ?? second).isFinite
        ? SyntheticTrack.start.advanced(by: .seconds(time ?? second)) : nil)
    fix.speed = speed
    change(&fix)
    return (fix, Moment(uptime: .seconds(second)))
  }

  private func time(_ second: Double) -> Timestamp {
    SyntheticTrack.start.advanced(by: .seconds(second))
  }

  @Test func `reports the beginning and the end of a leg, and what is undecided`() throws {
    var monitor = TripMonitor()
    var events: [(second: Double, event: TripEvent)] = []
    var undecided = Moment.past
    for (number, (fix, moment)) in SyntheticTrack().fixes(600, drive).enumerated() {
      for event in monitor.handle(fix, at: moment) { events.append((Double(number), event)) }
      let next = try #require(monitor.undecided)
      #expect(next >= undecided && next.duration(to: moment) <= .seconds(140))
      undecided = next
    }
    events += monitor.finish().map { (600, $0) }
    #expect(events.count == 6)
    guard case .stopBegan(let origin) = events[0].event,
      case .stopEnded(let first) = events[1].event, case .legBegan(let from) = events[2].event,
      case .legEnded(let leg) = events[3].event, case .stopBegan(let rest) = events[4].event,
      case .stopEnded(let second) = events[5].event
    else { return #expect(Bool(false), "\(events)") }
    #expect(first.start == origin && first.end == from && first.duration == .seconds(200))
    #expect(origin.time == time(0))
    #expect(from == leg.start && leg.start.time == time(200) && leg.end.time == time(400))
    #expect(leg.start.moment == Moment(uptime: .seconds(1200)))
    #expect(leg.fixes == 200..<401 && first.fixes == 0..<201 && second.fixes == 400..<601)
    #expect(second.start == rest && rest == leg.end && second.end.time == time(600))
    // The first fix out of reach is at 203 s, and the next one confirms it.
    #expect(events[2].second == 204)
    // A stop lasts 2 minutes.
    #expect(events[0].second == 120 && events[3].second == 520 && events[4].second == 520)
  }

  @Test func `has decided what a receiver at rest did that was away and back`() throws {
    var monitor = TripMonitor()
    for (fix, moment) in SyntheticTrack().fixes(900, { excursion($0, to: 60) }) {
      _ = monitor.handle(fix, at: moment)
    }
    #expect(try #require(monitor.undecided) > Moment(uptime: .seconds(1000 + 360)))
    #expect(monitor.way < 0.1 && monitor.pace == 0)
  }

  /// With independent errors of 20 m, it takes more than 125 s to be sure of a stop.
  @Test func `begins a stop at the end if it was not sure of it before`() {
    var (monitor, gauss) = (TripMonitor(), Gauss(seed: 1))
    for second in 0...125 {
      let (fix, moment) = fix(Double(second), east: 20 * gauss.next())
      #expect(monitor.handle(fix, at: moment).isEmpty)
    }
    #expect(monitor.finish().map { name($0).prefix(7) } == ["stop at", "stop fr"])
  }

  /// At 10 m/s with 10 s between fixes, the noise is never known.
  @Test func `adds each fix to the length of a leg at once`() {
    var monitor = TripMonitor()
    for number in 0..<100 {
      let (fix, moment) = fix(10 * Double(number), east: 100 * Double(number), speed: 10)
      _ = monitor.handle(fix, at: moment)
      #expect(abs(monitor.way - 100 * Double(number)) < 0.1, "\(number)")
    }
  }

  @Test func `watches a provider to its end`() async throws {
    let clock = ManualClock()
    let fixes = SyntheticTrack().fixes(600, drive)
    let script = fixes.flatMap {
      [ScriptedLocationSource.Step.event(.fix($0.fix)), .wait(.seconds(1))]
    }
    for end in [.end, .fail(LocationError(.disconnected, "gone"))]
      as [ScriptedLocationSource.Step]
    {
      let source = ScriptedLocationSource(clock: clock, scripts: script + [end])
      let events = await clock.whileAdvancing {
        var monitor = TripMonitor()
        var events: [TripEvent] = []
        var updates = source.updates(retries: .never).makeAsyncIterator()
        while case .value(let update, let moment)? = try? await updates.next(until: nil) {
          if case .fix(let fix) = update { events += monitor.handle(fix, at: moment) }
        }
        return events + monitor.finish()
      }
      var monitor = TripMonitor()
      // They arrive at other moments than those of the track.
      let times = (fixes.flatMap { monitor.handle($0.fix, at: $0.moment) } + monitor.finish()).map(
        name)
      #expect(events.map(name) == times && times.count == 6)
    }
  }

  /// What an event is, and its times.
  private func name(_ event: TripEvent) -> String {
    switch event {
    case .legBegan(let from): "leg from \(from.time?.description ?? "-")"
    case .legEnded(let leg): "leg to \(leg.end.time?.description ?? "-"), \(leg.distance)"
    case .stopBegan(let from): "stop at \(from.time?.description ?? "-")"
    case .stopEnded(let stop): "stop from \(stop.start.time?.description ?? "-"), \(stop.duration)"
    case .gapEnded(let gap): "gap of \(gap.duration)"
    }
  }

  @Test func `has a deadline 601 s after the last fix of a leg`() {
    var monitor = TripMonitor()
    #expect(monitor.deadline == nil)
    for (fix, moment) in SyntheticTrack().fixes(300, drive) {
      let events = monitor.handle(fix, at: moment)
      if events.contains(where: { if case .legBegan = $0 { true } else { false } }) {
        #expect(monitor.deadline == moment.advanced(by: .seconds(601)))
      }
    }
    let end = Moment(uptime: .seconds(1901))
    #expect(monitor.deadline == end)
    #expect(monitor.expire(at: end).map(name).count == 1)
    #expect(monitor.deadline == nil && monitor.expire(at: end) == [])
  }

  @Test func `ignores fixes that are not current`() {
    var (monitor, other) = (TripMonitor(), TripMonitor())
    for (fix, moment) in SyntheticTrack().fixes(600, drive) {
      var late = fix
      late.isCurrent = false
      late.coordinate = origin
      #expect(monitor.handle(late, at: moment) == [])
      #expect(monitor.handle(fix, at: moment) == other.handle(fix, at: moment))
    }
    #expect(monitor.finish() == other.finish())
  }

  @Test func `ends a leg in a silence of ten minutes`() {
    var monitor = TripMonitor()
    for second in 0...60 {
      let (fix, moment) = fix(Double(second), east: 20 * Double(second))
      _ = monitor.handle(fix, at: moment)
    }
    #expect(monitor.expire(at: Moment(uptime: .seconds(660))).isEmpty)
    guard case .legEnded(let leg)? = monitor.expire(at: Moment(uptime: .seconds(660.1))).first
    else { return #expect(Bool(false)) }
    #expect(leg.end.time == time(60) && abs(leg.distance - 1200) < 0.1)
    #expect(monitor.expire(at: Moment(uptime: .seconds(700))).isEmpty && monitor.finish().isEmpty)
  }

  @Test(arguments: [(599.0, 1), (601, 2)])
  func `a leg continues across an outage of less than ten minutes`(silence: Double, legs: Int) {
    let before = (0...60).map { fix(Double($0), east: 20 * Double($0)) }
    let after = (0...60).map { fix(60 + silence + Double($0), east: 9000 + 20 * Double($0)) }
    let log = TripLog(before + after)
    #expect(log.legs.count == legs && log.stops.isEmpty)
    #expect(abs(log.summary.distance - (legs == 1 ? 10_200 : 2400)) < 0.1)
    #expect(log.legs[0].start.time == time(0) && log.legs[legs - 1].end.time == time(120 + silence))
    #expect(log.gaps.map(\.duration) == (legs == 1 ? [] : [.seconds(601)]))
    #expect(log.gaps.allSatisfy { abs($0.distance - 7800) < 0.1 && $0.start.time == time(60) })
    #expect(
      log.gaps.allSatisfy { $0.end.time == time(661) && $0.end.coordinate != $0.start.coordinate })
    #expect(log.summary.gaps == legs - 1 && log.summary.gapDuration == .seconds(601 * (legs - 1)))
  }

  @Test func `an outage at one place is part of the stop`() {
    let before = (0...300).map { fix(Double($0), east: 0) }
    let after = (0...300).map { fix(7200 + Double($0), east: 3) }
    let log = TripLog(before + after)
    #expect(log.legs.isEmpty && log.stops.map(\.duration) == [.seconds(7500)])
  }

  @Test func `a receiver that reports every hour from one place stands there`() {
    let log = TripLog((0...24).map { fix(3600 * Double($0), east: Double($0 % 3)) })
    #expect(log.stops.map(\.duration) == [.seconds(86_400)])
    #expect(log.stops.map(\.fixes) == [0..<25] && log.legs.isEmpty && log.gaps.isEmpty)
  }

  @Test func `an outage begins a stop where the receiver is afterwards`() {
    let drive = (0...60).map { fix(Double($0), east: 20 * Double($0), speed: $0 < 60 ? 20 : 0) }
    let parked = (0...10).map { fix(7200 + Double($0), east: 1203, speed: 0) }
    let log = TripLog(drive + parked)
    #expect(log.legs.map(\.duration) == [.seconds(60)])
    #expect(log.stops.map(\.duration) == [.seconds(7150)])
  }

  @Test func `an outage ends a stop if the receiver is elsewhere afterwards`() {
    let before = (0...300).map { fix(Double($0), east: 0) }
    let after = (0...300).map { fix(7200 + Double($0), east: 30_000) }
    let log = TripLog(before + after)
    #expect(log.legs.isEmpty && log.stops.map(\.duration) == [.seconds(300), .seconds(300)])
    #expect(log.stops.map(\.start.time) == [time(0), time(7200)])
    #expect(log.gaps.map(\.duration) == [.seconds(6900)] && log.gaps[0].fix == 301)
    #expect(log.summary.hasMoved)
  }

  /// Out at 2 m/s and back, after 300 s.
  private func excursion(_ second: Double, to far: Double) -> SyntheticTrack.Place {
    let way = min(max(second - 300, 0), far)
    let isMoving = way > 0 && way < far
    return (way < far / 2 ? 2 * way : 2 * (far - way), 0, isMoving ? 2 : 0)
  }

  @Test(arguments: [(74.0, true), (74, false), (78, true), (78, false)])
  func `a walk about the place is part of the stop, and a walk of 75 m is a leg`(
    far: Double, hasSpeed: Bool
  ) {
    var track = SyntheticTrack()
    track.hasSpeed = hasSpeed
    let log = TripLog(track.fixes(900) { excursion($0, to: far) })
    #expect(log.stops.count == (far < 75 ? 1 : 2), "\(far) m")
    #expect(log.legs.count == (far < 75 ? 0 : 1))
  }

  @Test(arguments: [20.0, 100])
  func `the radius and the time of a stop can be chosen`(radius: Double) {
    let fixes = SyntheticTrack().fixes(900) { excursion($0, to: 78) }
    let log = TripLog(fixes, StopCriteria(radius: radius))
    #expect(log.stops.count == (radius < 52 ? 2 : 1))
    #expect(TripLog(fixes, StopCriteria(duration: .seconds(1000))).stops.isEmpty)
  }

  @Test(arguments: [(119, 0), (120, 1)])
  func `a stop lasts at least as long as requested`(seconds: Int, stops: Int) {
    let log = TripLog((0...seconds).map { fix(Double($0), east: 0, speed: 0) })
    #expect(log.stops.count == stops && log.legs.isEmpty)
  }

  @Test func `a stop ends at the last fix, even if it creeps there`() {
    let log = TripLog((0...2).map { fix(180 * Double($0), east: 21 * Double($0)) })
    #expect(log.stops.map(\.duration) == [.seconds(360)] && log.legs.isEmpty)
  }

  @Test(arguments: [(1, 1), (4, 1), (5, 2)])
  func `a wrong position is ignored for four seconds, and is another place after that`(
    wrong: Int, legs: Int
  ) {
    let fixes = (0...200).map { second in
      fix(
        Double(second),
        east: (100..<100 + wrong).contains(second) ? 50_000 : 20 * Double(second))
    }
    let log = TripLog(fixes)
    #expect(log.legs.count == legs, "\(wrong)")
    #expect(log.summary.distance < 4000.1 && log.summary.distance > 3700)
    #expect(log.summary.speedTop.map { abs($0 - 20) < 0.01 } == true)
  }

  @Test func `a repeated wrong position changes nothing`() {
    let log = TripLog(
      (0...200).map { second in
        let isWrong = second % 10 == 5
        return fix(Double(second), east: isWrong ? 50_000 : 20 * Double(second))
      })
    #expect(log.legs.count == 1 && abs(log.summary.distance - 4000) < 0.1)
  }
  /// Each time for less than a stop lasts, and together for longer
  @Test(arguments: [5, 100])
  func `leaving a stop briefly, and again later, is not a leg`(away: Int) {
    let fixes = (0..<3000).map { second in
      fix(Double(second), east: second > 300 && second % 300 < away ? 70 : 0, speed: 0)
    }
    let log = TripLog(fixes)
    #expect(log.legs.isEmpty && log.stops.count == 1)
  }

  @Test(arguments: [(49, 0), (53, 1)])
  func `a movement that does not leave its place is not a leg`(width: Int, legs: Int) {
    let log = TripLog((0..<100).map { fix(Double($0), east: Double(min($0, 2 * width - $0))) })
    #expect(log.legs.count == legs && log.stops.isEmpty)
  }

  @Test func `claimed errors make no difference`() {
    let logs = [nil, 1, 5, 17, 27, 40, 1e4].map { error in
      TripLog(
        SyntheticTrack(noise: 3, claims: false).fixes(600, drive).map { fix, moment in
          var fix = fix
          (fix[.eph], fix.verticalError) = (error, error)
          return (fix, moment)
        })
    }
    #expect(logs[0].legs.count == 1 && logs[0].stops.count == 2)
    for log in logs { #expect(log.legs == logs[0].legs && log.stops == logs[0].stops) }
  }
  /// Ten minutes at a place, ten at one 300 m away, and ten back at the first one, without a speed.
  private func awayAndBack(claim: Double?) -> TripLog {
    TripLog(
      (0...180).map { number in
        let second = 10 * Double(number)
        let east = min(max(second - 600, 0), 300) - min(max(second - 1200, 0), 300)
        return fix(second, east: east + Double(number % 2)) { $0[.eph] = claim }
      })
  }

  @Test(arguments: [(nil, 2), (70, 2), (80, 0)] as [(Double?, Int)])
  func `without a speed, a leg is longer than four claimed errors`(claim: Double?, legs: Int) {
    let log = awayAndBack(claim: claim)
    #expect(log.legs.count == legs && log.stops.count == legs + 1)
  }

  /// At home, and for one fix 3 km away.
  private func atHome(off: ClosedRange<Int>, claim: Double, speed: Double? = nil) -> TripLog {
    TripLog(
      (0...120).map { number in
        fix(
          60 * Double(number), east: off.contains(number) ? 3000 : Double(number % 3), speed: speed
        ) { $0[.eph] = off.contains(number) ? claim : 10 }
      })
  }

  @Test(arguments: [(60...60, 760.0), (50...80, 760), (0...0, 760), (60...60, 10_000)])
  func `a fix that claims an error of 800 m is no evidence of 3 km`(
    off: ClosedRange<Int>, claim: Double
  ) {
    let log = atHome(off: off, claim: claim)
    #expect(log.legs.isEmpty && log.gaps.isEmpty && log.stops.count == 1)
    #expect(log.stops[0].duration == .seconds(off.contains(0) ? 7080 : 7200))
  }

  @Test(arguments: [(740.0, nil), (760, 5)] as [(Double, Double?)])
  func `a fix with a claim below a quarter of the distance, or with a speed, is evidence`(
    claim: Double, speed: Double?
  ) {
    #expect(atHome(off: 60...80, claim: claim, speed: speed).stops.count != 1)
  }

  @Test(arguments: [(6.9, 0.0), (7.1, 7.1)])
  func `climbs count from three and a half deviations on`(wave: Double, climb: Double) throws {
    // Until more is known, the deviation is 2 m.
    let fixes = [0, wave, 0, 0, wave / 2, 0].enumerated().map { number, height in
      fix(Double(number), east: 20 * Double(number)) { $0.altitude = 100 + height }
    }
    let leg = try #require(TripLog(fixes).legs.first)
    #expect(abs(leg.ascent! - climb) < 0.001 && abs(leg.descent! - climb) < 0.001)
  }
  @Test func `heights of fixes in 2D do not count`() throws {
    let fixes = (0..<10).map { number in
      fix(Double(number), east: 20 * Double(number)) {
        $0.altitude = 10 * Double(number)
        $0.mode = .fix2D
      }
    }
    let leg = try #require(TripLog(fixes).legs.first)
    #expect(leg.ascent == nil && leg.descent == nil)
  }

  @Test func `the top speed lasted three seconds`() throws {
    let speeds = [10, 10, 50, 10, 20, 20, 21, 22, 10, 30, 30, 30, 10.0]
    let fixes = speeds.enumerated().map { number, speed in
      fix(Double(number), east: 15 * Double(number), speed: speed)
    }
    let leg = try #require(TripLog(fixes).legs.first)
    #expect(leg.topSpeed == 20)
    #expect(leg.dopplerDistance == speeds.reduce(0, +) - 10)
  }

  @Test func `time at rest does not count as moving`() throws {
    let fixes = (0...100).map { second in
      fix(
        Double(second), east: 20 * Double(min(second, 50)), speed: second < 51 ? 20 : 0.4)
    }
    let leg = try #require(TripLog(fixes).legs.first)
    #expect(leg.movingTime == .seconds(50) && leg.duration == .seconds(100))
    let without = fixes.map { fix, moment in
      var fix = fix
      fix.speed = nil
      return (fix: fix, moment: moment)
    }
    #expect(TripLog(without).legs.first?.movingTime == .seconds(50))
  }

  @Test func `fixes without a time use the clock of the updates`() throws {
    var track = SyntheticTrack()
    track.hasTime = false
    let log = TripLog(track.fixes(600, drive))
    #expect(log.legs.map(\.duration) == [.seconds(200)] && log.legs[0].start.time == nil)
    #expect(log.stops.map(\.duration) == [.seconds(200), .seconds(200)])
  }

  @Test func `a clock that is set does not end a leg`() {
    let fixes = (0...60).map(Double.init).map { second in
      fix(second, east: 20 * second, time: second + (second < 30 ? 0 : 1e8))
    }
    #expect(TripLog(fixes).legs.map(\.duration) == [.seconds(60)])
    let back = (0...60).map { second in
      fix(Double(second), east: 20 * Double(second), time: -Double(second))
    }
    #expect(TripLog(back).legs.map(\.duration) == [.seconds(60)])
  }

  @Test func `jumps back and forth add no distance`() {
    let fixes = (0..<20_000).map { number in
      fix(Double(number) / 1000, east: number.isMultiple(of: 2) ? 0 : 5000)
    }
    let log = TripLog(fixes)
    #expect(log.legs.isEmpty && log.stops.isEmpty)
  }

  @Test func `an instant that lasts for ever is no leg`() {
    let fixes = (0..<5000).map { number in
      fix(0, east: number.isMultiple(of: 2) ? 0 : 20, speed: 20, time: 0)
    }
    let log = TripLog(fixes)
    #expect(log.legs.isEmpty && log.stops.isEmpty)
  }

  @Test func `legs and gaps beyond the first thousand are only counted`() {
    var log = TripLog()
    for number in 0..<1100 {
      for second in 0..<4 {
        let (fix, moment) = fix(1000 * Double(number) + Double(second), east: 30 * Double(second))
        log.add(fix, at: moment)
      }
    }
    log.finish()
    #expect(log.legs.count == 1000 && log.summary.legs == 1100)
    #expect(log.gaps.count == 1000 && log.summary.gaps == 1099)
    #expect(abs(log.summary.distance - 99_000) < 0.1)
    #expect(abs(log.summary.gapDistance - 1099 * 90) < 0.1)
    #expect(log.summary.duration == .seconds(3300) && log.stops.isEmpty)
  }

  @Test func `after a silence that ended a leg, the next one begins where the receiver is seen`()
    throws
  {
    var monitor = TripMonitor()
    var events: [TripEvent] = []
    for second in 0...60 {
      let (fix, moment) = fix(Double(second), east: 20 * Double(second))
      events += monitor.handle(fix, at: moment)
    }
    events += monitor.expire(at: Moment(uptime: .seconds(700)))
    for second in 1000...1060 {
      let (fix, moment) = fix(Double(second), east: 20 * Double(second))
      events += monitor.handle(fix, at: moment)
    }
    events += monitor.finish()
    let legs = events.compactMap { if case .legEnded(let leg) = $0 { leg } else { nil } }
    let gaps = events.compactMap { if case .gapEnded(let gap) = $0 { gap } else { nil } }
    #expect(legs.map(\.start.time) == [time(0), time(1000)])
    #expect(gaps.map(\.duration) == [.seconds(940)])
  }

  @Test func `a leg contains nothing from before an outage that ended in a stop`() {
    // To a place, to and fro there, an outage, and back to where it came from.
    let drive = (0...60).map { fix(Double($0), east: 10 * Double($0)) }
    let about = (61...250).map { fix(Double($0), east: 600 + abs(Double($0 % 40) - 20)) }
    let back = (0...60).map { fix(950 + Double($0), east: 620 - 4 * min(Double($0), 20)) }
    let log = TripLog(drive + about + back)
    #expect(log.legs.map(\.start.time) == [time(0), time(951)])
    #expect(log.legs.allSatisfy { $0.duration >= .zero })
  }

  /// To and fro over 40 m, with a fix each second.
  private func about(_ seconds: Int, at speed: Double, hasSpeed: Bool) -> TripLog {
    TripLog(
      (0...seconds).map { second in
        let phase = (speed * Double(second)).truncatingRemainder(dividingBy: 80)
        return fix(
          Double(second), east: phase < 40 ? phase : 80 - phase, speed: hasSpeed ? speed : nil)
      })
  }

  @Test(arguments: [true, false])
  func `150 m of progress about a place are a leg, and less is a stop`(hasSpeed: Bool) {
    // Each second at 1 m/s is a progress of 75 cm.
    #expect(about(190, at: 1, hasSpeed: hasSpeed).stops.map(\.duration) == [.seconds(190)])
    #expect(about(260, at: 1, hasSpeed: hasSpeed).legs.map(\.duration) == [.seconds(260)])
    let anchored = about(3600, at: 0.24, hasSpeed: hasSpeed)
    #expect(anchored.stops.map(\.duration) == [.seconds(3600)] && anchored.legs.isEmpty)
  }

  /// A boat that drags its anchor by 30 m in an hour.
  @Test func `a place that creeps away is several stops, of which each begins where one ended`() {
    let log = TripLog((0...2400).map { fix(10 * Double($0), east: Double($0) / 12, speed: 0.1) })
    #expect(log.legs.isEmpty && log.gaps.isEmpty && log.stops.count > 1)
    #expect(log.stops.first?.start.time == time(0) && log.stops.last?.end.time == time(24_000))
    #expect(zip(log.stops, log.stops.dropFirst()).allSatisfy { $0.end == $1.start })
    #expect(log.stops.allSatisfy { $0.start.coordinate.distance(to: $0.end.coordinate) < 150 })
  }

  /// A receiver that always reports one speed, whether it rests for ten minutes or goes 12 km in twenty.
  @Test(arguments: [0.0, 1, 3, nil], [1.0, 10, 60])
  func `positions decide between rest and motion, whatever the speed`(
    speed: Double?, interval: Double
  ) {
    let log = TripLog(
      stride(from: 0.0, through: 2400, by: interval).map { second in
        fix(second, east: 10 * min(max(second - 600, 0), 1200), speed: speed)
      })
    #expect(log.legs.count == 1 && log.stops.count == 2)
    #expect(abs(log.summary.distance - 12_000) < 1, "\(log.summary.distance)")
    #expect(log.legs.allSatisfy { abs(($0.topSpeed ?? 0) - 10) < 0.01 })
  }

  @Test func `odd input of any kind does not crash it`() {
    var random = SeededRandom(seed: 5)
    let odd = [0, -1, 1e-300, 1e14, -1e14, 5, .nan, .infinity]
    for round in 0..<40 {
      var log = TripLog()
      var second = 0.0
      for _ in 0..<500 {
        second += [0, 0.001, 1, 30, 1000, 1e9].randomElement(using: &random)! * Double(round % 3)
        let latitude = [-90, -17, 0, 48, 89.99999, 90].randomElement(using: &random)!
        let longitude = [-180, -179.9999, 0, 11.5, 180].randomElement(using: &random)!
        var fix = LocationFix(
          coordinate: Coordinate(latitude: latitude, longitude: longitude)!,
          mode: Bool.random(using: &random) ? .fix2D : .fix3D,
          time: Bool.random(using: &random)
            ? nil
            : Timestamp(
              nanosecondsSince1970: [.min, .max, 0, Int64(round) * 1_000_000_000]
                .randomElement(using: &random)!))
        fix.speed = odd.randomElement(using: &random)!
        fix[.eph] = odd.randomElement(using: &random)!
        fix.verticalError = odd.randomElement(using: &random)!
        fix.altitude = odd.randomElement(using: &random)!
        log.add(fix, at: Moment(uptime: .seconds(second)))
      }
      log.finish()
      for leg in log.legs {
        #expect(leg.distance >= 0 && leg.distance.isFinite && leg.duration >= .zero)
      }
    }
  }
}
