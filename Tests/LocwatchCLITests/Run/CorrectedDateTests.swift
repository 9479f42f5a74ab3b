import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Recordings of a receiver whose dates are 1,024 weeks early.
@Suite(.timeLimit(.minutes(5))) struct `A date that is corrected` {
  private static let start = #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#
  private static let reports = (1...2).flatMap { second in
    [
      "{\"class\":\"LOCWATCH\",\"t\":\(second).000}",
      #"{"class":"TPV","device":"/dev/a","mode":2,"time":"2007-04-06T07:05:0\#(second).000Z","#
        + #""lat":48.5,"lon":11.25}"#,
    ]
  }
  private static let timed = [start, RunLines.version, RunLines.devices] + reports
  private static let untimed =
    [RunLines.version, RunLines.devices] + reports.filter { !$0.contains("LOCWATCH") }

  private func run(_ recording: [String], _ arguments: String...) async throws -> CommandRun {
    let folder = try TemporaryFolder()
    let file = try folder.write(RunLines.text(recording), to: "old.jsonl")
    return try await CommandRun(["--replay", file] + arguments, in: folder)
  }

  @Test func `stays as it is without the option, and without receive times`() async throws {
    let wrong = try await run(Self.timed, "-f", "%time %rollover", "--no-events")
    #expect(wrong.output == "2007-04-06T07:05:01.000Z 1\n2007-04-06T07:05:02.000Z 1\n")
    let unknown = try await run(
      Self.untimed, "--correct-date", "-f", "%time %dateCorrection", "--no-events")
    #expect(unknown.output == "2007-04-06T07:05:01.000Z -\n2007-04-06T07:05:02.000Z -\n")
    #expect(unknown.messages == [])
  }
}
