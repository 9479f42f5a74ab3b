import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `On a terminal, locwatch` {
  private static let live = "fix-3d  48.118633 11.517333  545.4 m"

  @Test func `draws nothing in the background, where somebody else's prompt is`() async throws {
    let (loss, back) = (Gate(), Gate())
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(loss), .sendLines(Reports.noFix(10)),
      .wait(back), .sendLines(Reports.fix(20)), .hold,
    ])
    let address = "127.0.0.1:\(impostor.port)"
    let shell = try ChildProcess(
      "bash",
      [
        "-mc",
        "'\(Locwatch.program)' --color never --stale 1h \(address) & read; echo to the front; fg",
      ], environment: ["TERM": "xterm"], rows: 24, columns: 120)
    try await waitUntil("fix") { shell.output.text.contains(" fix-3d /dev/ttyACM0\r\n") }
    loss.open()
    try await waitUntil("loss") { shell.output.text.contains(" lost /dev/ttyACM0 ") }
    #expect(!shell.output.text.contains(Self.live))
    try await shell.write("\n")
    try await waitUntil("foreground") { shell.output.text.contains("to the front") }
    back.open()
    try await waitUntil("live line") { shell.output.text.contains(Self.live) }
    try await shell.write("\u{3}")
    _ = try await shell.waitForExit()
  }

  @Test func `makes the line fit when the terminal changes`() async throws {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "--stale", "1h", "127.0.0.1:\(impostor.port)", columns: 120)
    try await waitUntil("a wide line") { locwatch.output.text.contains(Self.live) }
    locwatch.resize(rows: 24, columns: 40)
    // The wide line takes two rows by then.
    try await waitUntil("a narrow line") {
      locwatch.output.text.contains(
        /\x1b\[1A\r\x1b\[Jfix-3d  48\.118633 11\.517333  [^\r]{1,12}\r/)
    }
  }

  @Test func `shows the progress of a replay whose output is elsewhere, and clears it`()
    async throws
  {
    let file = try TemporaryFile(lines: [Reports.version] + (0..<30).map { Reports.fix($0) })
    let command = "'\(Locwatch.program)' --replay '\(file.path)' -f csv --speed 2 >/dev/null"
    let text = try await terminalText(of: command)
    #expect(
      text.contains(/\r\x1b\[K\d+\.\d of 7\.1 kB, \d+ %, \d+\.\d kB\/s, \d+ s left/), "\(text)")
    #expect(text.hasSuffix("\r\u{1b}[K"))
    #expect(try await terminalText(of: command + " --quiet") == "")
  }

  private func terminalText(of command: String) async throws -> String {
    let shell = try ChildProcess(
      "sh", ["-c", command], environment: ["TERM": "xterm"], rows: 24, columns: 80)
    #expect(try await shell.waitForExit() == .exited(0))
    return shell.output.text
  }
}
