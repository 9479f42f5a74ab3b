import LocationCore
import TestSupport
import Testing

/// Places that contradict each other, and which of them is believed.
///
/// Fault 133.
@Suite struct `Of places that contradict each other, the one with more evidence is believed` {
  @Test(arguments: DoubtMixture.Lie.allCases)
  func `whichever came first, and however often the other is reported`(lie: DoubtMixture.Lie) {
    for rate in isReleaseBuild ? [1, 4, 10] : [1, 4] {
      for share in [0.01, 0.05, 0.1, 0.2, 0.3, 0.4] {
        for isFirstFalse in [true, false] {
          var mixture = DoubtMixture(
            lie: lie, isFalse: DoubtMixture.regular(share, count: 200 * rate), rate: rate)
          mixture.isFalse[0] = isFirstFalse
          let count = mixture.count()
          let name: Comment = "\(share) at \(rate) Hz, the first \(!isFirstFalse)"
          #expect(count.false.believed == 0, name)
          #expect(count.true.believed == count.true.all, name)
        }
      }
    }
  }

  @Test func `in whatever order they come`() {
    for seed in 1...(isReleaseBuild ? 200 : 20) as ClosedRange<UInt64> {
      var random = SplitMix(state: seed)
      let share = 0.3 * random.next()
      var mixture = DoubtMixture(isFalse: random.flags(share, count: 240), seed: seed)
      if seed % 3 == 0 { mixture.lie = .manyPlaces }
      let believed = mixture.believed()
      #expect(Array(believed[60...]) == mixture.isFalse[60...].map(!), "\(seed)")
      // The first two, and then each pair of the first minute, are exchanged.
      for pairs in [1, 30] {
        var other = mixture
        for pair in 0..<pairs { other.isFalse.swapAt(2 * pair, 2 * pair + 1) }
        #expect(other.believed()[60...] == believed[60...], "\(seed), \(pairs)")
      }
      var reversed = mixture
      reversed.isFalse.reverse()
      let backwards: [Bool] = reversed.believed().reversed()
      #expect(backwards[60..<180] == believed[60..<180], "\(seed)")
    }
  }

  /// If 40 % of the fixes are false, a minute at 1 Hz has too few fixes to be certain: in 2 runs of 100, the false
  /// place is the first that leads by 10 s, by chance. It is then believed until it loses its lead.
  @Test(arguments: [1, 4]) func `if two of five are false, at random positions`(rate: Int) {
    var (truths, lies) = ((believed: 0, all: 0), (believed: 0, all: 0))
    let runs = (isReleaseBuild ? 400 : 60) / rate
    for seed in 1...UInt64(runs) {
      var random = SplitMix(state: seed)
      let mixture = DoubtMixture(
        isFalse: random.flags(0.4, count: 600 * rate), rate: rate, seed: seed)
      let count = mixture.count()
      truths = (truths.believed + count.true.believed, truths.all + count.true.all)
      lies = (lies.believed + count.false.believed, lies.all + count.false.all)
    }
    let shares = (
      Double(truths.believed) / Double(truths.all), Double(lies.believed) / Double(lies.all)
    )
    #expect(shares.0 > 0.95, "\(shares)")
    #expect(rate == 1 ? shares.1 < 0.005 : lies.believed == 0, "\(shares)")
  }

  @Test(arguments: [10, 20, 25, 29, 30, 31, 35, 45])
  func `if the first one is false, and one in several after it`(interval: Int) {
    for lie in [DoubtMixture.Lie.onePlace, .zero, .manyPlaces] {
      let mixture = DoubtMixture(
        lie: lie, isFalse: (0..<600).map { $0.isMultiple(of: interval) })
      let believed = mixture.believed()
      // Until the first contradiction, there is nothing to compare.
      let wrong = believed.indices.filter { believed[$0] == mixture.isFalse[$0] }
      #expect(wrong.allSatisfy { $0 < 15 }, "\(lie): \(wrong)")
    }
  }

  /// What is reported of a receiver that is elsewhere for some seconds, and then at home.
  private func told(falseFor seconds: Int) -> [String] {
    var story = DoubtStory()
    story.fixes(0..<100) { $0 < Double(seconds) ? 14_000 : 0 }
    return story.told.map { String($0.prefix { $0 != ":" }) }
  }

  @Test func `after 10 s more than the other, and after 30 s if that was believed`() {
    #expect(told(falseFor: 1) == ["1.0 jump", "11.0 none"])
    #expect(told(falseFor: 5) == ["5.0 jump", "15.0 none"])
    #expect(told(falseFor: 10) == ["10.0 jump", "20.0 none"])
    // What has led for less than 30 s is believed no more once it does not lead.
    #expect(told(falseFor: 11) == ["11.0 jump", "21.0 none"])
    #expect(told(falseFor: 30) == ["30.0 jump", "50.0 none"])
    #expect(told(falseFor: 31) == ["31.0 jump", "61.0 none"])
  }

  @Test func `and until then both are doubted`() {
    var story = DoubtStory()
    for second in 0..<6 { story.fix(Double(second), east: second % 2 == 0 ? 0 : 14_000) }
    #expect(story.told.map { String($0.prefix { $0 != ":" }) } == ["1.0 jump"])
    for second in 6..<20 { story.fix(Double(second), east: 14_000) }
    #expect(story.told.last == "14.0 none")
  }

  @Test func `and a place is forgotten after a minute and ten fixes at another`() {
    // If the place is known, its first fix counts.
    func believed(every interval: Int, fixesBetween count: Int) -> String? {
      var story = DoubtStory()
      story.fixes(0..<100)
      story.fix(100, east: 14_000_000)
      for number in 1...count + 32 {
        story.fix(Double(100 + number * interval), east: number <= count ? 0 : 14_000_000)
      }
      return story.told.last { $0.hasSuffix("none") }
    }
    #expect(believed(every: 1, fixesBetween: 60) == "190.0 none")
    #expect(believed(every: 1, fixesBetween: 61) == "192.0 none")
    #expect(believed(every: 61, fixesBetween: 10) == "\(100 + 61 * 16).0 none")
    #expect(believed(every: 61, fixesBetween: 11) == "\(100 + 61 * 18).0 none")
  }

  @Test func `and of those that follow`() {
    var story = DoubtStory()
    story.fixes(0..<60)
    // It goes somewhere else and further, and back to the second place: each has to agree by itself.
    story.fixes(60..<80) { _ in 14_000 }
    story.fixes(80..<90) { _ in 30_000 }
    story.fixes(90..<140) { _ in 14_000 }
    #expect(story.told.map { String($0.prefix { $0 != ":" }) } == ["60.0 jump", "109.0 none"])
  }

  /// Returns when a place is believed, after a receiver that stood for 100 s was at several, for some seconds each.
  private func believed(_ places: (metres: Double, seconds: Int)...) -> String? {
    var story = DoubtStory()
    story.fixes(0..<100)
    var second = 100
    for (metres, seconds) in places {
      story.fixes(second..<second + seconds) { _ in metres }
      second += seconds
    }
    return story.told.last
  }

  @Test func `and a further one takes the place of the weakest, or else of the oldest`() {
    // The first fix at a place counts for none. The second place loses its 4 s, and needs 30 s from 116 s on: 17 s are
    // left of where the receiver stood.
    #expect(believed((14_000, 10), (30_000, 5), (46_000, 1), (30_000, 45)) == "146.0 none")
    // It keeps its 9 s, and the first place loses its 4 s.
    #expect(believed((14_000, 5), (30_000, 10), (46_000, 1), (30_000, 45)) == "136.0 none")
    // The first place keeps its 9 - 4 s.
    #expect(believed((14_000, 10), (30_000, 5), (46_000, 1), (14_000, 45)) == "140.0 none")
    // Both have 4 s, and the second was there last.
    #expect(believed((14_000, 9), (30_000, 5), (46_000, 1), (30_000, 45)) == "140.0 none")
    #expect(believed((14_000, 9), (30_000, 5), (46_000, 1), (14_000, 45)) == "145.0 none")
  }

  @Test func `even if it is there for two of three seconds only`() {
    var story = DoubtStory()
    story.fixes(0..<100)
    story.fixes(100..<190) { ($0 - 100).truncatingRemainder(dividingBy: 3) == 2 ? 0 : 14_000 }
    // In each three seconds, the lead of the first place shrinks by two: from 30 s to -30 s in some ninety.
    let told = story.told.map { String($0.prefix { $0 != ":" }) }
    #expect(told.suffix(3) == ["187.0 jump", "188.0 none", "189.0 jump"])
  }

  @Test func `and is doubted again where it was believed before`() {
    var story = DoubtStory()
    story.fixes(0..<200) { Int($0 / 40) % 2 == 0 ? 0 : 14_000 }
    #expect(
      story.told.map { String($0.prefix { $0 != ":" }) } == [
        "40.0 jump", "70.0 none", "80.0 jump", "109.0 none", "120.0 jump", "149.0 none",
        "160.0 jump", "189.0 none",
      ])
  }

  @Test(arguments: [1.0, 2, 5]) func `by the local clock, however fast the receiver's runs`(
    rate: Double
  ) {
    var story = DoubtStory()
    story.fixes(0..<100)
    for second in 100..<140 {
      story.fix(Double(second), east: 500_000) { fix in
        fix.time = Reports.time(100 + rate * (Double(second) - 99))
      }
    }
    #expect(story.told.last == "130.0 none")
  }

  @Test func `and of heights`() {
    var story = DoubtStory()
    for second in 0..<300 {
      story.fix(Double(second)) { fix in
        (fix.ellipsoidalAltitude, fix.climbRate) = (second % 25 == 0 ? 9000 : 500, 0)
      }
    }
    let doubted = story.told.map { String($0.prefix { $0 != ":" }) }
    #expect(doubted.prefix(4) == ["1.0 height", "11.0 none", "25.0 height", "26.0 none"])
    #expect(doubted.count == 2 + 2 * 11)
  }
}

/// Fault 133.
@Suite struct `A position that is doubted by itself` {
  private static let zero = Coordinate(latitude: 0, longitude: 0)!

  @Test func `is exactly 0,0, and no distance from there is doubted`() {
    var story = DoubtStory()
    for second in 0..<40 {
      story.fix(Double(second)) { if second < 10 || second == 20 { $0.coordinate = Self.zero } }
    }
    #expect(story.told == ["0.0 zero", "10.0 none", "20.0 zero", "21.0 none"])
  }

  @Test func `is not near 0,0, nor on the equator or the meridian`() {
    for (latitude, longitude) in [(0.002, 0.001), (0, 1e-7), (-1e-7, 0)] {
      var story = DoubtStory(latitude: latitude, longitude: longitude)
      story.fixes(0..<20)
      #expect(story.told == [])
    }
  }

  /// Whether a number in a fix is doubted.
  private func told(_ change: (inout LocationFix) -> Void) -> String? {
    var story = DoubtStory()
    story.fixes(0..<20)
    story.fix(20, change: change)
    story.fix(21)
    guard story.told.count == 2, story.told[1] == "21.0 none" else { return story.told.first }
    return String(story.told[0].dropFirst(5))
  }

  @Test func `claims more than 8 km/s or an error of more than 3 km`() {
    #expect(told { $0.speed = 500_000 } == "claim: a speed of 500.0 km/s")
    #expect(told { $0.speed = 8000 } == nil)
    #expect(told { $0.speed = 8000.1 } == "claim: a speed of 8.0 km/s")
    #expect(told { $0.climbRate = -8001 } == "claim: a speed of 8.0 km/s")
    #expect(told { $0.climbRate = 8000 } == nil)
    #expect(told { $0[.eph] = 3000 } == nil)
    #expect(told { $0[.eph] = 3001 } == "claim: an error of 3.0 km")
    #expect(told { $0.verticalError = 1e5 } == "claim: an error of 100.0 km")
    #expect(
      told { ($0[.eph], $0[.epx], $0[.epy]) = (nil, 3000, 100) } == "claim: an error of 3.0 km")
  }

  @Test func `does not widen the limits of later positions`() {
    func doubts(_ change: (inout LocationFix) -> Void, for seconds: Int = 1) -> [String] {
      var story = DoubtStory()
      story.fixes(0..<100)
      for second in 0..<seconds { story.fix(Double(100 + second), change: change) }
      story.fix(Double(100 + seconds), east: 529_000)
      return story.told.map { String($0.prefix { $0 != ":" }.drop { $0 != " " }.dropFirst()) }
    }
    #expect(doubts { $0.speed = 500_000 } == ["claim", "jump"])
    #expect(doubts { $0.speed = 7900 } == ["jump"])
    #expect(doubts({ $0[.eph] = 1e6 }, for: 50) == ["claim", "jump"])
    #expect(doubts({ $0[.eph] = 3000 }, for: 50) == ["jump"])
  }

  @Test func `does not delay what is reported of the others`() {
    var story = DoubtStory()
    story.fixes(0..<100)
    story.fixes(100..<110) { _ in 14_000 }
    story.fixes(110..<120, { _ in 14_000 }, change: { fix, _ in fix[.eph] = 1e6 })
    story.fixes(120..<150) { _ in 14_000 }
    let told = story.told.map { String($0.prefix { $0 != ":" }) }
    #expect(told == ["100.0 jump", "110.0 claim", "120.0 jump", "140.0 none"])
  }
}

/// Fault 133.
@Suite struct `What a fix claims widens` {
  /// Returns how far a fix can be from those of 100 s at rest.
  private func limit(_ change: (inout LocationFix) -> Void) -> Double {
    var story = DoubtStory(latitude: 0, longitude: 90)
    story.fixes(0..<100) { _ in
      0
    } change: { fix, _ in
      (fix.ellipsoidalAltitude, fix.climbRate) = (500, 0)
    }
    return story.limit { story, metres in
      story.fix(100, east: metres) { change(&$0) }
    }
  }

  @Test func `the limit by the error up to a kilometre`() {
    #expect(limit { $0[.eph] = 20 } == 50.5)
    #expect(limit { $0[.eph] = 399 } == 998)
    #expect(limit { $0[.eph] = 400 } == 1000.5)
    #expect(limit { $0[.eph] = 3000 } == 1000.5)
  }

  @Test func `the limit by the speed that it can have reached`() {
    #expect(limit { $0.speed = 90 } == 158.5)
    #expect(limit { $0.speed = 100 } == 170.5)
    #expect(limit { $0.speed = 7900 } == 170.5)
  }

  @Test func `the limit of the height in the same way`() {
    func height(_ change: (inout LocationFix) -> Void) -> Double {
      var story = DoubtStory()
      story.fixes(0..<100) { _ in
        0
      } change: { fix, _ in
        (fix.ellipsoidalAltitude, fix.climbRate) = (0, 0)
      }
      return story.limit { story, metres in
        story.fix(100) {
          ($0.ellipsoidalAltitude, $0.climbRate) = (metres, 0)
          change(&$0)
        }
      }
    }
    #expect(height { $0.verticalError = 399 } == 1002.5)
    #expect(height { $0.verticalError = 400 } == 1005)
    #expect(height { $0.verticalError = 3000 } == 1005)
    #expect(height { $0.climbRate = 90 } == 195)
    #expect(height { $0.climbRate = 7900 } == 205)
    // A height above the sea differs by at most 110 m.
    #expect(height { ($0.altitude, $0.ellipsoidalAltitude) = ($0.ellipsoidalAltitude, nil) } == 215)
  }

  @Test func `nothing by a height of the other kind, or none, in between`() {
    func told(_ between: (inout LocationFix) -> Void, seconds: Int) -> [String] {
      var story = DoubtStory()
      for second in 0..<100 {
        story.fix(Double(second)) { fix in
          (fix.ellipsoidalAltitude, fix.climbRate) = (second < 50 ? 500 : 9000, 0)
          if 50..<50 + seconds ~= second { between(&fix) }
        }
      }
      return story.told.map { String($0.prefix { $0 != ":" }) }
    }
    let otherKind = told(
      { ($0.altitude, $0.ellipsoidalAltitude) = ($0.ellipsoidalAltitude, nil) }, seconds: 1)
    #expect(otherKind == ["50.0 height", "80.0 none"])
    #expect(told({ $0.mode = .fix2D }, seconds: 12) == ["62.0 height", "92.0 none"])
  }
}
