import EventLoop
import Foundation
import GPSDLocation
import Glibc
import LocationCore
import LocationTestKit
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchSystem

/// A whole run of the command in this process: its output in a file, its messages, and its status.
struct CommandRun {
  let status: LocwatchSystem.ExitStatus
  /// The text of the output; `nil` if none was made.
  let output: String?
  /// The lines on standard error, without the command's name.
  let messages: [String]

  /// The last lines of `--verbose`; empty without it.
  var counts: [String] {
    let first = messages.firstIndex { $0.wholeMatch(of: /\w+ reports: \d+|fixes: \d+/) != nil }
    return first.map { Array(messages[$0...]) } ?? []
  }

  /// - Parameters:
  ///   - arguments: The command line without the output.
  ///   - live: What each gpsd sends.
  init(
    _ arguments: [String], in folder: TemporaryFolder, live: [String] = [],
    output: String? = "out"
  ) async throws {
    let arguments = arguments + (output.map { ["-o", "\(folder.path)/\($0)"] } ?? [])
    let options = try Options(arguments: arguments, environment: [:])
    let pipe = try PipeEnds()
    let loop = try #require(EventLoop.shared)
    let run = Run(
      try options.plan(), log: Log(options, to: pipe.descriptor), environment: [:], loop: loop
    ) { RecordedSession(lines: live) }
    status = await Task(executorPreference: loop) { [run] in await run.run() }.value
    // A pipe is read by the test.
    self.output = output == "pipe" ? nil : output.flatMap { folder.text(of: $0) }
    messages = String(decoding: pipe.readAll(), as: UTF8.self).split(separator: "\n").map {
      String($0.trimmingPrefix("locwatch: "))
    }
  }
}

/// Lines of gpsd, and of recordings.
enum RunLines {
  static let version =
    #"{"class":"VERSION","release":"3.22","rev":"3.22","proto_major":3,"proto_minor":14}"#
  static let devices =
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"/dev/a","driver":"NMEA0183"}]}"#
  static let poll =
    #"{"class":"POLL","time":"2026-11-20T07:05:00.000Z","active":1,"tpv":[\#(fix(0))],"sky":[]}"#

  static func fix(_ second: Int, device: String = "/dev/a") -> String {
    #"{"class":"TPV","device":"\#(device)","mode":3,"time":"2026-11-20T07:05:0\#(second).000Z","#
      + #""lat":48.5,"lon":11.25,"altHAE":592,"altMSL":545,"speed":1,"track":84,"climb":0,"#
      + #""epx":14,"epy":20,"eph":20,"epv":48}"#
  }

  static func stamp(_ seconds: Int, of source: String) -> String {
    #"{"class":"LOCWATCH","t":\#(seconds).000,"source":"\#(source)"}"#
  }

  static func text(_ lines: [String]) -> String { lines.map { $0 + "\r\n" }.joined() }
}

/// Fault 100.
@Suite(.timeLimit(.minutes(5))) struct `A run that replays` {
  private static let recording = [
    RunLines.version, RunLines.devices, RunLines.fix(1), RunLines.fix(2),
  ]
  private static let several = [
    RunLines.stamp(0, of: "a"), RunLines.fix(1), RunLines.stamp(0, of: "b"), RunLines.fix(1),
    RunLines.stamp(1, of: "a"), RunLines.fix(2), RunLines.stamp(1, of: "b"), RunLines.fix(2),
  ]

  private let folder: TemporaryFolder
  private let file: String

  init() throws {
    folder = try TemporaryFolder()
    file = try folder.write(RunLines.text(Self.recording), to: "drive.jsonl")
  }

  /// Runs with the times and sources of fixes as the output.
  private func run(_ arguments: String..., of files: String...) async throws -> CommandRun {
    try await CommandRun(
      ["-f", "%source %device %time", "--no-events"] + arguments
        + files.flatMap { ["--replay", $0] }, in: folder)
  }

  @Test func `reads a compressed file, and says if it is damaged`() async throws {
    let whole = gzip(try String(contentsOfFile: file, encoding: .utf8))
    let zipped = "\(folder.path)/x.gz"
    try Data(whole).write(to: URL(filePath: zipped))
    let plain = try await run(of: file)
    let compressed = try await run(of: zipped)
    #expect(compressed.status == .success && compressed.output == plain.output)
    #expect(compressed.messages == [])
    // The check at its end is missing, and nothing else.
    try Data(whole.dropLast(8)).write(to: URL(filePath: zipped))
    let torn = try await run(of: zipped)
    #expect(torn.status == .success && torn.output == plain.output)
    let damage =
      "the compressed data is damaged or ends too soon; locwatch replays what it can read"
    #expect(torn.messages == ["\(zipped): \(damage)"])
    try Data(whole.prefix(5)).write(to: URL(filePath: zipped))
    let empty = try await run(of: zipped)
    // The file of the output keeps what it had.
    #expect(empty.status == .badData && empty.output == plain.output)
    #expect(empty.messages == ["\(zipped): \(damage)", "\(zipped) is empty"])
  }

  /// As Windows PowerShell writes it.
  @Test func `passes over a byte order mark at the beginning of a recording`() async throws {
    let lines = [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:05:00.000Z"}"#, RunLines.version,
      RunLines.devices, RunLines.fix(1),
    ]
    let folder = try TemporaryFolder()
    func output(_ text: String..., isCompressed: Bool = false) async throws -> [String?] {
      var arguments = ["-j", "--no-events", "-v"]
      for (number, text) in text.enumerated() {
        let path = "\(folder.path)/\(number).jsonl"
        let bytes = Array(text.utf8)
        try Data(isCompressed ? gzip(bytes) : bytes).write(to: URL(filePath: path))
        arguments += ["--replay", path]
      }
      let run = try await CommandRun(arguments, in: folder)
      #expect(run.status == .success)
      return [run.output] + run.counts.filter { !$0.hasSuffix(" 0") }
    }
    let text = RunLines.text(lines)
    let plain = try await output(text)
    #expect(plain[0]?.contains(#""received":"2026-11-20T07:05:00.000Z""#) == true)
    #expect(try await output("\u{FEFF}\(text)") == plain)
    #expect(try await output("\u{FEFF}\(text)", isCompressed: true) == plain)
    #expect(try await output("\u{FEFF}\(text)", "\u{FEFF}\(text)") == output(text, text))
    // It is no mark anywhere else, not even where a block of the file begins.
    let marked = text + String(repeating: "\u{FEFF}\(RunLines.fix(2))\r\n", count: 3000)
    #expect(try await output(marked).contains("bad lines: 3000"))
    for text in ["\u{FEFF}\u{FEFF}\(text)", "\n\u{FEFF}\(text)"] {
      let other = try await output(text)
      #expect(other[0]?.contains("received") == false && other.contains("bad lines: 1"))
    }
  }

  @Test func `has its counts in a report as JSON, and those that are rare if there are any`()
    async throws
  {
    func counts(of lines: [String], _ arguments: String...) async throws -> Substring? {
      let file = try folder.write(RunLines.text(lines), to: "counted.jsonl")
      let report = "\(folder.path)/report.json"
      let run = try await CommandRun(
        ["--replay", file, "--report", report] + arguments, in: folder)
      #expect(run.status == .success && run.counts == [])
      return folder.text(of: "report.json")?.split(separator: #","counts":"#).last
    }
    let always =
      #""badLines":1,"cutLines":0,"elementsLeftOut":0,"impossibleNumbers":0,"recordsDropped":0,"#
      + #""recordsNotWritten":0,"linesMissing":0,"reconnects":0"#
    #expect(
      try await counts(of: Self.recording + ["torn"])
        == #"{"reports":{"DEVICES":1,"TPV":2,"VERSION":1},"fixes":2,\#(always)}}"# + "\n")
    // A line before the first source belongs to none.
    let many = (0..<ReplayEngine.maximumSources + 2).flatMap {
      [RunLines.stamp(0, of: "s\($0)"), RunLines.fix(1)]
    }
    #expect(
      try await counts(of: ["torn"] + many)
        == #"{"reports":{"TPV":1024},"fixes":1024,\#(always),"linesOfTooManySources":2}}"# + "\n")
  }

  // Several sources

  @Test func `of too many sources says how much is left out`() async throws {
    let lines = (0..<ReplayEngine.maximumSources + 2).flatMap {
      [RunLines.stamp(0, of: "s\($0)"), RunLines.fix(1)]
    }
    let file = try folder.write(RunLines.text(lines), to: "fleet.jsonl")
    let run = try await run("-v", of: file)
    #expect(run.status == .success)
    #expect(
      run.messages.contains(
        "2 lines are left out: the recording has more than 1024 sources"))
    #expect(run.messages.contains("lines of too many sources: 2"))
    #expect(run.messages.contains("fixes: 1024"))
  }
}
