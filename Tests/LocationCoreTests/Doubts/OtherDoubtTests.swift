import LocationCore
import Testing

/// Fault 133.
@Suite struct `Other doubts` {
  private func told(
    isClockRight: Bool = false, _ seconds: Range<Int> = 0..<20,
    change: (inout LocationFix, Double) -> Void
  ) -> [String] {
    var story = DoubtStory(isClockRight: isClockRight)
    story.fixes(seconds, change: change)
    return story.told
  }

  /// Sets by how many seconds the receiver's time is ahead of this machine's clock.
  private func ahead(_ seconds: Double) -> (inout LocationFix, Double) -> Void {
    { fix, _ in fix.received = fix.time?.advanced(by: .seconds(-seconds)) }
  }

  @Test(arguments: [
    (18.0, "5.0 time: 18.0 s ahead of this machine's clock"),
    (0.95, "5.0 time: 1.0 s ahead of this machine's clock"),
    (-3.0, "5.0 time: 3.0 s behind this machine's clock"),
    (-3600.0, "5.0 time: 3600.0 s behind this machine's clock"),
  ])
  func `a time that is not this machine's is doubted if its clock is right`(
    seconds: Double, line: String
  ) {
    #expect(told(isClockRight: true, change: ahead(seconds)) == [line])
    #expect(told(change: ahead(seconds)) == [])
  }

  @Test(arguments: [0.85, 0, -0.6, -2.4])
  func `a time that is late or early by less is honest`(seconds: Double) {
    #expect(told(isClockRight: true, change: ahead(seconds)) == [])
  }

  @Test func `a time that is wrong at first, once or in a backlog is honest`() {
    let told = told(isClockRight: true, 0..<40) { fix, second in
      let isWrong = second < 3 || second == 10 || second == 11
      fix.received = fix.time?.advanced(by: .seconds(isWrong ? 18 : 0.2))
      if second > 20, second < 30 {
        fix.received = fix.time?.advanced(by: .seconds(18))
        fix.isCurrent = false
      }
    }
    #expect(told == [])
  }

  @Test func `a date that is off by 1,024 weeks is doubted by any clock`() {
    let told = told { fix, _ in
      fix.received = fix.time?.advanced(by: .seconds(1024 * 7 * 86_400))
    }
    #expect(told == ["5.0 time: 619315200.0 s behind this machine's clock"])
  }

  @Test func `interference near the end of the scale is doubted`() {
    let levels = [30, 199, 200, 180, 150, 149, 255, nil]
    let told = told(0..<8) { fix, second in fix.jam = levels[Int(second)] }
    #expect(
      told == [
        "2.0 interference: 200 of 255", "5.0 none", "6.0 interference: 255 of 255", "7.0 none",
      ])
  }

  @Test func `what is simulated or stored is doubted at once`() {
    let told = told(0..<6) { fix, second in
      fix.quality = [nil, .simulated, .simulated, .timeOnly, .dgps, .py][Int(second)]
    }
    #expect(told == ["1.0 simulated", "3.0 stored", "4.0 none"])
  }

  @Test func `what is estimated is doubted when no tunnel is so long`() {
    let told = told(0..<500) { fix, second in
      if 100..<450 ~= second { fix.quality = .deadReckoning }
    }
    #expect(told == ["399.0 estimated: for 300 s", "450.0 none"])
  }

  @Test func `a stored place and the measured one are not compared`() {
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

  @Test func `a time that jumps by itself does not explain a way`() {
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

  @Test func `a way that a backlog explains is honest`() {
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

  @Test func `places without a time, all at once, say nothing`() {
    var machine = DoubtMachine()
    for longitude in [8.0, 9, 150, -170] {
      var fix = Reports.locationFix(nil)
      fix.coordinate = Coordinate(latitude: 47, longitude: longitude)!
      let isChanged = machine.handle(fix, at: Reports.moment(0))
      #expect(!isChanged)
    }
  }

  @Test func `numbers out of any range change nothing`() {
    var story = DoubtStory(isClockRight: true)
    let numbers = [0, -1, 1e14, -1e14, 9.9e14, .leastNonzeroMagnitude]
    for (index, number) in (numbers + numbers.reversed()).enumerated() {
      story.fix(Double(index) * 1e9, speed: number) { fix in
        (fix.eph, fix.altHAE, fix.climb, fix.epv) = (number, number, number, number)
        fix.received = Timestamp(nanosecondsSince1970: index % 2 == 0 ? .max : .min)
        fix.time = Timestamp(nanosecondsSince1970: index % 2 == 0 ? .min : .max)
      }
    }
    #expect(story.told.allSatisfy { !$0.contains("nan") && !$0.contains("inf") })
  }
}
