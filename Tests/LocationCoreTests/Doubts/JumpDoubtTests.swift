import LocationCore
import Testing

/// Fault 133.
@Suite struct `A position that jumps` {
  @Test func `is doubted, and believed when it is back`() {
    var story = DoubtStory()
    story.fixes(0..<100) { second in second == 80 ? 120 : 0 }
    #expect(
      story.told == ["80.0 jump: 120 m in 1 s, while it reported 0.0 m/s", "81.0 none"])
  }

  @Test(arguments: FixQuality.all)
  func `is doubted if it is measured, in whatever way`(quality: FixQuality) {
    var story = DoubtStory()
    story.fixes(0..<100, { $0 == 80 ? 120 : 0 }, change: { fix, _ in fix.quality = quality })
    let isMeasured = ![.deadReckoning, .timeOnly, .simulated].contains(quality)
    #expect(story.told.contains { $0.hasPrefix("80.0 jump") } == isMeasured)
  }

  @Test func `is reported with the time since the last position, not since a mark before it`() {
    var story = DoubtStory()
    story.fixes(0..<100) { second in second < 98 ? -20 : 0 }
    story.fix(102.004, east: 900)
    #expect(story.told == ["102.004 jump: 898 m in 3 s, while it reported 0.0 m/s"])
    story = DoubtStory()
    story.fixes(0..<100)
    story.fix(100.5, east: 900)
    #expect(story.told == ["100.5 jump: 898 m in 1.5 s, while it reported 0.0 m/s"])
  }

  @Test func `is believed after half a minute that agrees with itself`() {
    var story = DoubtStory()
    story.fixes(0..<200) { second in
      second < 100 ? 3 * second : 14_500 + 3 * (second - 100)
    } speed: { _ in
      3
    }
    #expect(
      story.told == ["100.0 jump: 14.2 km in 1 s, while it reported 3.0 m/s", "130.0 none"])
  }

  @Test func `to the other side of the Earth is doubted, too`() {
    var story = DoubtStory()
    story.fixes(0..<63)
    for second in 63...65 {
      story.fix(Double(second)) {
        $0.coordinate = Coordinate(latitude: -48, longitude: -168.5)!
      }
    }
    #expect(story.told == ["63.0 jump: 12756.3 km in 1 s, while it reported 0.0 m/s"])
  }

  @Test func `is not doubted for a minute of settling below 300 m`() {
    var story = DoubtStory()
    story.fixes(0..<100) { second in second < 55 ? 200 * (1 - second / 55) : 0 }
    story.fixes(200..<250) { second in second < 205 ? 250 : 0 }
    #expect(story.told == [])
  }

  @Test func `is not doubted on the date line, at a pole and at the speed of a jet`() {
    for (latitude, longitude) in [(0.0, 179.999), (89.999, 0), (-89.99, 90)] {
      var north = DoubtStory(latitude: latitude, longitude: longitude)
      for second in 0..<300 {
        north.fix(Double(second), north: 250 * Double(second), speed: 250)
      }
      var east = DoubtStory(latitude: latitude, longitude: longitude)
      east.fixes(0..<300) {
        250 * $0
      } speed: { _ in
        250
      }
      #expect(north.told + east.told == [])
    }
  }

  @Test(arguments: [0.1, 1, 5, 10, 60])
  func `is not doubted while a car drives, stops and turns`(interval: Double) {
    var story = DoubtStory()
    // It accelerates at 3 m/s² to 30 m/s, brakes, and stands for 20 s.
    func phase(_ second: Double) -> Double { second.truncatingRemainder(dividingBy: 60) }
    func speed(_ second: Double) -> Double {
      let t = phase(second)
      return max(0, t < 20 ? min(3 * t, 30) : min(30, 3 * (40 - t)))
    }
    func place(_ second: Double) -> Double {
      var way = (second / 60).rounded(.down) * 900
      let t = phase(second)
      way += t < 10 ? 1.5 * t * t : t < 30 ? 150 + 30 * (t - 10) : 750
      if t >= 30 { way += t < 40 ? 30 * (t - 30) - 1.5 * (t - 30) * (t - 30) : 150 }
      return way
    }
    story.fixes(0..<1800, every: interval, place, speed: speed)
    #expect(story.told == [])
  }

  @Test func `is noticed without Doppler by the speed of the positions`() {
    var story = DoubtStory()
    story.fixes(0..<100, { 30 * $0 }, speed: { _ in nil })
    story.fix(100, east: 3400, speed: nil)
    #expect(story.told == ["100.0 jump: 429 m in 1 s"])
  }

  @Test func `is not doubted on a ferry while the receiver was off, nor on a flight`() {
    for (hours, metres) in [(2.0, 80_000.0), (12, 9_000_000)] {
      var story = DoubtStory()
      story.fixes(0..<100)
      let begin = 100 + hours * 3600
      story.fixes(Int(begin)..<Int(begin) + 100) { _ in metres }
      #expect(story.told == [])
    }
  }

  @Test func `is doubted after an outage in which it cannot have come so far`() {
    var story = DoubtStory()
    story.fixes(0..<100)
    story.fixes(130..<160) { _ in 6_000_000 }
    #expect(
      story.told == ["130.0 jump: 5778.7 km in 31 s, while it reported 0.0 m/s"])
  }

  @Test func `is not doubted if the receiver's accuracy or scatter explains it`() {
    var story = DoubtStory()
    story.fixes(0..<200) { second in
      second == 150 ? 80 : 0
    } change: { fix, _ in
      fix[.eph] = 40
    }
    story.fixes(200..<400) { second in second.truncatingRemainder(dividingBy: 2) * 30 }
    #expect(story.told == [])
  }

  @Test func `is noticed in a slow drift`() {
    var story = DoubtStory()
    story.fixes(0..<200) { second in max(0, second - 100) * 5 }
    let told = story.told
    #expect(told == ["112.0 jump: 60 m in 12 s, while it reported 0.0 m/s"])
  }
}
