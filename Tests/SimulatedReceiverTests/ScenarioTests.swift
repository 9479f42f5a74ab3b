import Glibc
import SimulatedReceiver
import Testing

@Suite struct `A scenario` {
  private func fixes(_ scenario: Scenario) -> String {
    (0..<scenario.length).map { index in
      switch scenario.epoch(at: index)?.fix {
      case nil: scenario.isPresent(at: index) ? "." : "x"
      case .some(.none): "1"
      case .twoDimensional: "2"
      case .threeDimensional: "3"
      }
    }.joined()
  }

  @Test func `A scenario that repeats begins again, and its time continues`() throws {
    var scenario = Scenario.tunnel
    scenario.repeats = true
    let fixes = (0..<30).map { scenario.epoch(at: $0)?.fix == .threeDimensional }
    #expect(fixes == (0..<30).map { !(5..<10).contains($0 % 15) })
    #expect(
      scenario.epoch(at: 15)?.time == scenario.epoch(at: 0)?.time.advanced(byMilliseconds: 15_000))
  }

  @Test(arguments: [
    (Scenario.coldStart, "111112222333333"), (.tunnel, "333331111133333"),
    (.unplug, "33333xxxxx3333333333"), (.silence, "33333....................33333"),
    (.still, "3333333333"),
  ])
  func `goes from fix to fix`(scenario: Scenario, fixes: String) {
    #expect(self.fixes(scenario) == fixes)
  }

  @Test func `stays in its last phase`() {
    #expect(Scenario.coldStart.epoch(at: 1000)?.fix == .threeDimensional)
  }

  @Test func `has a name of its own`() {
    #expect(Set(Scenario.named.map(\.name)).count == Scenario.named.count)
  }

  @Test(arguments: [
    (Scenario.drive, [0, 1, 2, 3, 4, 5, 6]), (.tenHertz, [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6]),
    (.stuck, [0, 1, 2, 3, 4, 5, 5]), (.hourBack, [0, 1, 2, 3, 4, -3595, -3594]),
    (.yearsAhead, [0, 1, 2, 3, 4, 631_152_005, 631_152_006]),
  ])
  func `has the expected times`(scenario: Scenario, seconds: [Double]) throws {
    let times = try (0..<7).map { try #require(scenario.epoch(at: $0)).time }
    #expect(
      times.map { $0.millisecondsSince1970 - scenario.start.millisecondsSince1970 }
        == seconds.map { Int64($0 * 1000) })
  }

  @Test func `writes a leap of twenty years as the same day`() {
    #expect(Scenario.yearsAhead.sentences(at: 5).last?.text.contains(",201146,") == true)
  }

  @Test func `repeats a stuck epoch byte for byte`() {
    let scenario = Scenario.stuck
    #expect((6..<15).allSatisfy { scenario.bytes(at: $0) == scenario.bytes(at: 5) })
    #expect(scenario.bytes(at: 15) != scenario.bytes(at: 5))
  }

  @Test func `is silent in bytes, too`() {
    #expect(Scenario.silence.bytes(at: 7).isEmpty)
    #expect(Scenario.unplug.bytes(at: 7).isEmpty)
  }

  @Test func `ends every sentence with CRLF`() {
    let text = String(decoding: Scenario.drive.bytes(at: 3), as: UTF8.self)
    #expect(text.hasSuffix("\r\n"))
    #expect(
      text.split(separator: "\r\n").map { $0.prefix(6) } == [
        "$GPGGA", "$GPGSA", "$GPGSV", "$GPGSV", "$GPGSV", "$GPGSV", "$GPVTG", "$GPRMC",
      ])
  }

  @Test func `ends several epochs with either order`() {
    let ends = (0..<3).map { Scenario.severalTPVs.sentences(at: $0).last?.body.prefix(5) }
    #expect(ends == ["GPRMC", "GPGGA", "GPRMC"])
  }

  @Test func `moves as fast, and where to, as it says`() throws {
    for index in 0..<210 {
      let here = try #require(Scenario.drive.epoch(at: index)?.place)
      let next = try #require(Scenario.drive.epoch(at: index + 1)?.place)
      // Metres in a degree at 48.12 degrees north.
      let north = (next.latitude - here.latitude) * 111_208.7
      let east = (next.longitude - here.longitude) * 74_440.4
      #expect(abs(hypot(north, east) - here.speed) < 0.01)
      let course = atan2(east, north) * 180 / .pi
      // Half of what a second turns by is 0.86 degrees.
      let turn = (course - here.course + 540).truncatingRemainder(dividingBy: 360) - 180
      #expect(abs(turn - 0.86) < 0.01)
    }
  }
}
