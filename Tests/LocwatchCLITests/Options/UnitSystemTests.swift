import Testing

@testable import LocwatchCLI

@Suite struct UnitSystemTests {
  @Test(arguments: [
    (UnitSystem.metric, 100.0, "m", 36.0, "km/h"), (.imperial, 328.084, "ft", 22.369, "mph"),
    (.nautical, 328.084, "ft", 19.438, "kn"),
  ])
  func `100 m and 10 m/s are these`(
    units: UnitSystem, length: Double, lengthName: String, speed: Double, speedName: String
  ) {
    #expect(abs(units.length(100) - length) < 0.001)
    #expect(units.lengthName == lengthName)
    #expect(abs(units.speed(10) - speed) < 0.001)
    #expect(units.speedName == speedName)
  }
}
