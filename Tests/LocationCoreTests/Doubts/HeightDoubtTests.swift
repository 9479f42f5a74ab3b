import LocationCore
import Testing

/// Fault 133.
@Suite struct `A height that jumps` {
  private func story(
    _ seconds: Range<Int>, height: (Double) -> Double, climb: (Double) -> Double?,
    change: (inout LocationFix, Double) -> Void = { _, _ in }
  ) -> [String] {
    var story = DoubtStory()
    story.fixes(
      seconds,
      change: { fix, second in
        fix.ellipsoidalAltitude = height(second)
        fix.climbRate = climb(second)
        change(&fix, second)
      })
    return story.told
  }

  @Test func `is doubted, and believed when it is back`() {
    let told = story(0..<200) {
      $0 >= 100 && $0 < 110 ? 650 : 500
    } climb: { _ in
      0
    }
    #expect(told == ["100.0 height: 145.0 m up", "110.0 none"])
  }

  @Test func `is believed after half a minute`() {
    let told = story(0..<200) {
      $0 < 100 ? 500 : -500
    } climb: { _ in
      0
    }
    #expect(told == ["100.0 height: 995.0 m down", "130.0 none"])
  }

  @Test func `is doubted over three seconds`() {
    let told = story(0..<200) {
      500 + 50 * min(4, max(0, $0 - 100))
    } climb: { _ in
      0
    }
    #expect(told == ["104.0 height: 108.3 m up", "134.0 none"])
  }

  @Test func `is reported after a jump of the same fix`() {
    let told = story(0..<102) {
      $0 < 100 ? 500 : 900
    } climb: { _ in
      0
    } change: { fix, second in
      if second >= 100 { fix.coordinate = fix.coordinate.moved(by: 5000, bearing: 0) }
    }
    #expect(told == ["100.0 jump,height: 5.0 km in 1 s, while it reported 0.0 m/s"])
  }

  @Test func `is honest of a rocket and of a falling receiver`() {
    #expect(
      story(0..<200) {
        200 * max(0, $0 - 100)
      } climb: {
        $0 < 100 ? 0 : 200
      } == [])
    #expect(
      story(0..<200) {
        -60 * max(0, $0 - 100)
      } climb: { _ in
        nil
      } == [])
  }

  @Test func `is honest while the receiver settles, without a height and after an outage`() {
    #expect(
      story(0..<60) {
        $0 < 30 ? 900 : 500
      } climb: { _ in
        0
      } == [])
    #expect(
      story(0..<300) {
        $0 < 120 ? 500 : 900
      } climb: { _ in
        0
      } change: { fix, second in
        if second > 100, second < 121 { fix.mode = .fix2D }
      } == [])
    #expect(
      story(0..<300) {
        $0 < 120 ? 500 : 600
      } climb: { _ in
        0
      } change: { fix, second in
        if second >= 120 { fix.altitude = fix.ellipsoidalAltitude; fix.ellipsoidalAltitude = nil }
      } == [])
  }
}
