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
  static let watch = #"{"class":"WATCH","enable":true,"json":true}"#
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

  private func times(_ seconds: Int..., source: String = "localhost") -> String {
    seconds.map { "\(source) /dev/a 2026-11-20T07:05:0\($0).000Z\n" }.joined()
  }

  @Test func `writes every fix, and succeeds`() async throws {
    let run = try await run(of: file)
    #expect(run.status == .success)
    #expect(run.output == times(1, 2))
    #expect(run.messages == [])
  }

  @Test func `has the files in their order, and those of a folder`() async throws {
    try folder.makeFolder("days")
    try folder.write(RunLines.text([RunLines.version, RunLines.fix(4)]), to: "days/2.jsonl")
    try folder.write(RunLines.text([RunLines.version, RunLines.fix(3)]), to: "days/1.jsonl")
    try folder.write(RunLines.text([RunLines.fix(9)]), to: "days/3.json")
    let last = try folder.write(RunLines.text([RunLines.fix(5)]), to: "last.jsonl")
    let run = try await run(of: file, "\(folder.path)/days", last)
    #expect(run.status == .success)
    #expect(run.output == times(1, 2, 3, 4, 5))
    #expect(run.messages.count == 1)
    #expect(run.messages.first?.hasPrefix("\(folder.path)/days/3.json is left out: ") == true)
  }

  @Test func `ends with its count, or says that there were fewer fixes`() async throws {
    let enough = try await run("-n", "1", of: file)
    #expect(enough.status == .success && enough.output == times(1) && enough.messages == [])
    let less = try await run("-n", "3", of: file)
    #expect(less.status == .timedOut && less.output == times(1, 2))
    #expect(less.messages == ["\(file) ends before fix 3"])
  }

  @Test func `writes nothing for a file that is not a recording, and says what it is`() async throws
  {
    let other = try folder.write("garbage\n", to: "other.jsonl")
    let reason = [
      "\(other) has no gpsd report: it is neither gpsd's JSON nor a receiver's log",
      "'locwatch --record FILE' and 'gpspipe -w' write files that can be replayed.",
    ]
    for arguments in [[], ["-n", "1"]] {
      let run = try await CommandRun(
        ["-f", "gpx", "--replay", other] + arguments, in: folder, output: "out\(arguments.count)")
      #expect(run.status == .badData && (run.output ?? "") == "")
      #expect(run.messages == reason)
    }
    // Together with a recording, the other files count.
    let both = try await run(of: file, other)
    #expect(both.status == .badData && both.output == times(1, 2))
    #expect(both.messages == reason)
    // If there was enough before, it is not looked at.
    let first = try await run("-n", "2", of: file, other)
    #expect(first.status == .success && first.output == times(1, 2) && first.messages == [])
  }

  @Test(arguments: [
    ("none", "none: No such file or directory"),
    ("days", "days has no recording (*.jsonl, *.jsonl.gz)"),
  ])
  func `does not begin if a file is missing`(name: String, message: String) async throws {
    try folder.makeFolder("days")
    for files in [[], [file]] {
      let missing = try await CommandRun(
        (files + ["\(folder.path)/\(name)"]).flatMap { ["--replay", $0] }, in: folder)
      #expect(missing.status == .noInput && missing.output == nil)
      #expect(missing.messages == ["\(folder.path)/\(message)"])
    }
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

  @Test func `says that a receiver is missing, and which ones there are`() async throws {
    let one = try await run("--device", "/dev/x", of: file)
    #expect(one.status == .unavailable && one.output == "")
    #expect(one.messages == ["\(file) has no receiver /dev/x: it has /dev/a"])
    let two = try await run("--device", "/dev/x", of: file, file)
    #expect(
      two.messages == ["the recordings have no receiver /dev/x: they have /dev/a"])
    let none = try folder.write(
      RunLines.text([RunLines.version, #"{"class":"DEVICES","devices":[]}"#]), to: "none.jsonl")
    let neither = try await run("--device", "/dev/x", of: none)
    #expect(neither.status == .unavailable)
    #expect(neither.messages == ["\(none) has no receiver /dev/x, nor any other"])
    let both = try folder.write(
      RunLines.text(Self.recording + [RunLines.fix(3, device: "/dev/b")]), to: "both.jsonl")
    for arguments in [["-1"], ["-n", "3"], []] {
      let run = try await CommandRun(
        arguments + ["-j", "--device", "/dev/x", "--replay", both], in: folder)
      #expect(run.status == .unavailable && run.output?.contains("fix") != true)
      #expect(run.messages == ["\(both) has no receiver /dev/x: it has /dev/a, /dev/b"])
    }
    let there = try await run("--device", "/dev/a", of: both)
    #expect(there.status == .success && there.output == times(1, 2) && there.messages == [])
    // Reports that name none are of the one that is wanted.
    let nameless = RunLines.fix(1).replacing(#""device":"/dev/a","#, with: "")
    let unnamed = try folder.write(RunLines.text([nameless]), to: "unnamed.jsonl")
    let wanted = try await run("--device", "/dev/x", of: unnamed)
    #expect(wanted.status == .success && wanted.messages == [])
  }

  @Test func `writes its report at the end, but none on a file that is not a recording`()
    async throws
  {
    let report = "\(folder.path)/report.json"
    let good = try await run("--report", report, of: file)
    #expect(good.status == .success && good.output == times(1, 2))
    #expect(folder.text(of: "report.json")?.contains(#""fixes":2"#) == true)
    try folder.write("old", to: "report.json")
    let other = try folder.write("garbage\n", to: "other.jsonl")
    for path in [report, "-"] {
      let bad = try await CommandRun(
        ["--replay", other, "--report", path], in: folder, output: nil)
      #expect(bad.status == .badData)
    }
    #expect(folder.text(of: "report.json") == "old")
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

  @Test func `counts the received data at the end of --verbose`() async throws {
    let torn = try folder.write(
      RunLines.text(
        Self.recording + [
          "torn", String(repeating: "x", count: 65_536), #"{"class":"SKY","device":"/dev/a"}"#,
        ]),
      to: "torn.jsonl")
    let run = try await run("-v", of: torn)
    #expect(run.status == .success)
    #expect(
      run.counts == [
        "DEVICES reports: 1", "SKY reports: 1", "TPV reports: 2", "VERSION reports: 1", "fixes: 2",
        "bad lines: 1", "cut or too long: 1 (65538 bytes)", "list elements left out: 0",
        "impossible numbers: 0",
        "records dropped for a slow reader: 0", "records not written at the end: 0",
        "lines missing from the recording: 0", "attempts to reconnect: 0",
      ])
    #expect(run.messages.count > run.counts.count)
    #expect(try await self.run(of: torn).messages == [])
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

  @Test func `counts the connections that failed while it was recorded`() async throws {
    let lost = #"{"class":"LOCWATCH_LINK","state":"lost","error":"disconnected","retry":1.0}"#
    let file = try folder.write(
      RunLines.text(Self.recording + [lost, RunLines.version, RunLines.fix(3)]), to: "lost.jsonl")
    let run = try await run("-v", of: file)
    #expect(run.output == times(1, 2, 3))
    #expect(run.messages.last == "attempts to reconnect: 1")
  }

  // Several sources

  @Test func `of several sources names them, in the order of the recording`() async throws {
    let file = try folder.write(RunLines.text(Self.several), to: "fleet.jsonl")
    let run = try await run(of: file)
    #expect(run.status == .success && run.messages == [])
    #expect(
      run.output == times(1, source: "a") + times(1, source: "b") + times(2, source: "a")
        + times(2, source: "b"))
  }

  @Test func `of several sources includes runs of a single source`() async throws {
    let several = try folder.write(RunLines.text(Self.several), to: "fleet.jsonl")
    let both = try await run("-v", of: file, several)
    #expect(both.status == .success)
    #expect(
      both.output == times(1, 2) + times(1, source: "a") + times(1, source: "b")
        + times(2, source: "a") + times(2, source: "b"))
    #expect(both.messages.contains("TPV reports: 6"))
    #expect(both.messages.contains("fixes: 6"))
    #expect(both.messages.contains("bad lines: 0"))
    #expect(both.messages.contains("attempts to reconnect: 0"))
  }

  @Test func `of several sources counts what belongs to none`() async throws {
    let file = try folder.write(
      RunLines.text(["torn", "torn"] + Self.several), to: "fleet.jsonl")
    let run = try await run("-v", of: file)
    #expect(run.status == .success)
    #expect(run.messages.contains("bad lines: 2"))
  }

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

  @Test func `of several sources says which receiver is missing`() async throws {
    let file = try folder.write(RunLines.text(Self.several), to: "fleet.jsonl")
    let run = try await run("--device", "/dev/x", of: file)
    #expect(run.status == .unavailable)
    #expect(run.messages == ["\(file) has no receiver /dev/x: it has /dev/a"])
  }

  @Test func `of several sources names their receivers in the order of the sources`() async throws {
    let lines = zip(["b", "a", "c"], ["/dev/1", "/dev/2", "/dev/1"]).flatMap {
      [RunLines.stamp(0, of: $0), RunLines.fix(1, device: $1)]
    }
    let file = try folder.write(RunLines.text(lines), to: "fleet.jsonl")
    let run = try await run("--device", "/dev/x", of: file)
    #expect(run.messages == ["\(file) has no receiver /dev/x: it has /dev/2, /dev/1"])
  }

  @Test func `of several sources in which one has too few fixes`() async throws {
    let file = try folder.write(
      RunLines.text(Self.several + [RunLines.stamp(2, of: "b"), RunLines.fix(3)]),
      to: "fleet.jsonl")
    let run = try await run("-n", "3", of: file)
    #expect(run.status == .timedOut)
    #expect(
      run.output == times(1, source: "a") + times(1, source: "b") + times(2, source: "a")
        + times(2, 3, source: "b"))
    #expect(run.messages == ["a: \(file) ends before fix 3"])
  }

  @Test func `of several sources ends if a file cannot be read`() async throws {
    let several = try folder.write(RunLines.text(Self.several), to: "fleet.jsonl")
    let missing = try await run(of: several, "\(folder.path)/none")
    #expect(missing.status == .noInput && missing.output == nil)
    let other = try folder.write("garbage\n", to: "other.jsonl")
    let bad = try await run(of: several, other)
    #expect(bad.status == .badData)
    #expect(
      bad.messages.first
        == "\(other) has no gpsd report: it is neither gpsd's JSON nor a receiver's log")
  }

  @Test func `warns of a class that gpsd does not have`() async throws {
    let known = "ATT, GST, IMU, TOFF, PPS, OSC, AIS, RTCM2, RTCM3, SUBFRAME"
    for (names, unknown) in [
      ("NONE", "class NONE"), ("PPS,foo,ATTT", "classes ATTT, FOO"), ("ATT", nil), ("LOG", nil),
      ("ais,TPV", nil),
    ] {
      for isQuiet in [false, true] {
        let run = try await CommandRun(
          ["--json", "--no-events", "--class", names, "--replay", file] + (isQuiet ? ["-q"] : []),
          in: folder)
        let warning = unknown.map { "--class: gpsd up to 3.27 has no \($0), but \(known)" }
        #expect(
          run.status == .success && run.messages == (isQuiet ? nil : warning).map { [$0] } ?? [])
      }
    }
  }
}
