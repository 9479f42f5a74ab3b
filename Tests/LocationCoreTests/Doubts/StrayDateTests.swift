import LocationCore
import Testing

/// Dates among which some are years off.
///
/// Fault 133.
@Suite struct `A date that those around it contradict` {
  private static let day = 86_400.0
  private static let year = 365 * day

  /// Returns what is doubted, if the dates of some fixes are off.
  ///
  /// - Parameters:
  ///   - wrong: By how many seconds the date at a second is off.
  ///   - clock: By how many seconds the local clock is off; `nil` if there is none.
  private func told(
    clock: Double? = 0, from start: Int = -20, _ wrong: (Int) -> Double
  ) -> [String] {
    var story = DoubtStory()
    story.fixes(
      start..<40,
      change: { fix, second in
        let time = fix.time
        fix.received = clock.flatMap { time?.advanced(by: .seconds($0)) }
        fix.time = time?.advanced(by: .seconds(wrong(Int(second))))
      })
    return story.told
  }

  private func told(
    of seconds: [Int], clock: Double? = 0, from start: Int = -20, off error: Double
  ) -> [String] {
    told(clock: clock, from: start) { seconds.contains($0) ? error : 0 }.map {
      String($0.prefix { $0 != ":" })
    }
  }

  @Test func `is doubted`() {
    #expect(
      told { $0 == 20 ? 17 * Self.year : 0 } == [
        "20.0 time: 6205 days after the dates before it", "21.0 none",
      ])
    #expect(
      told { $0 == 20 ? -2 * Self.day : 0 } == [
        "20.0 time: 2 days before the dates before it", "21.0 none",
      ])
    #expect(
      told(of: [20, 21, 30], off: Self.year) == [
        "20.0 time", "22.0 none", "30.0 time", "31.0 none",
      ])
  }

  @Test func `is more than a day off, or a year if only the dates show what has passed`() {
    for sign in [1.0, -1] {
      #expect(told(of: [20], off: sign * Self.day) == [])
      #expect(told(of: [20], off: sign * (Self.day + 1)) == ["20.0 time", "21.0 none"])
      #expect(told(of: [20], clock: nil, off: sign * Self.year) == [])
      #expect(
        told(of: [20], clock: nil, off: sign * (Self.year + 1)) == ["20.0 time", "21.0 none"])
    }
  }

  @Test func `is believed once three fixes more have reported it than the old one`() {
    for clock in [nil, 20 * Self.year] {
      #expect(
        told(of: Array(20..<40), clock: clock, off: -3 * Self.year) == ["20.0 time", "22.0 none"])
      // Of 20, 21, 23, 24 and 26, with 22 and 25 against it.
      let most = (20..<40).filter { $0 % 3 != 1 }
      #expect(told(of: most, clock: clock, off: 3 * Self.year).first == "20.0 time")
      let half = (20..<40).filter { $0 % 2 == 0 }
      let expected = half.flatMap { ["\($0).0 time", "\($0 + 1).0 none"] }
      #expect(told(of: half, clock: clock, off: 3 * Self.year) == expected)
    }
    // Those that differ from each other are no evidence.
    let told = told { $0 < 20 ? 0 : Double($0) * 2 * Self.year }
    #expect(told.map { $0.prefix { $0 != ":" } } == ["20.0 time"])
  }

  @Test func `is believed at once if the local clock confirms it, and not the old one`() {
    #expect(told { $0 < 20 ? -7 * Self.year : 0 } == [])
    #expect(told { $0 < 20 ? 7 * Self.year : 0.9 * Self.day } == [])
    #expect(told(of: Array(20..<40), clock: 0, off: Self.year) == ["20.0 time", "22.0 none"])
  }

  @Test func `is no date of the first thirty fixes, unless the local clock contradicts it`() {
    for seconds in [[0], [0, 1], [1], [29]] {
      let wrong =
        seconds == [0] || seconds == [0, 1]
        ? [] : ["\(seconds[0]).0 time", "\(seconds[0] + 1).0 none"]
      #expect(told(of: seconds, clock: nil, from: 0, off: 5 * Self.year) == [])
      #expect(told(of: seconds, from: 0, off: 5 * Self.year) == wrong)
    }
    #expect(
      told(of: [30], clock: nil, from: 0, off: 5 * Self.year) == ["30.0 time", "31.0 none"])
    // A receiver that starts with the date of its firmware.
    #expect(told(of: Array(0..<20), clock: nil, from: 0, off: -7 * Self.year) == [])
  }

  @Test func `is not one after a pause of any length`() {
    var story = DoubtStory()
    story.fixes(0..<50)
    story.fixes(100_000_000..<100_000_010)
    #expect(story.told == [])
  }

  @Test func `does not doubt a fix without a date`() {
    var story = DoubtStory()
    story.fixes(-30..<10)
    story.fix(10) { $0.time = Reports.time(5 * Self.year) }
    story.fix(11) { $0.time = nil }
    #expect(story.told.map { $0.prefix { $0 != ":" } } == ["10.0 time", "11.0 none"])
  }
}
