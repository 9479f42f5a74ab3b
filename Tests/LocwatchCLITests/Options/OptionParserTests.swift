import GPSDLocation
import LocationCore
import Testing

@testable import LocwatchCLI

@Suite struct OptionParserTests {
  @Test func `Nothing on the line watches the local gpsd`() throws {
    let options = try Options(arguments: [])
    #expect(options == Options())
    #expect(options.target == .gpsd(GPSDEndpoint(host: "localhost", port: 2947), device: nil))
    #expect(options.timeout == nil)
    #expect(options.reconnects)
  }

  @Test(arguments: OptionCase.all)
  func `An option sets its value`(example: OptionCase) throws {
    var expected = Options()
    example.change(&expected)
    #expect(try Options(arguments: example.arguments) == expected)
  }

  @Test(arguments: [
    (["-1j"], ["--once", "--json"]),
    (["-n5"], ["--count", "5"]),
    (["-n1"], ["-1"]),
    (["-jn", "5"], ["--json", "--count=5"]),
    (["-qt2m"], ["--quiet", "--timeout=120s"]),
    (["-n", "3", "-n", "4"], ["-n4"]),
    (["--", "host"], ["host"]),
    (["-d", "/dev/x", "host:1"], ["host:1:/dev/x"]),
  ])
  func `Options can be written in several ways`(one: [String], other: [String]) throws {
    #expect(try Options(arguments: one) == Options(arguments: other))
  }

  @Test(arguments: [
    ["--help"], ["-h"], ["-jh"], ["--jsn", "--help"], ["--count", "x", "a", "b", "--help"],
    ["--timeout", "--help"], ["-t", "-h"], ["-xh"], ["--events", "--no-events", "-h"],
    ["--generate", "man", "--help"], ["--help", "--generate", "man"], ["--help", "--version"],
  ])
  func `Help wins over everything else`(arguments: [String]) throws {
    #expect(try Options(arguments: arguments).action == .help)
  }

  @Test(arguments: [["--version"], ["--jsn", "--version"], ["--version", "--help", "a", "b"]])
  func `The version wins as well`(arguments: [String]) throws {
    #expect(try Options(arguments: arguments).action == .version)
  }

  @Test func `After two dashes nothing is an option`() {
    #expect(throws: UsageError.self) { try Options(arguments: ["--", "--help", "b"]) }
  }

  @Test(arguments: ErrorCase.all)
  func `What is wrong is named`(example: ErrorCase) {
    #expect(throws: UsageError(example.message)) { try Options(arguments: example.arguments) }
  }

  @Test func `An error points to the help`() {
    #expect(UsageError("no").description == "no\nTry 'locwatch --help'.")
  }

  @Test(arguments: [
    ("imperial", UnitSystem.imperial), ("Nautical", .nautical), ("metric", .metric),
    ("parsec", .metric),
  ])
  func `The environment sets the units of the screen, and no others`(
    value: String, units: UnitSystem
  ) throws {
    let environment = ["GPSD_UNITS": value]
    let plain = try Options(arguments: [], environment: Environment(environment))
    #expect(plain.screenUnits == units)
    #expect(plain.units == nil)
    let options = try Options(arguments: ["--units=metric"], environment: Environment(environment))
    #expect(options.screenUnits == .metric)
    #expect(options.units == .metric)
    _ = try Options(arguments: ["--json"], environment: Environment(environment))
  }

  @Test func `One shot fails at once unless it is told to try again`() throws {
    #expect(try !Options(arguments: ["-1"]).reconnects)
    #expect(try Options(arguments: ["-1", "--reconnect"]).reconnects)
    #expect(try !Options(arguments: ["--no-reconnect"]).reconnects)
  }
}
