import DaemonHarness
import Foundation
import Glibc
import Testing

/// Fault 28, and what a shell sees.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `Where its output goes, locwatch` {
  /// A gpsd that has a fix ten times a second, for ever.
  private static func steady() throws -> Impostor {
    try Impostor(
      [.sendLines(Reports.version, Reports.devices)]
        + (0..<600).flatMap {
          [.sendLines(Reports.fix($0)), .pause(.milliseconds(20))] as [ImpostorStep]
        })
  }

  private static let parsingReader =
    "python3 -c 'import json, sys; print(\"ready\", file=sys.stderr, flush=True); "
    + "[print(l.strip()) for l in sys.stdin if json.loads(l)]'"

  @Test func `ends quietly when its reader has enough`() async throws {
    let impostor = try Self.steady()
    let shell = try ChildProcess(
      "bash",
      [
        "-c", #""$@" | head -n 1; echo "${PIPESTATUS[*]}""#, "-", Locwatch.program, "--json",
        "127.0.0.1:\(impostor.port)",
      ])
    #expect(try await shell.waitForExit() == .exited(0))
    #expect(shell.output.lines.count == 2)
    #expect(try Record(line: shell.output.lines[0]).state == "connecting")
    #expect(shell.output.lines.last == "0 0")
    #expect(shell.errors.text == "")
  }

  /// Fault 40.
  @Test(
    arguments: [
      "echo ready >&2; cat", "echo ready >&2; head -c 1000000; sleep 0.5; cat", Self.parsingReader,
    ])
  func `loses nothing of 50,000 reports that come at once`(reader: String) async throws {
    let count = 50_000
    let fixes = (0..<count).map { Reports.fix($0) }.joined(separator: "\r\n")
    let ready = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version), .wait(ready), .sendLines(fixes), .hold,
    ])
    let shell = try ChildProcess(
      "bash",
      [
        "-c", #"reader=$1; shift; "$@" | { eval "$reader"; } | grep -c '"type":"fix"'"#, "-",
        reader,
        Locwatch.program, "--json", "-v", "-n", "\(count)", "127.0.0.1:\(impostor.port)",
      ])
    _ = try await shell.errors.waitForLine(containing: "ready")
    ready.open()
    #expect(try await shell.waitForExit(timeout: .seconds(120)) == .exited(0))
    #expect(shell.output.lines == ["\(count)"])
    #expect(shell.errors.lines.contains("locwatch: fixes: \(count)"))
    #expect(shell.errors.lines.contains("locwatch: records dropped for a slow reader: 0"))
  }

  @Test(
    arguments: [
      ["--json"], ["-f", "gpx"], ["--once", "-t", "5s"], ["--record", "-"],
      ["--record", "/dev/full", "-o", "/dev/null"],
    ])
  func `says that the disk is full`(options: [String]) async throws {
    let impostor = try Self.steady()
    let locwatch = try Locwatch.start(
      options + ["127.0.0.1:\(impostor.port)"], output: .file("/dev/full"))
    #expect(try await locwatch.waitForExit() == .exited(74))
    let place = options.contains("/dev/full") ? "/dev/full" : "standard output"
    #expect(
      locwatch.errors.text == "locwatch: cannot write to \(place): No space left on device\n")
  }

  /// It can be closed sooner only in a file to which nobody else appends.
  @Test(arguments: ["gpx", "geojson"], [">", ">>", "| cat >"])
  func `closes a document at its end, and leaves the file's position there`(
    format: String, redirection: String
  ) async throws {
    let fixes = (0..<3).map { Reports.fix($0) }
    let recording = try TemporaryFile(lines: [Reports.version, Reports.devices] + fixes)
    let file = try TemporaryFile()
    let arguments = ["-f", format, "--replay", recording.path]
    let shell = try ChildProcess(
      "sh",
      ["-c", "{ \"$@\"; echo end; } \(redirection)\(file.path)", "-", Locwatch.program] + arguments)
    #expect(try await shell.waitForExit() == .exited(0))
    #expect(file.text == (try await Locwatch.run(arguments)).output + "end\n")
  }

  @Test func `says that it has no output, and lets no output reach gpsd`() async throws {
    let impostor = try Self.steady()
    let locwatch = try Locwatch.start(
      ["--json", "127.0.0.1:\(impostor.port)"], output: .closed)
    #expect(try await locwatch.waitForExit() == .exited(74))
    #expect(
      locwatch.errors.text == "locwatch: cannot write to standard output: Bad file descriptor\n")
    for client in impostor.clients {
      #expect([[], [#"?WATCH={"enable":true,"json":true};"#]].contains(client.commands))
    }
  }

  @Test(arguments: ["--help", "--version"])
  func `reports an error even if its help cannot be written`(option: String) async throws {
    for output in [ChildProcess.Stream.file("/dev/full"), .closed] {
      let locwatch = try Locwatch.start([option], output: output)
      #expect(try await locwatch.waitForExit() == .exited(74))
    }
  }

  @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGKILL])
  func `leaves a complete document in its file`(signal: CInt) async throws {
    let impostor = try Self.steady()
    for format in ["gpx", "geojson"] {
      let file = try TemporaryFile()
      let locwatch = try Locwatch.start(
        ["-f", format, "127.0.0.1:\(impostor.port)"], output: .file(file.path))
      try await waitUntil("fixes in \(format)") {
        file.text.components(separatedBy: "48.118633333").count > 3
      }
      locwatch.signal(signal)
      try await waitUntil("end") { locwatch.status != nil }
      switch format {
      case "gpx": #expect(file.text.hasSuffix("</gpx>\n"))
      default:
        let document = try JSONSerialization.jsonObject(with: Data(file.bytes))
        let members = try #require(document as? [String: Any])
        #expect(members["type"] as? String == "FeatureCollection")
        #expect(try #require(members["features"] as? [Any]).count >= 3)
      }
    }
  }

  /// Fault 51.
  @Test func `continues if nobody reads its messages`() async throws {
    let words = String(repeating: "x", count: 120)
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(gate),
      .send(
        (0..<1500).map { #"{"class":"ERROR","message":"\#(words)\#($0)"}"# + "\r\n" }.joined()),
      .sendLines(Reports.fix(10)), .hold,
    ])
    let locwatch = try Locwatch.start(
      "--json", "--verbose", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    locwatch.errors.pause()
    var transcript = Transcript(of: locwatch)
    #expect(try await transcript.fix().time == Reports.time(0))
    gate.open()
    #expect(try await transcript.fix().time == Reports.time(10))
    locwatch.errors.resume()
    try await waitUntil("messages read") { locwatch.errors.lines.count > 100 }
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    let notices = locwatch.errors.lines.count { $0.hasPrefix("locwatch: gpsd says: xxx") }
    #expect(notices > 100 && notices < 1500)
    let drops = locwatch.errors.lines.compactMap { line in
      line.hasPrefix("locwatch: messages dropped because stderr was blocked: ")
        ? line.split(separator: " ").last.flatMap { Int($0) } : nil
    }
    #expect(drops.reduce(notices, +) == 1500)
    #expect(locwatch.errors.lines.contains("locwatch: ERROR reports: 1500"))
  }
}
