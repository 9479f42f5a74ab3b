// snippet: gate test
import LocationTestKit
import Testing

@Suite struct GateTests {
  @Test func opensWhileTheVehiclePasses() async throws {
    try await withVirtualTime { clock in
      let gate = Coordinate(latitude: 47.37, longitude: 8.54)!
      let road = [gate.moved(by: 1000, bearing: 270), gate.moved(by: 1000, bearing: 90)]
      let vehicle = SimulatedRoute(road, speed: 10, clock: clock.locationClock)
      let positions = Collector<Bool>()
      await clock.whileAdvancing {
        try? await operate(gate, for: vehicle, open: positions.add)
      }
      #expect(positions.values == [false, true, false])
    }
  }
}
// end
