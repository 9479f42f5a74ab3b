// snippet: fleet test
import LocationTestKit
import Testing

@Suite struct FleetTests {
  @Test func showsAShipThatIsLost() async throws {
    try await withVirtualTime { clock in
      let fix = LocationFix.at(latitude: 47.37, longitude: 8.54)
      let bow = ScriptedLocationSource(
        clock: clock, scripts: [.event(.fix(fix)), .wait(.seconds(1)), .event(.noFix(NoFix()))])
      let map = Collector<String>()
      await clock.whileAdvancing { await show([("bow", bow)]) { map.add("\($0) \($1)") } }
      #expect(map.values == ["bow connecting", "bow 47.37, 8.54", "bow lost"])
    }
  }
}
// end
