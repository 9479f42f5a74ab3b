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

  @Test func isSilentWhenTheBoatPasses() async throws {
    try await withVirtualTime { clock in
      let abeam = harbour.moved(by: 1000, bearing: 180)
      let course = [abeam.moved(by: 3000, bearing: 270), abeam.moved(by: 3000, bearing: 90)]
      let boat = SimulatedRoute(course, speed: 10, clock: clock.locationClock)
      let alarm = ArrivalAlarm(at: harbour, radius: 500, provider: boat)
      let fix = try await clock.whileAdvancing { try await alarm.arrival() }
      #expect(fix == nil)
    }
  }

  @Test func goesOnWhenGPSDComesBack() async throws {
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(
        clock: clock,
        scripts: [.fail(LocationError(.unreachable, "connection refused"))],
        [.event(.fix(.at(latitude: 48.2, longitude: 16.37)))])
      let alarm = ArrivalAlarm(at: harbour, radius: 500, provider: source)
      let fix = try await clock.whileAdvancing { try await alarm.arrival() }
      #expect(fix?.coordinate == harbour)
    }
  }
}
