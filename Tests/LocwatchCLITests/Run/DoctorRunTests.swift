import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// `--doctor` from its options to its status.
@Suite(.timeLimit(.minutes(3))) struct DoctorRunTests {
  @Test(arguments: [
    ["--doctor", "192.0.2.1:1"], ["--doctor", "--json", "-q", "192.0.2.1:1"],
  ])
  func `A run writes the findings, and its status shows whether something is wrong`(
    arguments: [String]
  ) async throws {
    let output = try PipeEnds()
    let run = try StartedRun(arguments, on: output.descriptor)
    #expect(await run.end() == .wrong)
    let text = output.takeText()
    #expect(
      arguments.contains("--json")
        ? text.hasPrefix(#"{"type":"check","name":"gpsd","ok":false,"seen":""#)
        : text.hasPrefix("NO gpsd "))
    #expect(
      run.said
        == (arguments.contains("-q")
          ? ""
          : """
          locwatch: listening to gpsd at 192.0.2.1:1 for up to 16 s
          locwatch: gpsd is on another machine: to check that one, run --doctor there

          """))
  }
}
