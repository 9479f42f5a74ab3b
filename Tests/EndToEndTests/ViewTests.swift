import DaemonHarness
import Foundation
import Glibc
import TestSupport
import Testing

/// The full screen of `--view`.
/// Fault 63.
@Suite(.timeLimit(.minutes(3)))
struct `The view` {
  private static let entering = "\u{1b}[?1049h\u{1b}[?25l\u{1b}[?7l"
  private static let leaving = "\u{1b}[0m\u{1b}[?7h\u{1b}[?25h\u{1b}[?1049l"
  private let gpsd: Impostor
  private let source: String

  init() throws {
    gpsd = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0), Reports.fix(10)), .hold,
    ])
    source = "--stale 1h 127.0.0.1:\(gpsd.port)"
  }

  /// Starts it in a shell that prints its process ID, and whether the terminal was restored.
  private func start(
    _ arguments: String, environment: [String: String?] = [:], rows: Int = 24, columns: Int = 80
  ) throws -> ChildProcess {
    let script = """
      trap : INT HUP; before=$(stty -g)
      sh -c 'echo "pid $$"; exec "\(Locwatch.program)" --view \(arguments)'
      status=$?; [ "$before" = "$(stty -g)" ] && echo "restored after $status"
      """
    let settings: [String: String?] = [
      "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "NO_COLOR": nil, "GPSD_UNITS": nil,
      "SWIFT_BACKTRACE": "enable=no",
    ]
    return try ChildProcess(
      "sh", ["-c", script], environment: settings.merging(environment) { $1 }, rows: rows,
      columns: columns)
  }

  /// Waits until a text has been drawn since the screen was entered.
  private func waitForScreen(
    of shell: ChildProcess, _ part: String = "48.118633 11.517333"
  ) async throws {
    try await waitUntil("'\(part)' on the screen") {
      let parts = shell.output.text.components(separatedBy: Self.entering)
      return parts.count > 1 && parts.last?.contains(part) == true
    }
  }

  private func identifier(of shell: ChildProcess) async throws -> pid_t {
    let line = try await shell.output.waitForLine(containing: "pid ")
    return try #require(pid_t(line.dropFirst(4)))
  }

  @Test(
    arguments: [
      (SIGTERM, 143), (SIGHUP, 129), (SIGINT, 130), (SIGABRT, 134), (SIGILL, 132),
      (SIGSEGV, 139), (SIGTRAP, 133), (SIGQUIT, 131), (SIGUSR2, 140),
      (SIGALRM, 142),
      (SIGSTKFLT, 144), (SIGXCPU, 152), (SIGVTALRM, 154), (SIGPROF, 155), (SIGPOLL, 157),
      (SIGPWR, 158), (34, 162), (64, 192),
    ] as [(CInt, Int)])
  func `restores the terminal after a signal`(signal: CInt, status: Int) async throws {
    let shell = try start(source)
    let identifier = try await identifier(of: shell)
    try await waitForScreen(of: shell)
    kill(identifier, signal)
    _ = try await shell.waitForExit()
    let rest = try #require(shell.output.text.components(separatedBy: Self.leaving).last)
    #expect(rest.hasSuffix("restored after \(status)\r\n") && !rest.contains("\u{1b}"))
  }

  /// The kernel itself sends the signal, and not to a process that it chose. The limit is set once the first frame is drawn,
  /// because the program could reach it before.
  @Test func `restores the terminal when its processor time is up`() async throws {
    let flood = Array((0..<1000).map { "\(Reports.fix($0))\r\n" }.joined().utf8)
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices), .generate { _ in flood },
    ])
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    let identifier = try await identifier(of: shell)
    try await waitForScreen(of: shell)
    let limit = try ProgramOutput(of: "prlimit", ["--cpu=1:", "--pid", "\(identifier)"])
    #expect(limit.errors == "")
    // A second of processor time takes long on a busy machine.
    try await waitUntil("the limit", timeout: .seconds(120)) {
      let time = (try? ProcessUsage(of: identifier))?.processorTime
      return time.map { $0 >= .seconds(2) } ?? true
    }
    _ = try await shell.waitForExit()
    #expect(shell.output.text.contains(Self.leaving))
    #expect(shell.output.text.hasSuffix("restored after 152\r\n"))
  }

  @Test func `restores the terminal after ctrl-C`() async throws {
    let shell = try start(source)
    try await waitForScreen(of: shell)
    try await shell.write("\u{3}")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 130\r\n"))
  }

  @Test func `leaves the screen for ctrl-Z, and comes back with fg`() async throws {
    let script = """
      '\(Locwatch.program)' --view \(source)
      stty -a | grep -o ' icanon'; echo stopped; read; fg; echo "ended with $?"
      """
    let shell = try ChildProcess(
      "bash", ["-mc", script], environment: ["TERM": "xterm", "LC_ALL": "C"], rows: 24, columns: 80)
    try await waitForScreen(of: shell)
    try await shell.write("\u{1a}")
    try await waitUntil("the shell") { shell.output.text.contains("stopped\r\n") }
    #expect(shell.output.text.contains(Self.leaving) && shell.output.text.contains(" icanon"))
    try await shell.write("\n")
    try await waitForScreen(of: shell)
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "ended with 0\r\n"))
    #expect(shell.output.text.components(separatedBy: Self.entering).count == 3)
  }

  @Test func `is drawn again when it was stopped from outside`() async throws {
    let shell = try start(source)
    let identifier = try await identifier(of: shell)
    try await waitForScreen(of: shell)
    kill(identifier, SIGSTOP)
    kill(identifier, SIGCONT)
    try await waitUntil("the screen again") {
      shell.output.text.components(separatedBy: Self.entering).count == 3
    }
    try await waitForScreen(of: shell)
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 0\r\n"))
  }

  @Test func `is drawn again for another size, down to one cell`() async throws {
    let shell = try start(source, rows: 60, columns: 200)
    try await waitForScreen(of: shell, "Scatter")
    for (rows, columns, part) in [(5, 20, "41.5"), (1, 1, "f"), (24, 80, "Scatter")] {
      let known = shell.output.bytes.count
      shell.resize(rows: rows, columns: columns)
      try await waitUntil("a screen of \(rows) rows") {
        String(decoding: shell.output.bytes[known...], as: UTF8.self).contains(part)
      }
    }
    try await shell.write("q")
    _ = try await shell.waitForExit()
  }

  @Test func `writes why a run ended after it left the screen`() async throws {
    let end = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(end), .close,
    ])
    let shell = try start("--no-reconnect --stale 1h 127.0.0.1:\(impostor.port)")
    try await waitForScreen(of: shell)
    end.open()
    _ = try await shell.waitForExit()
    let rest = try #require(shell.output.text.components(separatedBy: Self.leaving).last)
    #expect(rest.hasPrefix("locwatch: ") && rest.hasSuffix("restored after 69\r\n"), "\(rest)")
  }

  @Test func `takes keys from the terminal while a recording comes through a pipe`() async throws {
    let file = try TemporaryFile(lines: [Reports.version, Reports.devices, Reports.fix(0)])
    let shell = try ChildProcess(
      "sh", ["-c", "cat \(file.path) | '\(Locwatch.program)' --view --replay -"],
      environment: ["TERM": "xterm"], rows: 24, columns: 80)
    try await waitForScreen(of: shell, "End of the recording")
    try await shell.write("q")
    #expect(try await shell.waitForExit() == .exited(0))
  }

  @Test(arguments: [("C", false), ("C.UTF-8", true)])
  func `draws with braille where the locale has it`(locale: String, hasBraille: Bool) async throws {
    let shell = try start(
      source, environment: ["LC_ALL": locale, "NO_COLOR": "1"])
    try await waitForScreen(of: shell)
    let text = shell.output.text
    #expect(text.unicodeScalars.contains { (0x2800...0x28ff).contains($0.value) } == hasBraille)
    #expect(text.utf8.allSatisfy { $0 < 0x80 } != hasBraille)
    #expect(!text.contains(/\x1b\[[0-9;]*3[0-8][;m]/))
    try await shell.write("q")
    _ = try await shell.waitForExit()
  }

  @Test func `needs a terminal`() async throws {
    let result = try await Locwatch.run("--view")
    #expect(result.status == .exited(64))
    #expect(
      result.errors
        == "locwatch: --view needs a terminal, but stdout is not one\n"
        + "locwatch: Try 'locwatch --help'.\n")
    let foreign = try ChildProcess(
      "sh", ["-c", "setsid -w '\(Locwatch.program)' --view; echo \"ended with $?\""],
      environment: ["TERM": "xterm"], rows: 24, columns: 80)
    _ = try await foreign.waitForExit()
    #expect(foreign.output.text.contains("--view needs the terminal that it was started on"))
    #expect(foreign.output.text.hasSuffix("ended with 64\r\n"))
    for terminal in ["dumb", ""] {
      let shell = try start("", environment: ["TERM": terminal])
      _ = try await shell.waitForExit()
      #expect(shell.output.text.contains("--view needs a terminal that can move its cursor"))
      #expect(shell.output.text.hasSuffix("restored after 64\r\n"))
    }
  }
}
