import DaemonHarness
import Foundation
import LocationSamples
import Testing

/// gpsd names a source of corrections with its password.
/// Fault 105.
@Suite(.timeLimit(.minutes(5)))
struct `The password of a caster` {
  private static let secrets = ["s3cret", "c4ster"]
  private static let url = "ntrip://c4ster:s3cret@host.example:2101/mount"
  private static let kept = "ntrip://*************@host.example:2101/mount"
  private static let lines = [
    Reports.version,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(url)","driver":"RTCM104V3","#
      + #""activated":"2026-11-20T07:05:00.000Z"},{"class":"DEVICE","path":"\#(Reports.device)","#
      + #""activated":"2026-11-20T07:05:00.000Z"}]}"#,
    #"{"class":"WATCH","enable":true,"json":true,"device":"\#(url)"}"#,
    #"{"class":"WATCH","enable":true,"json":true}"#,
    #"{"class":"DEVICE","path":"\#(url)","activated":"2026-11-20T07:05:00.000Z"}"#,
    Reports.fix(0), #"{"class":"RTCM3","device":"\#(url)","type":1005,"length":19}"#,
    #"{"class":"RTCM3","device":"ntrip:\/\/c4ster:s3c\u0040s3cret\u0040host","type":1005}"#,
    #"{"class":"TPV","device":"\#(url)","mode":3,"lat":1,"lon":2}"#,
    #"{"class":"SKY","device":"\#(url)","satellites":[]}"#, Reports.fix(10),
    #"{"class":"ERROR","message":"cannot write to \#(url)"}"#,
    #"{"class":"DEVICE","path":"\#(url)","activated":0}"#,
    #"{"class":"RTCM3","device":"\#(url),"type"#,
    #"{"class":"RTCM3","device":"ntrip://c4ster:s3cret"#,
    Reports.fix(20),
  ]
  private static let sent = ImpostorStep.send(lines.map { $0 + "\r\n" }.joined())
  private static let classes = "RTCM3,DEVICES,DEVICE,WATCH,ERROR,TPV,SKY"

  private func expectNone(in text: String, _ name: String) {
    for secret in Self.secrets { #expect(!text.contains(secret), "\(name)") }
  }

  @Test(
    arguments: [
      ["-v"], ["--json", "--class", classes, "-v"], ["--events"], ["--satellites"],
      ["-n", "9"], ["-d", "/dev/x"], ["--report", "-"],
    ]
      + (FormatCase.all.map(\.name) + ["%time %device"]).map { ["-f", $0] })
  func `is in nothing that a replay writes`(arguments: [String]) async throws {
    let recording = try TemporaryFile(lines: Self.lines)
    let result = try await Locwatch.run(arguments + ["--replay", recording.path])
    let hasFixes = !["-d", "prometheus"].contains { arguments.contains($0) }
    #expect(!hasFixes || !result.output.isEmpty)
    expectNone(in: result.output + result.errors, "\(arguments)")
    withExtendedLifetime(recording) {}
  }

  @Test(arguments: ["html", "json", "txt"])
  func `is in no report`(form: String) async throws {
    let recording = try TemporaryFile(lines: Self.lines)
    let report = try TemporaryFile()
    let path = report.path + "." + form
    defer { try? FileManager.default.removeItem(atPath: path) }
    let result = try await Locwatch.run("--replay", recording.path, "--report", path)
    #expect(result.status == .exited(0))
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains(Reports.device) && !text.contains("host.example"))
    expectNone(in: text, form)
    withExtendedLifetime((recording, report)) {}
  }

  @Test func `is in no record and no recording, and makes no receiver`() async throws {
    let impostor = try Impostor([Self.sent, .hold])
    let recording = try TemporaryFile()
    let locwatch = try Locwatch.start(
      "-v", "--json", "--class", Self.classes, "--record", recording.path,
      "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "2026-11-20T07:05:02")
    locwatch.signal(SIGTERM)
    _ = try await locwatch.waitForExit()
    let text = locwatch.output.text
    expectNone(in: text + locwatch.errors.text + recording.text, "live")
    #expect(text.contains(#""class":"RTCM3","device":"\#(Self.kept)""#))
    for line in text.split(separator: "\n") where line.contains("host") {
      #expect(line.hasPrefix(#"{"type":"report""#), "\(line)")
    }
    // Each line is as long as it was.
    let recorded = recording.text.components(separatedBy: "\r\n")
      .filter { !$0.isEmpty && !$0.hasPrefix(#"{"class":"LOCWATCH""#) }
    #expect(recorded.map(\.utf8.count) == Self.lines.map(\.utf8.count))
    #expect(recorded[6] == #"{"class":"RTCM3","device":"\#(Self.kept)","type":1005,"length":19}"#)
    withExtendedLifetime(impostor) {}
  }

  @Test func `is not on a terminal, nor in a table of several sources`() async throws {
    let impostor = try Impostor([Self.sent, .hold])
    let server = "127.0.0.1:\(impostor.port)"
    for arguments in [["a=\(server)", "b=\(server)"], [server], ["--view", server]] {
      let locwatch = try ChildProcess(
        Locwatch.program, ["-v", "--duration", "3s"] + arguments,
        environment: ["LC_ALL": "C.UTF-8", "TERM": "xterm-256color"], rows: 30, columns: 200)
      _ = try await locwatch.waitForExit()
      #expect(!locwatch.output.text.isEmpty)
      expectNone(in: locwatch.output.text, "\(arguments)")
    }
    withExtendedLifetime(impostor) {}
  }

  @Test func `is in no message about who answers, or about a target`() async throws {
    let impostor = try Impostor([.sendLines(Self.url), .hold])
    // As many as "c4ster:s3cret" has characters.
    let asterisks = String(repeating: "*", count: 13)
    for arguments in [
      ["127.0.0.1:\(impostor.port)", "-1", "-t", "5"], [Self.url], ["a=\(Self.url)", "b=h"],
      ["h::\(Self.url)"], ["-d", Self.url],
      ["tcp://c4ster:s3cret@host:1"], ["http://c4ster:s3cret@host:1"],
    ] {
      let result = try await Locwatch.run(arguments)
      #expect(result.status != .exited(0) && result.errors.contains(asterisks), "\(arguments)")
      expectNone(in: result.output + result.errors, "\(arguments)")
    }
    withExtendedLifetime(impostor) {}
  }
}
