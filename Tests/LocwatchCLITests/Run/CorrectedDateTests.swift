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

  @Test func `is noted in text and JSON, and once in a message`() async throws {
    let text = try await run(Self.timed, "--correct-date", "--no-events")
    #expect(
      text.output == """
        2026-11-20T07:05:01.000Z fix-2d 48.5 11.25 (corrected: date 1,024 weeks too early)
        2026-11-20T07:05:02.000Z fix-2d 48.5 11.25 (corrected: date 1,024 weeks too early)

        """)
    #expect(text.messages == ["the date of /dev/a is 1,024 weeks too early, and is corrected"])
    let json = try await run(Self.timed, "--correct-date", "-j", "-n", "1", "--no-events")
    #expect(
      json.output == #"{"type":"fix","device":"/dev/a","time":"2026-11-20T07:05:01.000Z","#
        + #""received":"2026-11-20T07:05:01.000Z","age":0.0,"dateCorrection":1,"mode":2,"fix":"2d","#
        + #""lat":48.5,"lon":11.25}"# + "\n")
  }

  @Test func `is believed only if it is corrected, even if it is the first`() async throws {
    let wrong = try await run(Self.timed, "--once", "--believed")
    #expect(wrong.status == .timedOut && wrong.output == "")
    #expect(wrong.messages.last?.hasSuffix("old.jsonl ends before the fix: doubted (time)") == true)
    let corrected = try await run(
      Self.timed, "--once", "--believed", "--correct-date", "-f", "%lat %lon")
    #expect(corrected.status == .success && corrected.output == "48.5 11.25\n")
  }

  @Test func `stays as it is without the option, and without receive times`() async throws {
    let wrong = try await run(Self.timed, "-f", "%time %rollover", "--no-events")
    #expect(wrong.output == "2007-04-06T07:05:01.000Z 1\n2007-04-06T07:05:02.000Z 1\n")
    let unknown = try await run(
      Self.untimed, "--correct-date", "-f", "%time %dateCorrection", "--no-events")
    #expect(unknown.output == "2007-04-06T07:05:01.000Z -\n2007-04-06T07:05:02.000Z -\n")
    #expect(unknown.messages == [])
  }

  @Test(arguments: [
    (#","sync":1"#, "2026-11-20T07:05:01.000Z 1"), (#","sync":0"#, "2007-04-06T07:05:01.000Z -"),
    ("", "2026-11-20T07:05:01.000Z 1"),
  ])
  func `is so by a clock that was kept right`(sync: String, expected: String) async throws {
    var lines = Self.timed
    lines[0] = Self.start.dropLast() + sync + "}"
    let run = try await run(
      lines, "--correct-date", "-f", "%time %dateCorrection", "--no-events", "-n", "1")
    #expect(run.output == expected + "\n")
  }

  @Test func `is so from when the clock is kept right`() async throws {
    var lines = Self.timed
    lines[0] = Self.start.dropLast() + #","sync":0}"#
    lines[5] = #"{"class":"LOCWATCH","t":2.000,"start":"2026-11-20T07:05:00.000Z","sync":1}"#
    let run = try await run(lines, "--correct-date", "-f", "%time", "--no-events")
    #expect(run.output == "2007-04-06T07:05:01.000Z\n2026-11-20T07:05:02.000Z\n")
  }

  @Test func `is not so by a clock that was ahead of this machine's`() async throws {
    // A recording of 2046 does not say whether its clock was right.
    let lines = Self.timed.map { $0.replacing("2026-11-20", with: "2246-07-06") }
      .map { $0.replacing("2007-04-06", with: "2226-11-20") }
    let run = try await run(
      lines, "--correct-date", "-f", "%time %dateCorrection", "--no-events", "-n", "1")
    #expect(run.output == "2226-11-20T07:05:01.000Z -\n")
  }

  @Test func `is not known to be wrong without receive times, not even in a report`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = try folder.write(RunLines.text(Self.untimed), to: "old.jsonl")
    let run = try await CommandRun(
      [
        "--replay", file, "--report", "\(folder.path)/report.json", "-f", "%time %rollover",
        "--no-events",
      ], in: folder)
    #expect(run.output == "2007-04-06T07:05:01.000Z -\n2007-04-06T07:05:02.000Z -\n")
    #expect(!run.messages.joined().contains("weeks"))
    let report = try #require(folder.text(of: "report.json"))
    #expect(report.contains(#""fixes":2,"#) && report.contains(#""from":"2007-04-06T07:0"#))
    #expect(!report.contains("rollover") && !report.contains("eras"))
  }
}
