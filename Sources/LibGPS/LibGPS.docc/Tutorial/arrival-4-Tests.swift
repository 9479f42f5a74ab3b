import Alarm
import LocationTestKit
import Testing

@Suite struct ArrivalAlarmTests {
  let harbour = Coordinate(latitude: 48.2, longitude: 16.37)!

  @Test func ringsWhenTheBoatComesIn() async throws {
    try await withVirtualTime { clock in
      let sea = harbour.moved(by: 5000, bearing: 180)
      let boat = SimulatedRoute([sea, harbour], speed: 10, clock: clock.locationClock)
      let alarm = ArrivalAlarm(at: harbour, radius: 500, provider: boat)
      let fix = try await clock.whileAdvancing { try await alarm.arrival() }
      #expect(try #require(fix).coordinate.distance(to: harbour) < 500)
    }
  }
}
