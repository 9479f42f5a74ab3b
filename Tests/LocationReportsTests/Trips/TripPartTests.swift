import LocationCore
import Testing

@testable import LocationReports

/// The parts that stops and legs are made of, each by itself.
/// Faults 123 and 132.
@Suite struct `The parts of a trip` {
  private static let origin = Coordinate(latitude: 48, longitude: 11.5)!

  private func fix(
    at seconds: Double, east: Double = 0, north: Double = 0, altitude: Double? = nil,
    speed: Double? = nil
  )
    -> TripFix
  {
    let place = Self.origin.moved(by: north, bearing: 0).moved(by: east, bearing: 90)
    var fix = LocationFix(coordinate: place, mode: .fix3D)
    fix.altitude = altitude
    fix.speed = speed
    var trip = TripFix(fix, number: 0, at: Moment(uptime: .seconds(seconds)))
    trip.seconds = seconds
    return trip
  }

  @Test func `an even part has all elements up to 128, then every second one, then every fourth`() {
    var part = EvenSample<Int>()
    let first = (0..<128).map { part.add($0) }
    #expect(first.allSatisfy(\.self) && part.elements == Array(0..<128))
    #expect(part.add(128) && !part.add(129) && part.add(130))
    #expect(part.elements == Array(stride(from: 0, through: 130, by: 2)))
    for number in 131..<256 { _ = part.add(number) }
    #expect(part.elements == Array(stride(from: 0, to: 256, by: 2)))
    #expect(part.add(256) && !part.add(257) && !part.add(258) && !part.add(259) && part.add(260))
    #expect(part.elements == Array(stride(from: 0, through: 260, by: 4)))
  }

  @Test
  func
    `the lowest speed of 3 s counts, and the lower one of two in a tenth of a second`()
  {
    var speeds = SustainedSpeed()
    let highest = [
      (0.0, 10.0), (1, 9), (1.05, 30), (2, 12), (3, 11), (4, 12), (5, 12), (6, 12), (6.05, 7),
    ].map { second, speed in
      speeds.add(speed, at: second)
      return speeds.highest
    }
    #expect(highest == [nil, nil, nil, nil, 9, 9, 11, 11, 11])
  }

  @Test func `a jump lasts for at most three and a half seconds`() {
    var filter = JumpFilter()
    func judge(_ second: Double, _ east: Double) -> String {
      "\(filter.judge(fix(at: second, east: east)))"
    }
    #expect(judge(0, 0) == "follows" && judge(1, 44) == "follows" && judge(2, 200) == "jumps")
    #expect(judge(3, 60) == "follows")
    #expect(judge(4, 500) == "jumps" && judge(6, 500) == "jumps" && judge(7.5, 500) == "jumps")
    #expect(judge(7.6, 500) == "isElsewhere" && judge(8, 500) == "follows")
  }

  @Test(arguments: [(0.0, 45.0), (10, 60)])
  func `a jump is farther than the last speed allows`(speed: Double, farthest: Double) {
    func verdict(_ east: Double) -> String {
      var filter = JumpFilter()
      _ = filter.judge(fix(at: -1, east: -speed))
      _ = filter.judge(fix(at: 0))
      return "\(filter.judge(fix(at: 1, east: east)))"
    }
    #expect(verdict(farthest - 0.1) == "follows" && verdict(farthest + 0.1) == "jumps")
  }

  @Test func `a stop climbs if its height changes fast`() {
    func sums(_ rate: Double, _ seconds: Double) -> (ascent: Double, descent: Double)? {
      var climbs = StopClimbs()
      for second in stride(from: 0, through: 2 * seconds, by: 1) {
        let height = rate * min(second, seconds)
        climbs.add(fix(at: second, altitude: 100 + height), deviation: 0.1)
      }
      return climbs.sums
    }
    #expect(sums(1, 50)?.ascent == 50 && sums(-1, 50)?.descent == 50)
    #expect(sums(0.1, 1000)?.ascent == 0)
    // 10 m in 59 s, up to the fix before the last one of a minute.
    #expect(sums(0.168, 1000)?.ascent == 0)
    #expect((sums(0.17, 1000)?.ascent ?? 0) > 160)
    var none = StopClimbs()
    none.add(fix(at: 0), deviation: 1)
    #expect(none.sums == nil)
  }

  @Test func `an even part that loses its elements starts over`() {
    var part = EvenSample<Int>(limit: 4)
    for number in 0..<9 { _ = part.add(number) }
    part.removeAll { $0 < 8 }
    #expect(part.elements == [8])
    part.removeAll { _ in true }
    #expect(part.add(9) && part.add(10) && part.elements == [9, 10])
  }

  @Test func `the height of a turn is the mean of the heights that differ only by noise`() {
    func sums(_ heights: [Double], band: Double) -> (ascent: Double, descent: Double)? {
      var counter = ClimbCounter()
      for height in heights { counter.add(height, threshold: 10, band: band) }
      return counter.sums
    }
    let heights = [100.0, 102, 101, 130, 133, 131, 132, 110, 112, 111]
    #expect(sums(heights, band: 0)! == (33, 23))
    #expect(sums(heights, band: 3)! == (131.5 - 101, 131.5 - 111))
    #expect(sums(heights.map { -$0 }, band: 3)! == (131.5 - 111, 131.5 - 101))
    // What does not reach the threshold is no turn.
    #expect(sums([100, 109.9, 100], band: 3)! == (0, 0) && sums([], band: 3) == nil)
  }

  @Test(
    arguments: [
      ([100, 110], 10, 0), ([110, 100], 0, 10), ([100, 120, 110], 20, 10),
      ([120, 100, 110], 10, 20), ([100, 120, 110.1, 120], 20, 0), ([120, 100, 109.9, 100], 0, 20),
    ] as [([Double], Double, Double)])
  func `a turn of the height is at least as high as the threshold`(
    heights: [Double], ascent: Double, descent: Double
  ) {
    var counter = ClimbCounter()
    for height in heights { counter.add(height, threshold: 10, band: 0) }
    #expect(counter.sums! == (ascent, descent))
  }

  @Test func `a climb at a stop is at least six deviations high, and a floor spans three`() {
    func ascent(_ heights: [Double]) -> Double? {
      var climbs = StopClimbs()
      for (second, height) in heights.enumerated() {
        climbs.add(fix(at: Double(second), altitude: height), deviation: 2)
      }
      return climbs.sums?.ascent
    }
    #expect(ascent([100, 100, 111.9, 111.9]) == 0 && ascent([100, 100, 112, 112]) == 12)
    // The mean of 120, 114 and 114 m
    #expect(ascent([100, 100, 120, 114, 114]) == 16)
    #expect(ascent([100, 100, 120, 113.9, 113.9]) == 20)
  }

  @Test func `the height of a turn of a leg is the mean of the heights within 1.5 deviations`()
    throws
  {
    // Second differences of 2 m over 15 s are a deviation of 3.6465 m, so the band is 5.4698 m.
    var observer = NoiseObserver()
    for second in 0...300 {
      observer.record(fix(at: Double(second), altitude: second / 15 % 2 == 0 ? 0 : 1))
    }
    let noise = observer.noise
    for (height, top) in [(44.6, 47.3), (44.5, 50)] {
      var meter = LegMeter(from: fix(at: 0, altitude: 0))
      for (index, altitude) in [50, height, 0].enumerated() {
        let second = Double(index + 1)
        meter.add(fix(at: second, east: 20 * second, altitude: altitude), noise)
      }
      let leg = meter.leg
      let (ascent, descent) = (try #require(leg.ascent), try #require(leg.descent))
      #expect(abs(ascent - top) < 1e-9 && abs(descent - top) < 1e-9)
    }
  }

  @Test func `a distance counts if it is longer than noise explains`() {
    func pace(_ metres: Double, _ noise: TripNoise) -> Double? {
      var meter = LegMeter(from: fix(at: 0))
      meter.add(fix(at: 1, east: metres), noise)
      return meter.pace.map { ($0 * 1000).rounded() / 1000 }
    }
    // √(12 · 4 · 0.1) m = 2.191 m, before the noise is known
    #expect(pace(2.18, TripNoise()) == nil && pace(2.2, TripNoise()) == 2.2)
    var observer = NoiseObserver()
    for second in 0..<40 { observer.record(fix(at: Double(second), east: 2 * Double(second))) }
    let none = observer.noise
    #expect(none.isKnown && pace(0.435, none) == nil && pace(0.442, none) == 0.442)
  }

  /// It waits for 5 s, and moves for 5 s.
  @Test(arguments: [nil, 10.0])
  func `the time in which the receiver moved is known with and without a speed`(speed: Double?) {
    var meter = LegMeter(from: fix(at: 0, speed: speed.map { _ in 0 }))
    for second in 1...10 {
      let moving = Double(max(0, second - 5))
      meter.add(
        fix(at: Double(second), east: 10 * moving, speed: speed.map { moving > 0 ? $0 : 0 }),
        TripNoise())
    }
    #expect(abs(meter.leg.movingTime.inSeconds - 5) < 0.001)
  }

  /// At 0.9 m/s, noise explains the last metres.
  @Test(arguments: [nil, 0.9], [8, 9])
  func `a receiver has moved since the last fix that counts for the distance`(
    speed: Double?, seconds: Int
  ) {
    var meter = LegMeter(from: fix(at: 0, speed: speed))
    for second in 1...seconds {
      meter.add(fix(at: Double(second), east: 0.9 * Double(second), speed: speed), TripNoise())
    }
    #expect(abs(meter.leg.movingTime.inSeconds - Double(seconds)) < 0.001)
  }

  @Test(arguments: [(2.9, nil), (3, 10)] as [(Double, Double?)])
  func `speeds of less than 3 s are no top speed`(seconds: Double, top: Double?) {
    var meter = LegMeter(from: fix(at: 0))
    for second in [1, 1 + seconds] {
      meter.add(fix(at: second, east: 10 * second), TripNoise())
    }
    let speed = meter.leg.topSpeed
    #expect((speed == nil) == (top == nil) && abs((speed ?? 0) - (top ?? 0)) < 0.001)
  }

  @Test(arguments: [(1399.0, true), (1401, false)])
  func `a top speed above 350 m/s is unknown`(step: Double, isKnown: Bool) {
    var meter = LegMeter(from: fix(at: 0))
    for number in 1...5 {
      let (second, east) = (4 * Double(number), step * Double(number))
      meter.add(fix(at: second, east: east), TripNoise())
    }
    let leg = meter.leg
    #expect((leg.topSpeed != nil) == isKnown && (leg.meanSpeed != nil) == isKnown)
  }

  @Test(arguments: [(1, nil), (2, 10)] as [(Int, Double?)])
  func `a leg with a single speed has no Doppler distance`(speeds: Int, distance: Double?) {
    var meter = LegMeter(from: fix(at: 0, speed: 10))
    meter.add(fix(at: 1, east: 10, speed: speeds > 1 ? 10 : nil), TripNoise())
    #expect(meter.leg.dopplerDistance == distance)
  }

  @Test func `a mean moving speed is between the mean speed and the top speed`() throws {
    // It measures half of its speed.
    var meter = LegMeter(from: fix(at: 0, speed: 5))
    for second in 1...100 {
      meter.add(
        fix(at: Double(second), east: 10 * Double(second), speed: 5), TripNoise())
    }
    let leg = meter.leg
    let mean = try #require(leg.meanSpeed)
    #expect(leg.topSpeed.map { abs($0 - 10) < 0.01 } == true)
    #expect(leg.meanMovingSpeed == mean && abs(mean - 10) < 0.01)
    var waits = leg
    (waits.movingTime, waits.topSpeed) = (.seconds(50), 50)
    #expect(try abs(#require(waits.meanMovingSpeed) - leg.distance / 50) < 1e-9)
  }

  @Test(arguments: [(4, false), (5, true)])
  func `a leg has a Doppler distance if half of its fixes have a speed`(
    speeds: Int, isMeasured: Bool
  ) {
    var meter = LegMeter(from: fix(at: 0, speed: 10))
    for second in 1..<10 {
      meter.add(
        fix(
          at: Double(second), east: 10 * Double(second),
          altitude: nil, speed: second < speeds ? 10 : nil),
        TripNoise())
    }
    let leg = meter.leg
    #expect(leg.dopplerDistance == (isMeasured ? Double(10 * (speeds - 1)) : nil))
    #expect(abs(leg.distance - 90) < 0.01)
  }

  @Test(
    arguments: [
      // The leg ends an hour after midnight, and took an hour.
      ("2007-04-06T10:00:00Z", ["2026-11-20"], [3600.0]),
      ("2026-11-20T12:00:00Z", ["2026-11-20"], [3600]),
      // A minute more or less than it took is none in which the clock was set.
      ("2026-11-19T23:59:00Z", ["2026-11-19", "2026-11-20"], [59.016, 3540.984]),
      ("2026-11-19T23:58:59Z", ["2026-11-20"], [3600]),
    ] as [(String, [String], [Double])])
  func `a leg in which the clock was set counts for the days before its end`(
    from: String, dates: [String], seconds: [Double]
  ) {
    func end(_ time: String) -> Leg.End {
      Leg.End(
        time: Timestamp(iso8601: time), coordinate: Self.origin, moment: Moment(uptime: .zero))
    }
    var days = TripDays()
    days.add(
      Leg(
        start: end(from), end: end("2026-11-20T01:00:00Z"), distance: 1000,
        duration: .seconds(3600),
        movingTime: .seconds(1800), ascent: nil, descent: nil, fixes: 0..<1))
    #expect(days.days.map(\.date) == dates)
    let durations = days.days.map(\.duration.inSeconds)
    #expect(zip(durations, seconds).allSatisfy { abs($0 - $1) < 1e-3 }, "\(durations)")
    #expect(abs(days.days.map(\.distance).reduce(0, +) - 1000) < 1e-6)
  }

  @Test func `a leg over midnight counts for each day by its time`() {
    func end(_ time: String) -> Leg.End {
      Leg.End(
        time: Timestamp(iso8601: time), coordinate: Self.origin, moment: Moment(uptime: .zero))
    }
    var days = TripDays()
    func add(_ from: String, _ to: String, _ hours: Double) {
      days.add(
        Leg(
          start: end(from), end: end(to), distance: 1000 * hours, duration: .seconds(3600 * hours),
          movingTime: .seconds(1800 * hours), ascent: 30 * hours, descent: nil,
          fixes: 0..<1))
    }
    // The clock of a receiver may stand before the beginning of all times.
    add("1969-12-31T23:00:00Z", "1970-01-01T02:00:00Z", 3)
    add("2026-11-20T10:00:00Z", "2026-11-20T11:00:00Z", 1)
    add("2026-11-20T23:00:00Z", "2026-11-22T02:00:00Z", 27)
    #expect(
      days.days.map(\.date)
        == ["1969-12-31", "1970-01-01", "2026-11-20", "2026-11-21", "2026-11-22"])
    #expect(days.days.map { $0.distance.rounded() } == [1000, 2000, 2000, 24_000, 2000])
    #expect(
      days.days.map(\.duration)
        == [
          .seconds(3600), .seconds(7200), .seconds(7200), .seconds(86_400), .seconds(7200),
        ])
    #expect(days.days[2].ascent.map { abs($0 - 60) < 1e-6 } == true)
    #expect(days.days[0].descent == nil)
  }

  @Test func `a track is thinned by distance, and keeps every point that is farther away`() {
    var track = TrackTrace()
    func add(_ east: Float) {
      track.add(TrackTrace.Point(east: east, north: 0, speed: 1, isStart: false, silence: 0))
    }
    for metre in 0..<2500 { add(Float(metre)) }
    let far = (1...1596).map { Float(2499 + 10 * $0) }
    for east in far { add(east) }
    #expect(track.points.count == 4096 && track.points.map(\.isStart).firstIndex(of: false) == 1)
    add(30_000)
    let easts = track.points.map(\.east)
    #expect(easts == (0..<1250).map { Float(2 * $0) } + far + [30_000])
    // From here on points are two metres apart; the last one is always there.
    add(30_001)
    #expect(track.points.count == easts.count + 1 && track.points.last?.east == 30_001)
    add(30_002)
    #expect(track.points.map(\.east) == easts + [30_002])
  }

  @Test func `a track of many outages keeps every second point`() {
    var track = TrackTrace()
    for number in 0...4096 {
      track.add(
        TrackTrace.Point(east: Float(number), north: 0, speed: 1, isStart: true, silence: 0))
    }
    #expect(track.points.map(\.east) == (0...2048).map { Float(2 * $0) })
  }

  @Test func `samples of stops deviate from their own stop's mean, even when thinned`() {
    var samples = LocationReports.Samples(limit: 8)
    for number in 0..<16 {
      let way = Double(number)
      samples.append(Sample(east: way, north: -way, height: number < 9 ? 100 + way : nil))
    }
    // Every second one.
    #expect(samples.map(\.east) == [0, 2, 4, 6, 8, 10, 12, 14])
    let stops = [0..<5, 5..<6, 9..<15].map {
      let end = Leg.End(Self.origin, at: Moment(uptimeNanoseconds: 0, wall: nil))
      return Stop(
        start: end, end: end, coordinate: Self.origin, duration: .seconds(120), fixes: $0)
    }
    let ofStops = StopSamples(
      of: samples, in: stops, on: LocalPlane(at: Self.origin, height: nil), reach: 75)
    #expect(ofStops.samples.map(\.east) == [-2, 0, 2, -2, 0, 2])
    #expect(ofStops.samples.map(\.north) == [2, 0, -2, 2, 0, -2])
    #expect(ofStops.samples.map(\.height) == [-2, 0, 2, nil, nil, nil])
    #expect(ofStops.meanHeight == 102)
    let number = ofStops.numbers
    #expect((0..<6).map(number) == [0, 2, 4, 10, 12, 14])
  }

  @Test(arguments: [(74.9, 5), (75.1, 4)])
  func `a position outside a stop does not count for its scatter`(far: Double, count: Int) {
    var samples = LocationReports.Samples()
    for east in [1, -1, far, 1, -1] { samples.append(Sample(east: east, north: 0, height: nil)) }
    let end = Leg.End(Self.origin, at: Moment(uptimeNanoseconds: 0, wall: nil))
    let stop = Stop(
      start: end, end: end, coordinate: Self.origin, duration: .seconds(120), fixes: 0..<5)
    let ofStops = StopSamples(
      of: samples, in: [stop], on: LocalPlane(at: Self.origin, height: nil), reach: 75)
    #expect(ofStops.samples.count == count)
    let number = ofStops.numbers
    #expect((0..<count).map(number) == (count == 5 ? [0, 1, 2, 3, 4] : [0, 1, 3, 4]))
    // Where noise is wider, a stop is.
    let wide = StopSamples(
      of: samples, in: [stop], on: LocalPlane(at: Self.origin, height: nil), reach: 4)
    #expect(wide.samples.count == 4 && wide.samples.map(\.east) == [1, -1, 1, -1])
  }

  @Test(arguments: [(1.0, 10.0), (4, 20), (8, 30)])
  func `a stop is as wide as five median distances, and up to three times its reach`(
    usual: Double, farthest: Double
  ) {
    for (far, count) in [(farthest - 0.1, 5), (farthest + 0.1, 4)] {
      var samples = LocationReports.Samples()
      for east in [usual, -usual, far, usual, -usual] {
        samples.append(Sample(east: east, north: 0, height: nil))
      }
      let end = Leg.End(Self.origin, at: Moment(uptimeNanoseconds: 0, wall: nil))
      let stop = Stop(
        start: end, end: end, coordinate: Self.origin, duration: .seconds(120), fixes: 0..<5)
      let ofStops = StopSamples(
        of: samples, in: [stop], on: LocalPlane(at: Self.origin, height: nil), reach: 10)
      #expect(ofStops.samples.count == count, "\(far)")
    }
  }
}
