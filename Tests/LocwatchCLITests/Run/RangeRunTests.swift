import EventLoop
import Foundation
import GPSDLocation
import Glibc
import LocationCore
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchRecordings
@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A run that replays a part of a recording` {
  private let folder: TemporaryFolder
  private let file: String

  /// A fix each second from 07:05:01 to 07:05:03, then silence, and two more from 07:05:58 on. They came when
  /// they were true.
  private static let recording =
    [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, RunLines.version,
      RunLines.devices,
    ]
    + (1...3).flatMap { ["{\"class\":\"LOCWATCH\",\"t\":\($0).000}", RunLines.fix($0)] }
    + (58...59).flatMap { ["{\"class\":\"LOCWATCH\",\"t\":\($0).000}", fix($0)] }

  private static func fix(_ second: Int) -> String {
    RunLines.fix(0).replacing("07:05:00", with: "07:05:\(second)")
  }

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(RunLines.text(Self.recording), to: "drive.jsonl")
  }

  private func run(_ arguments: String..., of file: String? = nil) async throws -> CommandRun {
    try await CommandRun(["--replay", file ?? self.file] + arguments, in: folder)
  }

  @Test func `reports the state at its beginning first, and then what follows`() async throws {
    let run = try await run("--from", "07:05:02.5", "--to", "2026-11-20T07:05:30Z")
    #expect(run.status == .success && run.messages == [])
    #expect(
      run.output == """
        2026-11-20T07:05:02.500Z fix-3d /dev/a
        2026-11-20T07:05:03.000Z fix-3d 48.5 11.25 545.0
        2026-11-20T07:05:08.000Z lost /dev/a silence; last fix 2026-11-20T07:05:03.000Z 48.5 11.25

        """)
    let json = try await self.run("--from", "07:05:02.5", "-j", "--events")
    let first = try #require(json.output?.split(separator: "\n").first)
    #expect(
      first
        == #"{"type":"state","state":"fix-3d","device":"/dev/a","time":"2026-11-20T07:05:02.500Z","#
        + #""received":"2026-11-20T07:05:02.500Z"}"#)
  }

  @Test(arguments: ["08:05:02.5+01:00", "7:05:02.5Z", "02:05:02.5-05:00", "20:05:02.5+13:00"])
  func `begins at a time of day of any zone`(from: String) async throws {
    let run = try await run("--from", from)
    let expected = try await self.run("--from", "2026-11-20T07:05:02.5Z")
    #expect(run.status == .success && run.messages == [] && run.output == expected.output)
  }

  @Test func `begins with a loss if its beginning is in a silence`() async throws {
    let run = try await run("--from", "2026-11-20T08:05:20+01:00")
    #expect(run.status == .success)
    let lines = run.output?.split(separator: "\n") ?? []
    #expect(lines.first?.hasPrefix("2026-11-20T07:05:20.000Z lost /dev/a silence") == true)
    #expect(lines.last == "2026-11-20T07:05:59.000Z fix-3d 48.5 11.25 545.0" && lines.count == 4)
  }

  @Test func `counts fixes, time and the report from its beginning on`() async throws {
    let run = try await run("--from", "07:05:02", "-n", "2", "--no-events", "-f", "%time")
    #expect(run.output == "2026-11-20T07:05:02.000Z\n2026-11-20T07:05:03.000Z\n")
    let limited = try await self.run(
      "--from", "07:05:02", "--duration", "1s", "--no-events", "-f", "%time")
    #expect(limited.status == .success && limited.output == "2026-11-20T07:05:02.000Z\n")
    let report = "\(folder.path)/report.json"
    let reported = try await CommandRun(
      ["--replay", file, "--from", "07:05:02", "--to", "07:05:04", "--report", report], in: folder,
      output: nil)
    #expect(reported.status == .success)
    let json = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: report)))
    let text = "\(json)"
    #expect(text.contains("fixes = 2") || text.contains("\"fixes\": 2"), "\(text)")
  }

  @Test func `is what its counts refer to`() async throws {
    let bad = ["nonsense", String(repeating: "x", count: 70_000)]
    var lines = Self.recording + bad
    lines.insert(contentsOf: bad, at: 4)
    let file = try folder.write(RunLines.text(lines), to: "bad.jsonl")
    func counts(_ arguments: String...) async throws -> [String] {
      let run = try await CommandRun(["--replay", file, "-v"] + arguments, in: folder)
      #expect(run.status == .success)
      return run.counts.filter { !$0.hasSuffix(" 0") }
    }
    #expect(
      try await counts() == [
        "DEVICES reports: 1", "TPV reports: 5", "VERSION reports: 1", "fixes: 5", "bad lines: 2",
        "cut or too long: 2 (140004 bytes)",
      ])
    #expect(
      try await counts("--from", "07:05:02") == [
        "TPV reports: 4", "fixes: 4", "bad lines: 1", "cut or too long: 1 (70002 bytes)",
      ])
    #expect(
      try await counts("--to", "07:05:02") == [
        "DEVICES reports: 1", "TPV reports: 1", "VERSION reports: 1", "fixes: 1", "bad lines: 1",
        "cut or too long: 1 (70002 bytes)",
      ])
  }

  @Test func `says what there is if it ends before the first report`() async throws {
    for arguments in [["--to", "07:04"], ["--to", "2026-11-19"], ["--to", "2026-11-20T07:05"]] {
      let run = try await CommandRun(["--replay", file] + arguments, in: folder)
      #expect(run.status == .badData)
      let message = run.messages.joined()
      #expect(
        message.hasPrefix("\(file) has nothing to 2026-11-")
          && message.hasSuffix(
            "; the part that was read is from 2026-11-20T07:05:00.000Z to 2026-11-20T07:05:59.000Z"),
        "\(message)")
    }
    // A file without times that is not a recording is reported as such.
    let other = try folder.write("hello\n", to: "other")
    let run = try await run("--to", "07:04", of: other)
    #expect(run.status == .badData && run.messages.first?.contains("no gpsd report") == true)
  }

  @Test(arguments: [("38500ms", 1), ("39500ms", 2), ("37s", 0)])
  func `has its time limit from its beginning on, not from its first line`(
    duration: String, fixes: Int
  ) async throws {
    let run = try await run(
      "--from", "07:05:20", "--duration", duration, "--no-events", "-f", "%time")
    #expect(run.status == .success && run.output?.split(separator: "\n").count == fixes)
  }

  @Test(arguments: [("37s", LocwatchSystem.ExitStatus.timedOut), ("39s", .success)])
  func `waits for a fix from its beginning on, not from its first line`(
    timeout: String, status: LocwatchSystem.ExitStatus
  ) async throws {
    let run = try await run("--from", "07:05:20", "--timeout", timeout, "-n", "1", "-f", "%time")
    #expect(run.status == status)
  }

  @Test func `begins with the state of each source, even of one without a line in it`() async throws
  {
    func stamp(_ second: Int, _ source: String) -> String {
      let start = second == 0 ? #","start":"2026-11-20T07:05:00.000Z""# : ""
      return #"{"class":"LOCWATCH","t":\#(second).000\#(start),"source":"\#(source)"}"#
    }
    var lines = [stamp(0, "bow"), RunLines.version, stamp(0, "stern"), RunLines.version]
    for second in 1...3 {
      for source in ["bow", "stern"] { lines += [stamp(second, source), RunLines.fix(second)] }
    }
    for second in 30...40 { lines += [stamp(second, "bow"), Self.fix(second)] }
    let file = try folder.write(RunLines.text(lines), to: "two.jsonl")
    let run = try await CommandRun(
      ["--replay", file, "--from", "07:05:31", "--to", "07:05:33", "-f", "json"], in: folder)
    let output = try #require(run.output)
    #expect(
      output.contains(#"{"type":"state","source":"stern","state":"lost""#)
        && output.contains(#"{"type":"state","source":"bow","state":"fix-3d""#), "\(output)")
  }

  @Test func `says how many lines are missing from it`() async throws {
    var lines = Self.recording
    lines[5] = #"{"class":"LOCWATCH","t":2.000,"lost":446}"#
    let file = try folder.write(RunLines.text(lines), to: "lost.jsonl")
    let named = try folder.write(
      RunLines.text(
        lines.map {
          $0.hasPrefix(#"{"class":"LOCWATCH""#) ? $0.dropLast() + #","source":"a"}"# : $0
        }
        .map { $0.replacing(#","lost":446,"source":"a""#, with: #","source":"a","lost":446"#) }),
      to: "named.jsonl")
    for file in [file, named] {
      let run = try await CommandRun(["--replay", file, "-v"], in: folder)
      #expect(run.messages.contains("lines missing from the recording: 446"), "\(run.messages)")
    }
  }

  @Test func `shows its state at once if it waits for its lines in real time`() async throws {
    let run = try StartedRun([
      "--replay", file, "--from", "07:05:20", "--speed", "0.001", "-o", "\(folder.path)/out",
    ])
    #expect(await comes { folder.text(of: "out")?.contains("\n") == true })
    let lines = folder.text(of: "out")?.split(separator: "\n") ?? []
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("2026-11-20T07:05:20.000Z lost /dev/a silence") == true)
    run.cancel()
    #expect(await run.end() == .interrupted)
  }

  @Test func `fails without a line, and says what there is`() async throws {
    let run = try await run("--from", "07:05:10", "--to", "07:05:20", "-f", "gpx")
    #expect(run.status == .badData && (run.output ?? "") == "")
    #expect(
      run.messages == [
        "\(file) has nothing from 2026-11-20T07:05:10.000Z to 2026-11-20T07:05:20.000Z; the "
          + "part that was read is from 2026-11-20T07:05:00.000Z to 2026-11-20T07:05:59.000Z"
      ])
    let untimed = try folder.write(
      RunLines.text([RunLines.version, #"{"class":"SKY","device":"/dev/a"}"#]), to: "x.jsonl")
    let none = try await self.run("--to", "07:05:10", of: untimed)
    #expect(none.status == .badData && (none.output ?? "") == "")
    #expect(
      none.messages == [
        "\(untimed) has no time of day, so no part of it can be chosen by time"
      ])
  }

  @Test func `is of all sources of a recording`() async throws {
    let lines = (0..<10).flatMap { second in
      ["a", "b"].flatMap { source in
        [
          second == 0
            ? #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z","source":"\#(source)"}"#
            : RunLines.stamp(second, of: source), RunLines.fix(second),
        ]
      }
    }
    let several = try folder.write(RunLines.text(lines), to: "several.jsonl")
    let run = try await run(
      "--from", "07:05:04", "--to", "07:05:06", "-f", "%source %time", "--no-events", of: several)
    #expect(run.status == .success && run.messages == [])
    #expect(
      run.output == "a 2026-11-20T07:05:04.000Z\nb 2026-11-20T07:05:04.000Z\n"
        + "a 2026-11-20T07:05:05.000Z\nb 2026-11-20T07:05:05.000Z\n")
    let states = try await self.run(
      "--from", "07:05:04", "--to", "07:05:06", "--events", of: several)
    #expect(states.output?.split(separator: "\n").count == 2)
    // None of them appears in a part that ends before the first line.
    for part in [["--from", "08:00"], ["--to", "07:00"], ["--from", "06:00", "--to", "07:00"]] {
      let none = try await CommandRun(["--replay", several] + part, in: folder)
      #expect(none.status == .badData && none.messages.count == 1, "\(part)")
    }
  }
}
