import Testing

@testable import LocationText
@testable import LocwatchSystem

@Suite struct `The environment` {
  private let environment = Environment(["TERM": "xterm", "TERMINAL": "yes"])

  @Test func `has what was given, and nothing else`() {
    #expect(environment["TERM"] == "xterm")
    #expect(environment["PATH"] == nil)
    #expect(environment["PATH", default: "/bin"] == "/bin")
  }

  @Test func `of a child has one variable set, and once`() {
    #expect(
      environment.entries(setting: "TERM", to: "dumb").sorted() == ["TERM=dumb", "TERMINAL=yes"])
  }

  @Test func `of the process is its own`() throws {
    let path = try #require(Environment.ofProcess["PATH"])
    #expect(Environment.ofProcess.entries(setting: "A", to: "b").contains("PATH=\(path)"))
  }
}

@Suite struct UnitSystemTests {
  @Test(arguments: [
    (UnitSystem.metric, 100.0, "m", 36.0, "km/h"), (.imperial, 328.084, "ft", 22.369, "mph"),
    (.nautical, 328.084, "ft", 19.438, "kn"),
  ])
  func `100 m and 10 m/s have values in each system`(
    units: UnitSystem, length: Double, lengthName: String, speed: Double, speedName: String
  ) {
    #expect(abs(units.length(100) - length) < 0.001)
    #expect(units.lengthName == lengthName)
    #expect(abs(units.speed(10) - speed) < 0.001)
    #expect(units.speedName == speedName)
  }
}
