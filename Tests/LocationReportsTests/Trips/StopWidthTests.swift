import TestSupport
import Testing

@testable import LocationCore
@testable import LocationReports

#if canImport(Glibc)
  import Glibc
#endif

/// A receiver that rests, is somewhere else, and was not seen or hardly seen on its way.
@Suite struct `A stop is no wider than a stop` {
  /// Where a receiver is from a second on, and how fast; not seen at `nil`.
  private typealias Part = (seconds: Double, metres: Double?)

  /// - Parameters:
  ///   - parts: How long each part takes, and how far the receiver comes in it; `nil` for a silence, in which it
  ///     covers `unseen` metres.
  private static func fixes(
    _ parts: [Part], unseen: Double = 5000, every interval: Double = 1, hasSpeed: Bool = true,
    noise: Double = 1
  ) -> [(fix: LocationFix, moment: Moment)] {
    var ends: [(second: Double, east: Double, isSeen: Bool)] = [(0, 0, true)]
    for (seconds, metres) in parts {
      let last = ends[ends.count - 1]
      ends.append((last.second + seconds, last.east + (metres ?? unseen), metres != nil))
    }
    func part(_ second: Double) -> Int {
      min(ends.count - 1, max(1, ends.firstIndex { $0.second >= second } ?? ends.count - 1))
    }
    func east(_ second: Double) -> Double {
      let (from, to) = (ends[part(second) - 1], ends[part(second)])
      let part = min(max((second - from.second) / (to.second - from.second), 0), 1)
      // It stands at both ends of a silence.
      return from.east + (to.east - from.east) * (to.isSeen ? part : part.rounded())
    }
    let receiver = TruthReceiver(
      noise: noise, doppler: hasSpeed ? 0.05 : nil, interval: interval)
    return receiver.fixes(
      ends[ends.count - 1].second, seed: 7,
      hidden: { second in
        let (from, to) = (ends[part(second) - 1], ends[part(second)])
        return !to.isSeen && second > from.second && second < to.second
      }
    ) { (east($0), 0, 0) }
  }

  /// Rests, is not seen, and rests.
  private static func twoRests(
    _ first: Double, _ silence: Double, _ second: Double
  ) -> [Part] { [(first, 0), (silence, nil), (second, 0)] }

  /// The longest time in which the fixes of a stop are elsewhere, in seconds. All other fixes lie within the reach of a
  /// stop, besides their noise.
  private static func longestAbsence(
    from stop: Stop, _ fixes: [(fix: LocationFix, moment: Moment)], noise: Double,
    _ criteria: StopCriteria
  ) -> Double {
    var (since, longest) = (Moment?.none, 0.0)
    for (fix, moment) in fixes where (stop.start.moment...stop.end.moment).contains(moment) {
      let isHere =
        fix.coordinate.distance(to: stop.coordinate) <= criteria.reach + 4 * noise + 0.1
      since = isHere ? nil : since ?? moment
      longest = max(longest, since.map { $0.nanoseconds(to: moment).inSeconds } ?? 0)
    }
    return since == nil ? longest : .infinity
  }

  /// The rows of a report, in short.
  private static func rows(
    _ fixes: [(fix: LocationFix, moment: Moment)], noise: Double = 1, each step: Double = 1,
    _ criteria: StopCriteria = StopCriteria()
  ) -> [String] {
    let log = TripLog(fixes, criteria)
    for stop in log.stops {
      let absence = longestAbsence(from: stop, fixes, noise: noise, criteria)
      #expect(absence < 2 * criteria.duration.inSeconds, "\(stop)")
    }
    let legs = log.legs.map {
      ($0.fixes.lowerBound, 1, "leg \(Int(($0.distance / 50).rounded()) * 50)")
    }
    let stops = log.stops.map {
      (
        $0.fixes.lowerBound, 0, "stop \(Int(($0.duration.inSeconds / step).rounded() * step))"
      )
    }
    let gaps = log.gaps.map { ($0.fix, -1, "not seen \(Int(($0.distance / 50).rounded()) * 50)") }
    return (legs + stops + gaps).sorted { ($0.0, $0.1) < ($1.0, $1.1) }.map(\.2)
  }

  @Test(arguments: [1.0, 20], [true, false])
  func `Two rests with a silence of eight minutes in between are two stops`(
    interval: Double, hasSpeed: Bool
  ) {
    for rest in [160.0, 600] {
      let fixes = Self.fixes(
        Self.twoRests(rest, 480, rest), unseen: 4000, every: interval, hasSpeed: hasSpeed)
      #expect(
        Self.rows(fixes) == ["stop \(Int(rest))", "not seen 4000", "stop \(Int(rest))"])
    }
  }

  @Test(arguments: [100.0, 200, 500], [true, false])
  func `A silence of a minute is enough`(far: Double, hasSpeed: Bool) {
    let fixes = Self.fixes(Self.twoRests(300, 60, 300), unseen: far, hasSpeed: hasSpeed)
    #expect(Self.rows(fixes) == ["stop 300", "not seen \(Int(far))", "stop 300"])
  }

  @Test(arguments: [60.0, 300])
  func `Under way to a station and from a station, the way in between counts`(wait: Double) {
    let parts: [Part] = [
      (300, 0), (300, 400), (wait, 0), (480, nil), (wait, 0), (300, 400), (300, 0),
    ]
    for hasSpeed in [true, false] {
      let rows = Self.rows(Self.fixes(parts, hasSpeed: hasSpeed))
      if wait < 120 {
        #expect(rows.count == 3 && rows[1] == "leg 5800", "\(rows)")
      } else {
        #expect(
          rows.map { $0.prefix(4) } == ["stop", "leg ", "stop", "not ", "stop", "leg ", "stop"])
        #expect(rows.contains("leg 400") && rows.contains("not seen 5000"), "\(rows)")
      }
    }
  }

  @Test(arguments: [1.0, 5], [1.0, 3])
  func `Without a speed, a silence at a place is a stop, and a short way after it is a leg`(
    interval: Double, noise: Double
  ) {
    for way in [120.0, 200, 400] {
      let parts: [Part] = [(600, 0), (600, 3000), (540, nil), (way / 5, way), (600, 0)]
      let fixes = Self.fixes(parts, unseen: 0, every: interval, hasSpeed: false, noise: noise)
      let leg = "leg \(Int((way / 100).rounded(.down)) * 100)"
      #expect(
        Self.rows(fixes, noise: noise, each: 20)
          == ["stop 600", "leg 3000", "stop 540", leg, "stop 600"])
    }
  }

  @Test func `Without a rest, the way continues across the silence`() {
    let parts: [Part] = [(300, 0), (300, 400), (480, nil), (300, 400), (300, 0)]
    let rows = Self.rows(Self.fixes(parts))
    #expect(rows.count == 3 && rows[1] == "leg 5800", "\(rows)")
  }

  @Test func `After a rest that ends in a silence, the way begins at the rest`() {
    let parts: [Part] = [(300, 0), (60, nil), (300, 3000), (300, 0)]
    let rows = Self.rows(Self.fixes(parts, unseen: 200))
    #expect(rows.count == 3 && rows[1] == "leg 3200", "\(rows)")
  }

  @Test(arguments: [true, false])
  func `A position that is elsewhere for good is another stop`(hasSpeed: Bool) {
    let fixes = TruthReceiver(noise: 1, doppler: hasSpeed ? 0.05 : nil).fixes(
      500, seed: 3, jump: { $0 >= 200 ? 500 : 0 }
    ) { _ in (0, 0, 0) }
    let log = TripLog(fixes)
    #expect(log.stops.count == 2 && log.legs.isEmpty && log.gaps.count == 1)
    #expect(log.gaps.allSatisfy { abs($0.distance - 500) < 10 && $0.duration < .seconds(6) })
  }

  @Test func `A position that is elsewhere for a while, and comes back, is part of the stop`() {
    for away in [1.0, 3, 60, 100] {
      let fixes = TruthReceiver(noise: 1).fixes(
        900, seed: 3, jump: { $0 >= 400 && $0 < 400 + away ? 490 : 0 }
      ) { _ in (0, 0, 0) }
      #expect(Self.rows(fixes) == ["stop 900"], "\(away)")
    }
  }

  @Test(arguments: [60.0, 100])
  func `A position that is elsewhere before a silence, and is back after it, is part of the stop`(
    away: Double
  ) {
    let end = 1100 + away
    let fixes = TruthReceiver(noise: 1).fixes(
      end, seed: 3, hidden: { $0 >= 400 + away && $0 < end },
      jump: { $0 >= 400 && $0 < end ? 490 : 0 }
    ) { _ in (0, 0, 0) }
    #expect(Self.rows(fixes) == ["stop \(Int(end))"])
  }

  @Test func `A position that is elsewhere before a silence and after it is another stop`() {
    let fixes = TruthReceiver(noise: 1).fixes(
      1860, seed: 3, hidden: { $0 >= 460 && $0 < 1560 }, jump: { $0 >= 400 ? 490 : 0 }
    ) { _ in (0, 0, 0) }
    #expect(Self.rows(fixes) == ["stop 399", "not seen 500", "stop 1456"])
  }

  @Test func `The way about a place that was reached by a jump belongs to the leg from there`()
    throws
  {
    // From 310 s on, it goes 60 m to the north and back, and then 1,500 m to the east.
    let fixes = TruthReceiver(noise: 0).fixes(800, seed: 3, jump: { $0 >= 300 ? 490 : 0 }) {
      let (walk, drive) = (min(max($0 - 310, 0), 40), min(max($0 - 350, 0), 150))
      return (10 * drive, walk < 20 ? 3 * walk : 3 * (40 - walk), 0)
    }
    let log = TripLog(fixes)
    let leg = try #require(log.legs.first)
    #expect(log.legs.count == 1 && abs(leg.distance - (490 + 120 + 1500)) < 1, "\(leg.distance)")
  }

  /// A boat at anchor whose position is 490 m away for a while, and in the end for good.
  @Test(
    arguments: [
      [(300, 19), (400, 25)], [(60, 19), (400, 25)], [(300, 25), (335, 19), (360, 17)],
    ] as [[(from: Double, seconds: Double)]], [0.0, 3])
  func `A receiver whose speed is 0 does not move when its position jumps`(
    jumps: [(from: Double, seconds: Double)], noise: Double
  ) {
    for bearings in [[90.0], [90, 210, 330]] {
      let fixes = TruthReceiver(noise: noise).fixes(900, seed: 3) { second in
        let jump = jumps.firstIndex { second >= $0.from && second < $0.from + $0.seconds }
        guard second >= 600 || jump != nil else { return (0, 0, 0) }
        let bearing = bearings[(jump ?? 0) % bearings.count] * .pi / 180
        return (490 * sin(bearing), 490 * cos(bearing), 0)
      }.map { fix, moment in
        var fix = fix
        fix.speed = 0
        return (fix: fix, moment: moment)
      }
      #expect(Self.rows(fixes, noise: noise) == ["stop 599", "not seen 500", "stop 296"])
    }
  }

  /// Waits for 100 s at 300 s, and its position is 490 m away for some of them.
  @Test(arguments: [1.0, 12, 19, 25, 40])
  func `A jump while a receiver waits adds nothing to its way`(away: Double) throws {
    let fixes = TruthReceiver(noise: 1).fixes(
      700, seed: 3, jump: { $0 >= 330 && $0 < 330 + away ? 490 : 0 }
    ) { second in (0, 2 * (min(second, 300) + max(second - 400, 0)), 0) }
    let log = TripLog(fixes)
    #expect(log.legs.count == 1 && log.gaps.isEmpty)
    let leg = try #require(log.legs.first)
    #expect(abs(leg.distance - 1200) < 30, "\(leg.distance)")
    #expect(abs(try #require(leg.topSpeed) - 2) < 0.2, "\(leg.topSpeed as Any)")
  }

  @Test func `A stop ends when its last positions are elsewhere`() {
    let fixes = TruthReceiver(noise: 1).fixes(
      420, seed: 3, hidden: { $0 > 300 && $0 < 340 }, jump: { $0 > 320 ? 490 : 0 }
    ) { _ in (0, 0, 0) }
    #expect(Self.rows(fixes) == ["stop 300", "not seen 500"])
  }

  /// 300 m in 20 s is a jump. 110 m in 2 minutes are none, so that the receiver seems to rest there.
  @Test(arguments: [(20.0, 300.0), (120, 110)])
  func `An outlier before a silence changes nothing`(interval: Double, far: Double) {
    let fixes = TruthReceiver(noise: 1, interval: interval).fixes(
      3600, seed: 3, hidden: { $0 > 1200 && $0 < 2400 }, jump: { $0 == 1200 ? far : 0 }
    ) { _ in (0, 0, 0) }
    #expect(Self.rows(fixes) == ["stop 3600"])
  }

  @Test(arguments: [(14.0, 60.0), (60, 14), (15, 15)])
  func `A receiver that rests for 15 s at two places was not seen in between`(
    first: Double, second: Double
  ) {
    let fixes = Self.fixes(Self.twoRests(first, 60, second), unseen: 200, noise: 0)
    #expect(Self.rows(fixes) == (min(first, second) < 15 ? [] : ["not seen 200"]))
  }

  /// It was 60 m from the middle of its stop at its last fix, and is 50 m farther.
  @Test func `A long silence ends a stop by the distance from its middle`() {
    let parts: [Part] = [(300, 0), (30, 60), (60, 0), (700, nil), (300, 0)]
    #expect(
      Self.rows(Self.fixes(parts, unseen: 50, noise: 0)) == ["stop 390", "not seen 50", "stop 300"])
  }

  /// It moved for 20 s before the silence, and stands for 15 s after it.
  @Test func `A receiver that is still in its stop after a long silence stands there`() {
    let parts: [Part] = [(300, 0), (20, 40), (700, nil), (15, 0)]
    #expect(Self.rows(Self.fixes(parts, unseen: 0, noise: 0)) == ["stop 1035"])
  }

  @Test func `Another place before a silence is known after it`() {
    let fixes = TruthReceiver(noise: 1, interval: 20).fixes(
      3000, seed: 3, hidden: { $0 > 1000 && $0 < 2000 }, jump: { $0 >= 980 ? 300 : 0 }
    ) { _ in (0, 0, 0) }
    #expect(Self.rows(fixes) == ["stop 960", "leg 300", "stop 2020"])
  }

  @Test func `A tracker that is elsewhere at its next fix was under way`() {
    let fixes = Self.fixes(
      [(1200, 0), (60, 800), (1200, 0)], every: 60, hasSpeed: false)
    #expect(Self.rows(fixes) == ["stop 1200", "leg 800", "stop 1200"])
  }

  @Test func `A receiver that comes back to where it began has no leg without a length`() {
    // Away for 10 s at 10 m/s, and back.
    let fixes = Self.fixes([(60, 0), (6, 60), (6, -60), (300, 0)])
    let log = TripLog(fixes)
    #expect(log.legs.allSatisfy { $0.duration > .zero && $0.distance > 0 })
    #expect(log.stops.count == 1)
  }

  /// A boat that drags its anchor a little each hour.
  @Test func `A place that wanders is not one stop`() {
    let parts: [Part] = (0..<20).flatMap { _ -> [Part] in [(3600, 0), (300, 30)] }
    let log = TripLog(Self.fixes(parts, every: 10))
    for stop in log.stops { #expect(stop.duration < .seconds(13 * 3900), "\(stop.duration)") }
  }
}

/// How often a receiver reports makes no difference.
@Suite struct `Trips of a slow tracker` {
  /// Four times: 6 hours at a place, 6 hours under way at 15 m/s.
  private static func fixes(every interval: Double) -> [(fix: LocationFix, moment: Moment)] {
    TruthReceiver(noise: 5, correlation: 0, claim: 10, doppler: nil, interval: interval)
      .fixes(4 * 43_200, seed: 2) { second in
        let (day, rest) = (
          (second / 43_200).rounded(.down), second.truncatingRemainder(dividingBy: 43_200)
        )
        return (15 * (21_600 * day + max(0, rest - 21_600)), 0, 0)
      }
  }

  @Test(arguments: [60.0, 300, 540, 600, 900, 1800, 3600])
  func `have as many legs and stops as those of a fast one`(interval: Double) {
    let log = TripLog(Self.fixes(every: interval))
    #expect(log.legs.count == 4 && log.stops.count == 4 && log.gaps.isEmpty)
    #expect(abs(log.summary.distance - 4 * 324_000) < 4 * 15 * interval)
    for leg in log.legs {
      #expect(abs(leg.duration.inSeconds - 21_600) <= 2 * interval, "\(leg.duration)")
    }
  }

  @Test func `end a leg after three intervals`() {
    var monitor = TripMonitor()
    for (fix, moment) in Self.fixes(every: 900)
    where moment <= Moment(uptime: .seconds(1000 + 36_000)) {
      _ = monitor.handle(fix, at: moment)
    }
    #expect(monitor.deadline == Moment(uptime: .seconds(1000 + 36_000 + 2701)))
  }

  @Test func `are never seen and not seen at a time`() throws {
    let fixes = Self.fixes(every: 900)
    var machine = LinkMachine(staleAfter: nil)
    var queue = UpdateQueue()
    var report = LocationReport(countsFigures: false)
    machine.start(at: fixes[0].moment, into: &queue)
    for (fix, moment) in fixes {
      machine.expire(at: moment, into: &queue)
      machine.handle(.fix(fix), at: moment, into: &queue)
      while let (update, moment) = queue.take() { report.add(update, at: moment) }
    }
    report.end(at: fixes[fixes.count - 1].moment)
    let receiver = try #require(report.receivers.first)
    let unseen = receiver.trips.gapDuration.inSeconds / receiver.observed.inSeconds
    let availability = try #require(receiver.availability)
    #expect(availability + unseen <= 1.0001)
  }
}
