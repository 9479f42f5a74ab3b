import LocationCore
import Synchronization
import Testing

/// Fault 133.
@Suite struct `Other doubts` {
  private func told(
    clockError: Double? = nil, _ seconds: Range<Int> = 0..<20,
    change: (inout LocationFix, Double) -> Void
  ) -> [String] {
    var story = DoubtStory(clockError: { clockError })
    story.fixes(seconds, change: change)
    return story.told
  }

  /// Sets by how many seconds the receiver's time is ahead of the local clock.
  private func ahead(_ seconds: Double) -> (inout LocationFix, Double) -> Void {
    { fix, _ in fix.received = fix.time?.advanced(by: .seconds(-seconds)) }
  }

  @Test(arguments: [
    (18.0, "5.0 time: 18.0 s ahead of this machine's clock"),
    (0.95, "5.0 time: 1.0 s ahead of this machine's clock"),
    (-5.1, "5.0 time: 5.1 s behind this machine's clock"),
    (-3600.0, "5.0 time: 3600.0 s behind this machine's clock"),
  ])
  func `a time other than the local clock's is doubted if that clock is right`(
    seconds: Double, line: String
  ) {
    #expect(told(clockError: 0.02, change: ahead(seconds)) == [line])
    #expect(told(change: ahead(seconds)) == [])
  }

  @Test(arguments: [0.85, 0, -0.6, -4.9])
  func `a time that is late or early by less is honest`(seconds: Double) {
    #expect(told(clockError: 0, change: ahead(seconds)) == [])
  }

  @Test func `a time is honest if it is off by less than the local clock may be`() {
    #expect(told(clockError: 1, change: ahead(1.85)) == [])
    #expect(told(clockError: 1, change: ahead(-5.95)) == [])
    #expect(
      told(clockError: 1, change: ahead(1.95)) == [
        "5.0 time: 2.0 s ahead of this machine's clock"
      ])
  }

  @Test func `the local clock is checked once a minute, and only if a time is off`() {
    let asked = Mutex<[Int]>([])
    let now = Mutex(0)
    var story = DoubtStory(clockError: {
      let second = now.withLock(\.self)
      asked.withLock { $0.append(second) }
      return second < 100 ? nil : 0
    })
    for second in 0..<300 {
      now.withLock { $0 = second }
      story.fix(Double(second)) { fix in
        fix.received = fix.time?.advanced(by: .seconds(second < 10 || second > 200 ? 0.2 : -18))
      }
    }
    #expect(asked.withLock(\.self) == [10, 70, 130, 190])
    #expect(
      story.told == ["132.0 time: 18.0 s ahead of this machine's clock", "203.0 none"])
  }

  @Test func `another source is compared with the same clock`() {
    var watch = Watch(clockError: { 0 })
    var events: [(Double, LocationEvent)] = (0..<20).map { second in
      var fix = Reports.locationFix(Double(second))
      fix.received = fix.time?.advanced(by: .seconds(second < 10 ? 0.2 : -18))
      return (Double(second), .fix(fix))
    }
    events.insert((4.5, .selected("b", previous: nil)), at: 5)
    #expect(
      watch.play(events).filter { $0.contains("doubt") } == ["12.0 a doubt none > time"])
  }

  @Test func `updates ask the clock of their provider`() async throws {
    let clock = LocationClock(
      now: { Reports.moment(100) }, wallError: { 0 }, sleepUntil: { _ in })
    let batches: [[(Double, LocationEvent)]] = (0..<20).map { second in
      var fix = Reports.locationFix(Double(second))
      fix.received = fix.time?.advanced(by: .seconds(-18))
      return [(Double(second), .fix(fix))]
    }
    let source = BatchSource(batches: batches, clock: clock)
    var told: [[Doubt]] = []
    for try await case .change(let change) in source.updates() {
      if case .doubt(let doubts, _, _) = change.kind { told.append(doubts) }
    }
    #expect(told == [[.time]])
  }

  /// Returns the seconds of the fixes that are believed, of one each second, whose time is ahead of the local clock.
  /// Without a number, the fix has no time.
  private func believed(clockError: Double?, ahead: [Double?]) async throws -> [Int] {
    let clock = LocationClock(
      now: { Reports.moment(100) }, wallError: { clockError }, sleepUntil: { _ in })
    let batches = ahead.enumerated().map { second, ahead in
      var fix = Reports.locationFix(Double(second))
      fix.received = fix.time?.advanced(by: .seconds(-(ahead ?? 0)))
      if ahead == nil { fix.time = nil }
      return [(Double(second), LocationEvent.fix(fix))]
    }
    let updates = BatchSource(batches: batches, clock: clock).updates(
      LocationRequest(onlyBelieved: true))
    var seconds: [Int] = []
    for try await case .fix(let fix) in updates {
      let sent = try #require(fix.time ?? fix.received)
      seconds += ahead.indices.filter { Reports.time(Double($0)) == sent }
    }
    return seconds
  }

  /// Weeks that are counted from zero again, 31 days, 46 years, and a time that is sent again after 58 minutes.
  @Test(arguments: [619_315_200.0, 2_678_400, -1_450_656_000, -3481])
  func `no fix is believed whose time a correct clock contradicts, not even the first`(
    seconds: Double
  ) async throws {
    let wrong = Array(repeating: seconds, count: 8)
    #expect(try await believed(clockError: 0.02, ahead: wrong) == [])
    #expect(try await believed(clockError: 0.02, ahead: [seconds, seconds, 0.2, 0.3]) == [2, 3])
    guard abs(seconds) < 100_000_000 else { return }
    #expect(try await believed(clockError: nil, ahead: wrong) == Array(0..<8))
  }

  @Test func `a fix whose own time is right is believed while another one's is not`() async throws {
    let times = [0.2, -3481, 0.2, 3481, -4.9, 0.85, -3481, nil]
    #expect(try await believed(clockError: 0.02, ahead: times) == [0, 2, 4, 5, 7])
  }

  @Test func `a time that is wrong at first, once or in a backlog is honest`() {
    let told = told(clockError: 0, 0..<40) { fix, second in
      let isWrong = second < 3 || second == 10 || second == 11
      fix.received = fix.time?.advanced(by: .seconds(isWrong ? 18 : 0.2))
      if second > 20, second < 30 {
        fix.received = fix.time?.advanced(by: .seconds(18))
        fix.isCurrent = false
      }
    }
    #expect(told == [])
  }

  @Test func `a date that is off by 1,024 weeks is doubted by any clock, unless that may be wrong`()
  {
    let weeks = Duration.seconds(1024 * 7 * 86_400)
    let told = told { fix, _ in
      fix.received = fix.time
      fix.time = fix.time?.advanced(by: .zero - weeks)
    }
    #expect(told == ["5.0 time: 619315200.0 s behind this machine's clock"])
    let late = ahead(-weeks.inSeconds)
    #expect(self.told(change: late) == [])
    #expect(
      self.told(clockError: 0, change: late)
        == ["5.0 time: 619315200.0 s behind this machine's clock"])
    let early = self.told { fix, _ in
      fix.received = fix.time
      fix.time = fix.time?.advanced(by: weeks)
    }
    #expect(early == ["5.0 time: 619315200.0 s ahead of this machine's clock"])
  }

  @Test func `a time that is wrong more often than right is doubted`() {
    func told(_ isWrong: (Int) -> Bool) -> [String] {
      self.told(clockError: 0, 0..<60) { fix, second in
        fix.received = fix.time?.advanced(by: .seconds(isWrong(Int(second)) ? 3600 : 0.2))
      }.map { String($0.prefix { $0 != ":" }) }
    }
    // Two of three, from the fourth fix on: 1 0 1 2 1 2 3.
    #expect(told { $0 % 3 != 1 } == ["9.0 time"])
    #expect(told { $0 % 2 == 0 } == [])
    #expect(told { $0 % 3 == 0 } == [])
    #expect(told { $0 < 20 && $0 % 3 != 1 } == ["9.0 time", "21.0 none"])
    #expect(told { $0 >= 20 || $0 % 3 != 1 } == ["9.0 time"])
  }

  @Test func `interference near the end of the scale is doubted`() {
    let levels = [199, 199, 200, 180, 150, 149, 255, nil]
    let told = told(0..<8) { fix, second in fix.interference = levels[Int(second)] }
    #expect(
      told == [
        "2.0 interference: 200 of 255", "5.0 none", "6.0 interference: 255 of 255", "7.0 none",
      ])
  }

  @Test func `places are not compared while interference or the sky is doubted`() {
    let told = told(0..<140) { fix, second in
      if 100..<130 ~= second { fix.interference = 255 }
      if 105..<110 ~= second { fix.coordinate = fix.coordinate.moved(by: 14_000, bearing: 90) }
    }
    #expect(told == ["100.0 interference: 255 of 255", "130.0 none"])
    var story = DoubtStory()
    story.fixes(0..<100)
    let below = (1...4).map {
      Satellite(prn: $0, elevation: -30, azimuth: 90, signalStrength: 40, isUsed: true)
    }
    for second in 100..<120 {
      story.sky(Double(second), below)
      story.fix(Double(second), east: 110..<115 ~= second ? 14_000 : 0)
    }
    #expect(story.told == ["105.0 sky: satellites in use are below the horizon"])
  }

  @Test func `nothing is said of what only the provider doubts`() {
    var story = DoubtStory()
    story.fix(0)
    story.fix(1) { $0.doubts = Doubt.allCases }
    #expect(
      story.told == [
        "1.0 jump,frozen,height,sky,time,interference,estimated,simulated,stored,zero,claim"
      ])
  }

  @Test func `what is simulated or stored is doubted at once`() {
    let told = told(0..<6) { fix, second in
      fix.quality = [nil, .simulated, .simulated, .timeOnly, .dgps, .pCode][Int(second)]
    }
    #expect(told == ["1.0 simulated", "3.0 stored", "4.0 none"])
  }

  @Test func `what is estimated is doubted when no tunnel is so long`() {
    let told = told(0..<500) { fix, second in
      if 100..<450 ~= second { fix.quality = .deadReckoning }
    }
    #expect(told == ["399.0 estimated: for 300 s", "450.0 none"])
    // A pause of the receiver counts for a minute.
    var story = DoubtStory()
    for second in stride(from: 0.0, to: 6000, by: 600) {
      story.fix(second) { $0.quality = .deadReckoning }
    }
    #expect(story.told == ["3000.0 estimated: for 300 s"])
    // The time begins with the first position.
    #expect(
      self.told(0..<310) { fix, _ in fix.quality = .deadReckoning } == [
        "300.0 estimated: for 300 s"
      ])
  }

  @Test func `a stored place is not compared with a measured one`() {
    var story = DoubtStory()
    story.fixes(0..<100)
    story.fixes(100..<110) { _ in
      50_000
    } change: { fix, _ in
      fix.quality = .timeOnly
    }
    story.fixes(110..<120)
    #expect(story.told == ["100.0 stored", "110.0 none"])
  }

  @Test func `a place that is not measured has no doubt of measured ones`() {
    var story = DoubtStory()
    story.fixes(0..<100, change: { fix, _ in fix.ellipsoidalAltitude = 500 })
    let below = (1...4).map {
      Satellite(prn: $0, elevation: -30, azimuth: 90, signalStrength: 40, isUsed: true)
    }
    for second in 100..<114 {
      story.sky(Double(second), below)
      story.fix(Double(second), east: 1000, speed: 9) { fix in
        fix.ellipsoidalAltitude = 900
        if second == 112 { fix.quality = .timeOnly }
      }
    }
    let told = story.told.map { $0.prefix { $0 != ":" } }
    #expect(
      told == [
        "100.0 jump,height", "105.0 jump,height,sky", "110.0 jump,frozen,height,sky",
        "112.0 stored", "113.0 jump,frozen,height,sky",
      ])
  }

  @Test func `a gap explains a distance if only the receiver's time is known`() {
    var story = DoubtStory()
    story.fixes(0..<100)
    story.fix(99, east: 167) { fix in
      fix.time = Reports.time(75_598)
      fix.timeJump = .seconds(75_499)
    }
    #expect(story.told == [])
  }

  @Test func `a time that jumps by itself does not explain a distance`() {
    var story = DoubtStory()
    story.fixes(0..<100)
    story.fixes(100..<110) { _ in
      5000
    } change: { fix, second in
      fix.time = fix.time?.advanced(by: .seconds(36_000))
      if second == 100 { fix.timeJump = .seconds(36_000) }
    }
    #expect(story.told == ["100.0 jump: 5.0 km in 1 s, while it reported 0.0 m/s"])
  }

  @Test func `a distance that a backlog explains is honest`() {
    var machine = DoubtMachine()
    for second in 0..<300 {
      var fix = Reports.locationFix(Double(second))
      fix.coordinate = fix.coordinate.moved(by: 30 * Double(second), bearing: 10)
      fix.speed = 30
      // From 100 to 200 s nothing is read.
      let moment = 100..<200 ~= second ? 200 : Double(second)
      let isChanged = machine.handle(fix, at: Reports.moment(moment))
      #expect(!isChanged, "\(second)")
    }
  }

  @Test func `places without a time that come all at once are not compared`() {
    var machine = DoubtMachine()
    for longitude in [8.0, 9, 150, -170] {
      var fix = Reports.locationFix(nil)
      fix.coordinate = Coordinate(latitude: 47, longitude: longitude)!
      let isChanged = machine.handle(fix, at: Reports.moment(0))
      #expect(!isChanged)
    }
  }

  @Test func `a time explains a distance although a fix without one came in between`() {
    var machine = DoubtMachine()
    for (second, metres) in [(0, 0), (nil, 0), (100, 3000)] as [(Double?, Double)] {
      var fix = Reports.locationFix(second)
      fix.coordinate = fix.coordinate.moved(by: metres, bearing: 90)
      let isChanged = machine.handle(fix, at: Reports.moment(0))
      #expect(!isChanged, "\(metres) m")
    }
  }

  @Test func `numbers out of any range change nothing`() {
    var story = DoubtStory(clockError: { 0 })
    let numbers = [0, -1, 1e14, -1e14, 9.9e14, .leastNonzeroMagnitude]
    for (index, number) in (numbers + numbers.reversed()).enumerated() {
      story.fix(Double(index) * 1e9, speed: number) { fix in
        (fix[.eph], fix.ellipsoidalAltitude, fix.climbRate, fix.verticalError) = (
          number, number, number, number
        )
        fix.received = Timestamp(nanosecondsSince1970: index % 2 == 0 ? .max : .min)
        fix.time = Timestamp(nanosecondsSince1970: index % 2 == 0 ? .min : .max)
      }
    }
    #expect(story.told.allSatisfy { !$0.contains("nan") && !$0.contains("inf") })
  }
}
