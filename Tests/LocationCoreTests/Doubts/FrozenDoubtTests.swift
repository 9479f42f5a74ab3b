import LocationCore
import Testing

/// Fault 133.
@Suite struct `A position that stays the same` {
  @Test func `is doubted after ten seconds at a speed, until it moves`() {
    var story = DoubtStory()
    story.fixes(0..<100) { second in
      second < 20 ? 5 * second : second < 80 ? 100 : 100 + 5 * (second - 80)
    } speed: { _ in
      5
    }
    #expect(
      story.told == ["30.0 frozen: the same for 10 s, while it reported 5.0 m/s", "85.0 none"])
  }

  @Test func `is honest if a receiver holds it while it stands`() {
    var story = DoubtStory()
    story.fixes(0..<7200) { _ in
      0
    } speed: { second in
      second < 3600 ? 0 : 0.9
    }
    #expect(story.told == [])
  }

  @Test(arguments: [1.05, 1.3, 2, 10])
  func `is honest with four decimals`(speed: Double) {
    var story = DoubtStory()
    for second in 0..<900 {
      let way = Double(second) * speed / 2.0.squareRoot()
      story.fix(Double(second), east: way, north: way, speed: speed) { fix in
        let (latitude, longitude) = (fix.coordinate.latitude, fix.coordinate.longitude)
        fix.coordinate = Coordinate(
          latitude: (latitude * 1e4).rounded() / 1e4,
          longitude: (longitude * 1e4).rounded() / 1e4)!
      }
    }
    #expect(story.told == [])
  }

  @Test func `needs ten reports and ten seconds`() {
    var slow = DoubtStory()
    slow.fixes(0..<100, every: 5) { _ in
      0
    } speed: { _ in
      3
    }
    #expect(slow.told == ["50.0 frozen: the same for 50 s, while it reported 3.0 m/s"])
    var fast = DoubtStory()
    fast.fixes(0..<20, every: 0.5) { _ in
      0
    } speed: { _ in
      9
    }
    #expect(fast.told == ["10.0 frozen: the same for 10 s, while it reported 9.0 m/s"])
  }

  @Test func `is not compared with where it was before, until it moves`() {
    var story = DoubtStory()
    story.fixes(0..<100) {
      $0 < 60 ? 0 : 1800 + 30 * ($0 - 60)
    } speed: { _ in
      30
    }
    #expect(
      story.told == ["10.0 frozen: the same for 10 s, while it reported 30.0 m/s", "64.0 none"])
  }

  @Test func `is not doubted if it stood for half of the time`() {
    var story = DoubtStory()
    story.fixes(0..<200) { _ in
      0
    } speed: {
      $0.truncatingRemainder(dividingBy: 2) == 0 ? 0 : 7
    }
    #expect(story.told == [])
  }

  /// Returns what is reported of a position that is the same except in every ninth fix, and moves from 60 s to 80 s.
  private func told(ninth: Double = 0, speed: Double = 5) -> [String] {
    var story = DoubtStory()
    func isNinth(_ second: Double) -> Bool { second.truncatingRemainder(dividingBy: 9) == 8 }
    // The step shows that the position has many digits.
    story.fix(-1, east: 0.5, speed: 5)
    story.fixes(0..<120) {
      60..<80 ~= $0 ? 5 * ($0 - 59) : $0 >= 80 ? 100 : isNinth($0) ? ninth : 0
    } speed: {
      isNinth($0) ? speed : 5
    }
    return story.told.map { String($0.prefix { $0 != ":" }) }
  }

  @Test func `is doubted although one fix of nine differs, until it moves, and again`() {
    #expect(told() == ["10.0 frozen", "64.0 none", "89.0 frozen"])
    #expect(told(ninth: 1e-4) == ["10.0 frozen", "64.0 none", "89.0 frozen"])
    #expect(told(speed: 0.9) == ["12.0 frozen", "64.0 none", "92.0 frozen"])
    #expect(told(ninth: 2) == ["13.0 frozen", "64.0 none", "89.0 frozen"])
  }
}
