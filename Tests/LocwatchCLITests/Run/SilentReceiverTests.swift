import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// Recordings of receivers that fall silent without a position.
@Suite(.timeLimit(.minutes(5))) struct `A receiver that falls silent without a position` {
  private static let sky =
    #"{"class":"SKY","device":"/dev/a","satellites":[{"PRN":5,"el":40,"az":80,"ss":33,"used":false},"#
    + #"{"PRN":9,"el":20,"az":180,"ss":30,"used":false}]}"#
  private static let begin = [
    #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, RunLines.version,
    RunLines.devices,
  ]

  private static func stamp(_ second: Int) -> String {
    "{\"class\":\"LOCWATCH\",\"t\":\(second).000}"
  }

  /// One list of satellites, and then nothing for 116 s.
  private static let once = begin + [sky, stamp(116), RunLines.watch]
  /// Reports without a position for ten seconds, and then nothing for ten minutes.
  private static let searching =
    begin
    + (1...10).flatMap { second in
      [
        stamp(second),
        #"{"class":"TPV","device":"/dev/a","mode":1,"time":"2026-11-20T07:05:\#(second + 10).000Z"}"#,
        sky,
      ]
    } + [stamp(611), RunLines.watch]

  private func run(_ recording: [String], _ arguments: String...) async throws -> String {
    let folder = try TemporaryFolder()
    let file = try folder.write(RunLines.text(recording), to: "silent.jsonl")
    let run = try await CommandRun(["--replay", file] + arguments, in: folder)
    #expect(run.status == .success && run.messages == [])
    return run.output ?? ""
  }

  @Test func `is reported as silent`() async throws {
    #expect(
      try await run(Self.once) == """
        - connecting -
        2026-11-20T07:05:05.000Z searching /dev/a
        2026-11-20T07:06:05.000Z searching /dev/a silence

        """)
    #expect(
      try await run(Self.searching) == """
        - connecting -
        2026-11-20T07:05:11.000Z searching /dev/a
        2026-11-20T07:05:25.000Z searching /dev/a silence

        """)
    let json = try await run(Self.searching, "-j")
    #expect(
      json.hasSuffix(
        #"{"type":"state","state":"searching","previous":"searching","reason":"silence","#
          + #""device":"/dev/a","time":"2026-11-20T07:05:25.000Z","received":"2026-11-20T07:05:15.000Z"}"#
          + "\n"))
  }

  @Test(arguments: [("07:05:14", true), ("07:05:16", false)])
  func `has no satellites in the metrics`(end: String, hasSatellites: Bool) async throws {
    let metrics = try await run(Self.searching, "--to", end, "-f", "prometheus")
    let satellites = #"locwatch_satellites_seen{source="localhost",device="/dev/a",gnss="GPS"} 2"#
    #expect(metrics.contains(satellites) == hasSatellites)
  }
}
