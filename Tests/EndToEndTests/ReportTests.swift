import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `With --report` {
  private static let greeting = ImpostorStep.sendLines(
    Reports.version, Reports.devices, Reports.fix(0))

  @Test func `a replay only for a report prints numbers instead of records`() async throws {
    let recording = try TemporaryFile(
      lines: [
        Reports.version, Reports.devices, Reports.fix(10), Reports.fix(20), Reports.noFix(30),
      ]
    )
    let page = try TemporaryFile(ending: ".html")
    let printed = try await Locwatch.run("--replay", recording.path, "--report", "-")
    #expect(printed.status == .exited(0) && printed.errors.isEmpty)
    let start = "/dev/ttyACM0 (NMEA0183)\n\n  All fixes have the same position; "
    #expect(printed.output.hasPrefix(start))
    let ways = ["--replay", recording.path, "--report", page.path]
    #expect(try await Locwatch.run(ways) == printed)
    #expect(page.text.hasPrefix("<!DOCTYPE html>"))
    for option in ["--events", "--no-events", "--once", "-n2", "--satellites"] {
      let without = try await Locwatch.run("--replay", recording.path, option)
      #expect(try await Locwatch.run(ways + [option]) == without, "\(option)")
    }
  }

  @Test func `SIGUSR1 writes it at once, or changes nothing without it; the run continues`()
    async throws
  {
    let report = try TemporaryFile(Array("old".utf8), ending: ".html")
    for options in [["--report", report.path], []] {
      let signalled = Gate()
      let impostor = try Impostor([
        Self.greeting, .wait(signalled), .sendLines(Reports.fix(10)), .hold,
      ])
      let locwatch = try Locwatch.start(
        options + ["-n", "2", "--stale", "1h", "127.0.0.1:\(impostor.port)"])
      _ = try await locwatch.output.waitForLine(containing: "48.118633333")
      locwatch.signal(SIGUSR1)
      try await waitUntil("a report") { options.isEmpty || report.text.hasSuffix("</html>\n") }
      signalled.open()
      #expect(try await locwatch.waitForExit() == .exited(0))
      #expect(locwatch.errors.text.isEmpty)
    }
  }

  @Test func `a pipe that is full and not read delays neither the run nor its end`() async throws {
    let failed = Gate()
    let impostor = try Impostor([
      Self.greeting, .wait(failed), .sendLines(Reports.fix(10)), .hold,
    ])
    let pipe = try TemporaryFile(ending: ".txt").path
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
}
