import LocationCore
import Testing

/// Where exactly a doubt begins. On the equator, a metre to the east is one of the sphere that doubts go by.
///
/// Fault 133.
@Suite struct `The limit of a step` {
  /// A receiver that has stood at one place, unless a parameter differs.
  private func story(
    until end: Int = 100, every interval: Double = 1, _ place: (Double) -> Double = { _ in 0 },
    speed: Double? = 0
  ) -> DoubtStory {
    var story = DoubtStory(latitude: 0, longitude: 90)
    story.fixes(0..<end, every: interval, place, speed: { _ in speed })
    return story
  }

  @Test func `is noise, and what the larger of two speeds explains`() {
    let still = story()
    #expect(still.limit { $0.fix(100, east: $1) } == 50.5)
    #expect(still.limit { $0.fix(100, east: -$1) } == 50.5)
    #expect(still.limit { $0.fix(100, east: $1, speed: 100) } == 170.5)
    var fast = still
    fast.fix(100, speed: 100)
    #expect(fast.limit { $0.fix(101, east: $1) } == 170.5)
    #expect(fast.limit { $0.fix(101, east: $1, speed: 50) } == 170.5)
    #expect(fast.limit { $0.fix(101, east: $1, speed: nil) } == 170.5)
    fast.fix(101)
    #expect(fast.limit { $0.fix(102, east: $1) } == 50.5)
    #expect(story(speed: nil).limit { $0.fix(100, east: $1, speed: 100) } == 170.5)
  }

  @Test func `is by no more than 100 m/s above the speed before, or that of the positions`() {
    // The first has no speed, so that 350 + 100 m/s count: 300 + 1.2 * 450 + 0.5.
    #expect(story(until: 1, speed: nil).limit { $0.fix(1, east: $1, speed: 7900) } == 840.5)
    // 30 + 100 m/s: 50 + 1.2 * 130 + 0.5.
    let car = story({ 30 * $0 }, speed: nil)
    #expect(car.limit { $0.fix(100, east: 2970 + $1, speed: 7900) } == 206.5)
  }

  @Test func `is not widened by what another place claims`() {
    func changes(at metres: Double) -> Int {
      var story = story()
      story.fix(100, east: 14_000, speed: 100)
      story.fix(101, east: metres)
      return story.told.count
    }
    // 50 m, and 0.5 m/s for two seconds. If it is within them, the doubt ends.
    #expect(changes(at: 50.9) == 2)
    #expect(changes(at: 51.1) == 1)
  }

  @Test func `is more for a vehicle that can accelerate and brake for more than 2 s`() {
    #expect(story().limit { $0.fix(101, east: $1) } == 51)
    #expect(story().limit { $0.fix(102, east: $1) } == 62.75)
    #expect(story().limit { $0.fix(109, east: $1) } == 180)
    // After an outage, the receiver settles again. No vehicle is faster than 350 m/s.
    #expect(story().limit { $0.fix(110, east: $1) } == 456.75)
    #expect(350_840...350_850 ~= story().limit { $0.fix(1099, east: $1) })
  }

  @Test func `is 300 m in the first minute, and as long without a height`() {
    #expect(story(until: 1).limit { $0.fix(1, east: $1) } == 300.5)
    #expect(story(until: 60).limit { $0.fix(60, east: $1) } == 300.5)
    #expect(story(until: 61).limit { $0.fix(61, east: $1) } == 50.5)
    var flat = story()
    flat.fix(100) { $0.mode = .fix2D }
    #expect(flat.limit { $0.fix(101, east: $1) } == 300.5)
    flat.fixes(101..<110)
    // The mark of 95 s counts again.
    #expect(flat.limit { $0.fix(110, east: $1) } == 57.5)
    flat.fix(110)
    #expect(flat.limit { $0.fix(111, east: $1) } == 50.5)
    #expect(
      story().limit { story, metres in
        story.fix(100, east: metres) { $0.mode = .fix2D }
      } == 300.5)
  }

  @Test func `does not shrink for places of the first minute when that is over`() {
    var story = story(until: 60) { _ in -290 }
    story.fixes(60..<200)
    #expect(story.told == [])
  }

  @Test func `goes by the speed of the positions without Doppler`() {
    #expect(story(until: 1, speed: nil).limit { $0.fix(1, east: $1, speed: nil) } == 650)
    #expect(story(speed: nil).limit { $0.fix(100, east: $1, speed: nil) } == 60)
    #expect(story(speed: nil).limit { $0.fix(101, east: $1, speed: nil) } == 90)
    var car = story({ 30 * $0 }, speed: nil)
    #expect(car.limit { $0.fix(100, east: 2970 + $1, speed: nil) } == 90)
    // It slows down by at most 10 m/s².
    car.fix(100, east: 2970, speed: nil)
    #expect(car.limit { $0.fix(101, east: 2970 + $1, speed: nil) } == 80)
    car.fixes(101..<103, { _ in 2970 }, speed: { _ in nil })
    #expect(car.limit { $0.fix(103, east: 2970 + $1, speed: nil) } == 60)
    let jet = story({ 345 * $0 }, speed: nil)
    #expect(jet.limit { $0.fix(100, east: 345 * 99 + $1, speed: nil) } == 400)
  }

  @Test func `is 2.5 times the larger of two accuracies`() {
    let inaccurate: (inout LocationFix) -> Void = { $0[.eph] = 40 }
    var story = story()
    #expect(story.limit { $0.fix(100, east: $1, change: inaccurate) } == 100.5)
    story.fix(100, change: inaccurate)
    #expect(story.limit { $0.fix(101, east: $1) } == 100.5)
    story.fix(101)
    #expect(story.limit { $0.fix(102, east: $1) } == 50.5)
  }

  @Test func `is 5 times the mean of what the speed does not explain in 45 s`() {
    #expect(story({ 10 * $0 }, speed: 10).limit { $0.fix(100, east: 990 + $1, speed: 10) } == 62.5)
    // Of 225 m, the speed explains 180 m across the other 135 m: the first eight ways are shorter.
    var story = story(until: 166, { 5 * $0 }, speed: 4)
    #expect(story.limit { $0.fix(166, east: 825 + $1, speed: 4) } == 598.56)
    // Where it is believed after a jump, the receiver is the same.
    story.fixes(166..<197, { 10_000 + 5 * $0 }, speed: { _ in 4 })
    #expect(story.told.last == "196.0 none")
    #expect(story.limit { $0.fix(197, east: 10_980 + $1, speed: 4) } == 542.4)
  }

  @Test func `ignores what the speed did not explain before an outage`() {
    var story = story(until: 166, { 10 * $0 }, speed: 4)
    story.fixes(166..<230) { _ in 1650 }
    #expect(story.limit { $0.fix(230, east: 1650 + $1) } > 1000)
    story.fixes(241..<310) { _ in 1650 }
    #expect(story.told == [])
    #expect(story.limit { $0.fix(310, east: 1650 + $1) } == 50.5)
  }

  @Test func `of a drift is that of 45 s`() {
    let slowest = story(until: 300).limit { story, speed in
      story.fixes(300..<600, { speed * ($0 - 299) })
    }
    #expect(slowest == 1.61)
  }

  @Test func `of a drift that begins in the first minute is that of a receiver that settles`() {
    let slowest = story(until: 1).limit { story, speed in
      story.fixes(1..<600, { speed * $0 })
    }
    #expect(slowest == 60.5)
  }

  /// Returns when the place after a jump at 100 s is believed.
  private func believed(every interval: Double = 1, _ place: (Double) -> Double) -> String? {
    var story = story()
    story.fixes(100..<200, every: interval) { 1000 + place($0) }
    return story.told.dropFirst().first
  }

  @Test func `after a jump is half of that`() {
    #expect(believed { $0 < 110 ? 0 : 25.4 } == "130.0 none")
    // What it can have come in a second explains the rest.
    #expect(believed { $0 < 110 ? 0 : 25.6 } == "131.0 none")
    #expect(believed { $0 < 110 ? 0 : 40.6 } == "140.0 none")
    #expect(believed { 1.33 * ($0 - 100) } == "130.0 none")
    #expect(believed { 1.34 * ($0 - 100) } == nil)
  }

  @Test func `after a jump goes by the speed that it can have reached`() {
    func believed(after metres: Double) -> String? {
      var story = story()
      story.fix(100, east: 14_000, speed: 7900)
      story.fixes(101..<150) { _ in 14_000 + metres }
      return story.told.last
    }
    // Half of 50 m, and 1.2 * 100 + 0.5.
    #expect(believed(after: 145.4) == "130.0 none")
    #expect(believed(after: 145.6) == "131.0 none")
  }

  @Test func `is half of that for a place that was believed before another one`() {
    func believed(at metres: Double) -> String? {
      var story = story()
      story.fixes(100..<131) { _ in 14_000 }
      story.fixes(131..<180) { _ in metres }
      return story.told.last
    }
    // Half of 50 m, and 0.5 m/s since 99 s: 41 m at 131 s, and 41.5 m a second later.
    #expect(believed(at: 40.9) == "160.0 none")
    #expect(believed(at: 41.1) == "161.0 none")
  }

  @Test func `is nearer after a jump in reports every 4 s and every 10 s`() {
    #expect(believed(every: 4) { _ in 0 } == "132.0 none")
    #expect(believed(every: 5) { _ in 0 } == "130.0 none")
    #expect(believed(every: 10) { _ in 0 } == "160.0 none")
  }

  @Test func `is reported with the time since the first position`() {
    var story = story(until: 1)
    story.fix(1, east: 700)
    #expect(story.told == ["1.0 jump: 700 m in 1 s, while it reported 0.0 m/s"])
  }

  @Test func `is reported in metres up to a kilometre`() {
    func told(_ east: Double, after seconds: Double = 1) -> String? {
      var story = story()
      story.fix(99 + seconds, east: east, speed: nil)
      return story.told.first.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
    }
    #expect(told(999.4) == "999 m in 1 s")
    #expect(told(1000.1) == "1.0 km in 1 s")
    #expect(told(2000, after: 9.5) == "2.0 km in 9.5 s")
    #expect(told(2000, after: 9.96) == "2.0 km in 10 s")
    #expect(told(9000, after: 10.6) == "9.0 km in 11 s")
  }
}

/// Fault 133.
@Suite struct `The limit of a height` {
  /// A receiver at one height.
  private func story(until end: Int = 100, climb: Double? = 0) -> DoubtStory {
    var story = DoubtStory()
    for second in 0..<end { add(Double(second), 0, climb: climb, to: &story) }
    return story
  }

  private func add(
    _ second: Double, _ height: Double, climb: Double? = 0, to story: inout DoubtStory,
    change: (inout LocationFix) -> Void = { _ in }
  ) {
    story.fix(second) { fix in
      (fix.ellipsoidalAltitude, fix.climbRate) = (height, climb)
      change(&fix)
    }
  }

  /// Returns the limits of the next height, up and down.
  private func limits(
    of story: DoubtStory, at second: Double = 100, above height: Double = 0, climb: Double? = 0,
    change: (inout LocationFix) -> Void = { _ in }
  ) -> [Double] {
    [1.0, -1].map { sign in
      story.limit { add(second, height + sign * $1, climb: climb, to: &$0, change: change) }
    }
  }

  @Test func `is noise, and what a climb at either end explains`() {
    #expect(limits(of: story()) == [105, 105])
    #expect(limits(of: story(), climb: 20) == [125, 105])
    #expect(limits(of: story(), climb: -20) == [105, 125])
    #expect(limits(of: story(), climb: nil) == [105, 105])
    var climbing = story()
    add(100, 0, climb: 20, to: &climbing)
    #expect(limits(of: climbing, at: 101) == [125, 105])
    #expect(limits(of: climbing, at: 101, climb: nil) == [125, 105])
    #expect(limits(of: climbing, at: 101, climb: -30) == [125, 135])
    let silent = story(climb: nil)
    #expect(limits(of: silent, climb: nil) == [200, 200])
    #expect(limits(of: silent, at: 101, climb: nil) == [300, 300])
    #expect(limits(of: silent, climb: 20) == [125, 105])
    // What climbs at both ends explain need not be there.
    #expect(limits(of: climbing, at: 101, climb: 20) == [125, 105])
    var falling = story()
    add(100, 0, climb: -20, to: &falling)
    #expect(limits(of: falling, at: 101, climb: -20) == [105, 125])
    #expect(limits(of: falling, at: 101, climb: nil) == [105, 125])
    // No climb changes by more than 100 m/s in a second.
    #expect(limits(of: story(), climb: 7900) == [205, 105])
    #expect(limits(of: story(), climb: -7900) == [105, 205])
  }

  @Test func `is not exceeded by what is exactly at it`() {
    for (height, count) in [(105.0, 0), (105.001, 1), (-105, 0), (-105.001, 1)] {
      var story = story()
      add(100, height, to: &story)
      #expect(story.told.count == count, "\(height) m")
    }
  }

  @Test func `is 2.5 times the error, and 500 m in the first minute`() {
    #expect(limits(of: story()) { $0.verticalError = 39 } == [105, 105])
    #expect(limits(of: story()) { $0.verticalError = 60 } == [155, 155])
    #expect(limits(of: story(until: 60), at: 59.5) == [502.5, 502.5])
    #expect(limits(of: story(until: 60), at: 60) == [105, 105])
    // Of a first height, nothing is unexplained.
    #expect(limits(of: story(until: 1), at: 1) == [505, 505])
    // The larger of two errors counts.
    var inaccurate = story()
    add(100, 0, to: &inaccurate) { $0.verticalError = 60 }
    #expect(limits(of: inaccurate, at: 101) == [155, 155])
    #expect(limits(of: inaccurate, at: 101) { $0.verticalError = 39 } == [155, 155])
  }

  @Test func `counts what was not explained in the last three seconds`() {
    var story = story()
    add(100, 65, to: &story)
    #expect(limits(of: story, at: 101, above: 65) == [65, 145])
    #expect(limits(of: story, at: 102, above: 65) == [90, 130])
    #expect(limits(of: story, at: 104, above: 65) == [120, 120])
    // After ten seconds as well, in which 5 m/s explain 50 m of 100: 105 ± 50 * 2 / 3.
    var late = self.story()
    add(109, 100, to: &late)
    #expect(limits(of: late, at: 110, above: 100) == [71.67, 138.33])
  }

  @Test func `counts no more than noise of what an error explained, and nothing of another kind`() {
    for sign in [1.0, -1] {
      var story = story()
      add(100, 605 * sign, to: &story) { $0.verticalError = 400 }
      add(101, 605 * sign, to: &story)
      #expect(story.told == [])
      // Of 100 m, two thirds are left at 101 s, and two thirds of these at 102 s: 105 ± 44.44.
      let expected = sign > 0 ? [60.56, 149.44] : [149.44, 60.56]
      #expect(limits(of: story, at: 102, above: 605 * sign) == expected)
    }
    let aboveSea: (inout LocationFix) -> Void = {
      ($0.altitude, $0.ellipsoidalAltitude) = ($0.ellipsoidalAltitude, nil)
    }
    var other = story()
    add(100, 100, to: &other, change: aboveSea)
    #expect(other.told == [])
    #expect(limits(of: other, at: 101, above: 100, change: aboveSea) == [105, 105])
  }

  @Test func `counts the time since the last height, and ends with an outage`() {
    var story = story()
    for second in [100.0, 101] {
      story.fix(second) { ($0.mode, $0.ellipsoidalAltitude) = (.fix2D, 900) }
    }
    story.fix(102) { $0.ellipsoidalAltitude = nil }
    #expect(limits(of: story, at: 103) == [120, 120])
    #expect(limits(of: story, at: 109) == [150, 150])
    // In 10.5 s, it can have climbed 1050 m.
    #expect(limits(of: story, at: 109.5) == [1550, 1550])
    add(109.5, 1500, to: &story)
    #expect(story.told == [])
    #expect(limits(of: story, at: 110.5, above: 1500) == [505, 505])
  }

  /// Returns the changes of the doubt after one that begins at 100 s, 305 m up.
  private func told(every interval: Double = 1, _ height: (Double) -> Double) -> [String] {
    var story = story()
    for second in stride(from: 100.0, to: 200, by: interval) {
      add(second, 305 + height(second), to: &story)
    }
    return Array(story.told.dropFirst())
  }

  @Test func `is half of that until it agrees for half a minute`() {
    #expect(told { $0 < 110 ? 0 : 54.9 } == ["130.0 none"])
    #expect(told { $0 < 110 ? 0 : 55.1 } == ["140.0 none"])
    #expect(told(every: 4) { _ in 0 } == ["132.0 none"])
    #expect(told(every: 5) { _ in 0 } == ["130.0 none"])
    #expect(told(every: 10) { _ in 0 } == ["160.0 none"])
  }

  @Test func `is that of the height before, to which it comes back`() {
    #expect(told { $0 < 110 ? 0 : -199.9 } == ["140.0 none"])
    #expect(told { $0 < 110 ? 0 : -200.1 } == ["110.0 none"])
    var story = story()
    for second in [100.0, 101, 102] { add(second, 305, to: &story) }
    add(103, 0, to: &story)
    #expect(story.told.last == "103.0 none")
    // What brought it back is explained.
    #expect(limits(of: story, at: 104) == [105, 105])
  }
}

/// Fault 133.
@Suite struct `The limit of what stays the same` {
  /// Returns when a position is doubted that is the same from 0 s on, after steps.
  private func told(
    after steps: [(north: Double, east: Double)] = [], every interval: Double = 1,
    until end: Int = 100, speed: (Double) -> Double?
  ) -> String? {
    var story = DoubtStory(latitude: 0, longitude: 90)
    for (index, step) in steps.enumerated() {
      story.fix(Double(index - steps.count), east: step.east, north: step.north)
    }
    story.fixes(0..<end, every: interval, speed: speed)
    return story.told.first.map { String($0.prefix { $0 != " " }) }
  }

  @Test func `is 50 m, or any way of more than 1 m/s after a step of less than a metre`() {
    #expect(told { _ in 5 } == "10.0")
    #expect(told { _ in 4.99 } == "11.0")
    #expect(told { _ in 1.01 } == "50.0")
    #expect(told { _ in 1 } == nil)
    #expect(told { _ in nil } == nil)
    #expect(told(after: [(0, 1.1)]) { _ in 1.01 } == "10.0")
    #expect(told(after: [(0, -1.1)]) { _ in 1.01 } == "10.0")
    #expect(told(after: [(1.09, 0)]) { _ in 1.01 } == "10.0")
    #expect(told(after: [(-1.09, 5)]) { _ in 1.01 } == "10.0")
    #expect(told(after: [(0, 1.12)]) { _ in 1.01 } == "50.0")
    #expect(told(after: [(1.12, 0)]) { _ in 1.01 } == "50.0")
    // What was seen once is known.
    #expect(told(after: [(0, 21), (0, 20)]) { _ in 1.01 } == "10.0")
  }

  @Test func `is ten reports and ten seconds, in which a pause counts at most five`() {
    #expect(told(every: 2) { _ in 9 } == "20.0")
    #expect(told(every: 0.5) { _ in 9 } == "10.0")
    var story = DoubtStory()
    story.fixes(0..<2, every: 0.25) { _ in
      0
    } speed: { _ in
      7
    }
    story.fixes(61..<70, every: 0.25) { _ in
      0
    } speed: { _ in
      7
    }
    // 1.75 s, 5 s and 3.25 s.
    #expect(story.told == ["64.25 frozen: the same for 10 s, while it reported 7.0 m/s"])
  }

  @Test func `is put off by as long as it stood, and by twice as long as it was elsewhere`() {
    #expect(told(every: 0.5) { $0 == 9 ? 0 : 9 } == "11.0")
    #expect(told(every: 2) { $0 == 10 ? nil : 9 } == "22.0")
    #expect(told { $0 == 5 ? 0 : 9 } == "12.0")
    func first(elsewhere metres: Double) -> [String] {
      var story = DoubtStory(latitude: 0, longitude: 90)
      story.fixes(0..<20) {
        $0 == 5 ? metres : 0
      } speed: { _ in
        9
      }
      return story.told.map { String($0.prefix { $0 != " " }) }
    }
    // 1e-7 degrees are 11.1 mm.
    #expect(first(elsewhere: 0.011) == ["10.0"])
    #expect(first(elsewhere: -0.012) == ["13.0"])
  }

  @Test func `counts from nothing where it came to`() {
    // By the seconds, by the reports, and by the metres: ten times 4.99 are not 50.
    #expect(told(after: [(0, 1.1)], every: 0.5) { _ in 1.01 } == "10.0")
    #expect(told(after: [(0, 1.1)], every: 2) { _ in 9 } == "20.0")
    #expect(told(after: [(0, 1.12)]) { _ in 4.99 } == "11.0")
  }

  @Test func `counts from nothing once it has stood for as long as it was the same`() {
    var story = DoubtStory()
    story.fixes(0..<20, speed: { $0.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 7 })
    story.fixes(20..<60, every: 2, speed: { _ in 9 })
    // Ten reports: at 19 s, at 20 s, and then eight more.
    #expect(story.told.map { String($0.prefix { $0 != ":" }) } == ["36.0 frozen"])
  }

  @Test func `ends when it is elsewhere for half as long, not when it stands`() {
    var story = DoubtStory()
    story.fixes(0..<40) {
      $0 < 30 ? 0 : $0
    } speed: {
      $0 < 20 ? 9 : 0
    }
    #expect(
      story.told == ["10.0 frozen: the same for 10 s, while it reported 9.0 m/s", "34.0 none"])
  }
}
