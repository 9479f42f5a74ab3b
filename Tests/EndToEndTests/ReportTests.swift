import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `With --report` {
  private func file(_ ending: String, _ text: String = "") throws -> String {
    let path = "/tmp/locwatch-\(UUID().uuidString)\(ending)"
    try Data(text.utf8).write(to: URL(filePath: path))
    return path
  }

  private func replay() throws -> TemporaryFile {
    try TemporaryFile(lines: [
      Reports.version, Reports.devices, Reports.noFix(0), Reports.fix(10), Reports.fix(20),
      Reports.noFix(30),
    ])
  }

  @Test func `a replay replaces a file by its statistics`() async throws {
    let (recording, report) = (try replay(), try file(".json", "old"))
    defer { try? FileManager.default.removeItem(atPath: report) }
    let with = try await Locwatch.run("--replay", recording.path, "-j", "--report", report)
    let without = try await Locwatch.run("--replay", recording.path, "-j")
    #expect(with == without)
    let object =
      try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: report)))
      as? [String: Any]
    let receivers = try #require(object?["receivers"] as? [[String: Any]])
    #expect(receivers.map { $0["device"] as? String } == ["/dev/ttyACM0"])
    #expect(receivers.map { $0["fixes"] as? Int } == [2])
    #expect(receivers.map { $0["cep50"] as? Double } == [0])
  }

  @Test func `- is the output`() async throws {
    let recording = try replay()
    let result = try await Locwatch.run("--replay", recording.path, "--report", "-")
    #expect(result.status == .exited(0) && result.errors.isEmpty)
    let start = "/dev/ttyACM0 (NMEA0183)\n\n  All fixes have the same position; "
    #expect(result.output.hasPrefix(start))
  }

  /// Its numbers that do not depend on when reports came.
  private func numbers(of report: String) throws -> NSDictionary {
    let data = try Data(contentsOf: URL(filePath: report))
    var object = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
    let receivers = try #require(object["receivers"] as? [[String: Any]])
    let names = ["fixes", "fixes3d", "fixesLeftOut", "centre", "cep50", "drms", "outageCount"]
    object["receivers"] = receivers.map { $0.filter { names.contains($0.key) } }
    return object.filter { ["filter", "receivers"].contains($0.key) } as NSDictionary
  }

  @Test(
    arguments: [
      ([], 8, ""), (["--quality", "dgps"], 4, "of quality dgps or better"),
      (["--fix", "3d"], 6, "in 3D"), (["--accuracy", "10"], 5, "accurate to 10 m"),
      (["-i", "3s"], 3, "the first of each 3 s"),
      (["-m", "5"], 2, "more than 5 m from the one before"),
    ] as [([String], Int, String)])
  func `the filters hold for all of its forms, live and in a replay`(
    arguments: [String], fixes: Int, words: String
  ) async throws {
    let lines = (0..<8).map { second in
      #"{"class":"TPV","device":"\#(Reports.device)","mode":\#(second < 2 ? 2 : 3),"#
        + (second % 2 == 0 ? #""status":2,"# : "")
        + #""time":"\#(Reports.time(10 * second))","eph":\#(second < 5 ? 10 : 11),"altHAE":500,"#
        + #""lat":48.\#(second < 4 ? "0" : "1"),"lon":11.5}"#
    }
    let sent = ([Reports.version, Reports.devices] + lines).map { "\($0)\r\n" }.joined()
    let impostor = try Impostor([.send(sent), .hold])
    let (recording, live, again) = (try TemporaryFile(), try file(".json"), try file(".json"))
    defer { for path in [live, again] { try? FileManager.default.removeItem(atPath: path) } }
    _ = try await Locwatch.run(
      ["--record", recording.path, "--report", live, "127.0.0.1:\(impostor.port)"] + arguments
        + ["--duration", "4s"])
    let replay = ["--replay", recording.path]
    _ = try await Locwatch.run(replay + ["--report", again] + arguments)
    let numbers = try numbers(of: live)
    #expect(try numbers == self.numbers(of: again))
    let receivers = try #require(numbers["receivers"] as? [[String: Any]])
    #expect(receivers.map { $0["fixes"] as? Int } == [fixes])
    #expect(receivers.map { $0["fixesLeftOut"] as? Int } == [arguments.isEmpty ? nil : 8 - fixes])
    let csv = try await Locwatch.run(replay + ["-f", "csv"] + arguments)
    #expect(csv.output.split(whereSeparator: \.isNewline).count == 1 + fixes)
    let text = try await Locwatch.run(replay + ["--report", "-"] + arguments)
    #expect(text.output.contains("  \(fixes) fixes, "))
    let note = "  \(fixes) of 8 fixes count: only those \(words). States, "
    #expect(text.output.contains(note) == !arguments.isEmpty)
  }

  @Test func `an hour of a receiver that reports each 10 s has one silence`() async throws {
    let hour = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/hour.jsonl").path
    let result = try await Locwatch.run("--replay", hour, "--events")
    let lost = result.output.split(separator: "\n").filter { $0.contains(" lost ") }
    #expect(lost.map { $0.dropFirst(11).prefix(8) } == ["07:19:38", "07:44:59", "07:54:38"])
  }

  @Test func `a replay only for a report prints numbers instead of records`() async throws {
    let (recording, report) = (try replay(), try file(".html"))
    defer { try? FileManager.default.removeItem(atPath: report) }
    let alone = try await Locwatch.run("--replay", recording.path, "--report", report)
    let printed = try await Locwatch.run("--replay", recording.path, "--report", "-")
    #expect(alone == printed)
    #expect(try String(contentsOfFile: report, encoding: .utf8).hasPrefix("<!DOCTYPE html>"))
    for option in ["--events", "--no-events", "--once", "-n2", "--satellites"] {
      let with = try await Locwatch.run("--replay", recording.path, "--report", report, option)
      let without = try await Locwatch.run("--replay", recording.path, option)
      #expect(with == without, "\(option)")
    }
  }

  @Test func `an interrupted run has one`() async throws {
    let report = try file(".txt")
    defer { try? FileManager.default.removeItem(atPath: report) }
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .hold,
    ])
    let locwatch = try Locwatch.start("--report", report, "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "48.118633333")
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    let text = try String(contentsOfFile: report, encoding: .utf8)
    #expect(text.contains("1 fix, 1 in 3D"))
  }

  @Test func `a page says what the other forms say, and needs nothing else`() async throws {
    let (recording, page, json) = (try replay(), try file(".html"), try file(".json"))
    defer { for path in [page, json] { try? FileManager.default.removeItem(atPath: path) } }
    let with = try await Locwatch.run("--replay", recording.path, "-j", "--report", page)
    let without = try await Locwatch.run("--replay", recording.path, "-j", "--report", json)
    #expect(with == without)
    let html = try String(contentsOfFile: page, encoding: .utf8)
    let start =
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
      + "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
    #expect(html.hasPrefix(start) && html.hasSuffix("</body></html>\n"))
    #expect(html.contains("<p class=\"note\">/dev/ttyACM0 (NMEA0183)</p>"))
    let links = html.components(separatedBy: "href=").dropFirst()
    #expect(
      links.count == 1 && (links.first ?? "").hasPrefix("\"https://www.openstreetmap.org/?mlat="))
    for word in ["<script", "http://", "url(", "@import", "src=", "<link", "<img"] {
      #expect(!html.contains(word), "\(word)")
    }
  }

  @Test(arguments: [".html", ".json", ".txt"])
  func `SIGUSR1 writes the report at once, and the run continues`(ending: String) async throws {
    let report = try file(ending, "old")
    defer { try? FileManager.default.removeItem(atPath: report) }
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .hold,
    ])
    let locwatch = try Locwatch.start("--report", report, "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "48.118633333")
    for _ in 0..<3 {
      let inode =
        try FileManager.default.attributesOfItem(atPath: report)[.systemFileNumber] as? Int
      locwatch.signal(SIGUSR1)
      try await waitUntil("another report") {
        try FileManager.default.attributesOfItem(atPath: report)[.systemFileNumber] as? Int != inode
      }
      let text = try String(contentsOfFile: report, encoding: .utf8)
      #expect(text.contains("ttyACM0") && (text.hasSuffix("</html>\n") || ending != ".html"))
    }
    #expect(locwatch.status == nil)
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    #expect(locwatch.errors.text.isEmpty)
  }

  @Test func `a pipe that is full and not read delays neither the run nor its end`() async throws {
    let failed = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(failed),
      .sendLines(Reports.fix(10)), .hold,
    ])
    let pipe = try file(".txt")
    try FileManager.default.removeItem(atPath: pipe)
    #expect(mkfifo(pipe, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: pipe) }
    let reader = open(pipe, O_RDWR | O_NONBLOCK)
    defer { close(reader) }
    let page = [UInt8](repeating: 0x78, count: 4096)
    while write(reader, page, page.count) > 0 {}
    let locwatch = try Locwatch.start(
      "--report", pipe, "-n", "2", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "48.118633333")
    locwatch.signal(SIGUSR1)
    let error = "locwatch: cannot write to \(pipe): its reader does not keep up\n"
    _ = try await locwatch.errors.waitForLine { _ in true }
    #expect(locwatch.errors.text == error)
    failed.open()
    #expect(try await locwatch.waitForExit() == .exited(74))
    #expect(locwatch.errors.text == error + error)
  }

  @Test func `SIGUSR1 changes nothing in a run without one`() async throws {
    let signalled = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(signalled),
      .sendLines(Reports.fix(10)), .hold,
    ])
    let locwatch = try Locwatch.start("-n", "2", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "48.118633333")
    locwatch.signal(SIGUSR1)
    signalled.open()
    #expect(try await locwatch.waitForExit() == .exited(0))
  }
}
