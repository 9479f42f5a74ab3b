import DaemonHarness
import Foundation
import SimulatedReceiver
import Testing

@Suite(.needsGPSD, .timeLimit(.minutes(3)))
struct `The screen` {
  private static let fix = "48.118633 11.517333"

  @Test func `updates the age when nothing comes`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.startOnTerminal("--color", "never", "--stale", "1m", site.address)
    try await waitUntil("a fix") { locwatch.output.text.contains(Self.fix) }
    site.receiver.change(to: .quick(Phase(60, .silent)))
    // It is drawn once a second, and not always when the age is so.
    try await waitUntil("an age of 2 s") {
      locwatch.output.text.contains(/sats  (?:[2-9]\.\d|\d\d) s ago/)
    }
  }

  @Test func `makes the line fit when the terminal changes`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.startOnTerminal("--color", "never", site.address, columns: 120)
    try await waitUntil("a wide line") { locwatch.output.text.contains("13 sats") }
    locwatch.resize(rows: 24, columns: 40)
    // The wide line takes two rows by then.
    try await waitUntil("a narrow line") {
      locwatch.output.text.contains(
        /\x1b\[1A\r\x1b\[Jfix-3d  48\.118633 11\.517333  \+-\d+\.\d m\r/)
    }
  }

  @Test func `draws nothing again on a terminal that cannot`() async throws {
    let site = try await Site()
    let terminal = try ChildProcess(
      "sh", ["-c", "TERM=dumb exec '\(Locwatch.program)' -n 2 \(site.address)"], rows: 24,
      columns: 80)
    #expect(try await terminal.waitForExit() == .exited(0))
    #expect(!terminal.output.text.contains("\u{1b}"))
    #expect(terminal.output.text.hasSuffix(" fix-3d 48.118633333 11.517333333 545.4\r\n"))
  }

  @Test func `shows the progress of a replay, and clears it`() async throws {
    let text = try await progress(of: "--speed 2")
    #expect(text.contains(/\r\x1b\[K\d+\.\d of 62\.1 kB, \d+ %, \d+\.\d kB\/s, \d+ (?:s|min) left/))
    #expect(text.hasSuffix("\r\u{1b}[K"))
  }

  @Test(arguments: ["--quiet", "-q"])
  func `shows no progress of a replay if that is turned off`(option: String) async throws {
    #expect(try await progress(of: "--speed 2 \(option)") == "")
  }

  /// What a replay with other options into a file leaves on the terminal.
  private func progress(of options: String) async throws -> String {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Fixtures/ten-hertz.jsonl").standardizedFileURL.path
    let terminal = try ChildProcess(
      "sh",
      ["-c", "'\(Locwatch.program)' --replay '\(fixture)' --format csv \(options) >/dev/null"],
      environment: ["TERM": "xterm"], rows: 24, columns: 80)
    #expect(try await terminal.waitForExit() == .exited(0))
    return terminal.output.text
  }
}
