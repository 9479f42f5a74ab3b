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
  private static let sky =
    #"{"class":"SKY","device":"\#(Reports.device)","hdop":1.3,"satellites":["#
    + #"{"PRN":5,"gnssid":0,"svid":5,"el":45.0,"az":120.0,"ss":38.0,"used":true},"#
    + #"{"PRN":71,"gnssid":6,"svid":7,"el":5.5,"az":300.0,"ss":20.0,"used":false}]}"#

  private func gpsd() throws -> Impostor {
    try Impostor([
      .sendLines(Reports.version, Reports.devices, Self.sky, Reports.fix(0), Reports.fix(10)),
      .hold,
    ])
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

  private func identifier(of shell: ChildProcess) async throws -> pid_t {
    let line = try await shell.output.waitForLine(containing: "pid ")
    return try #require(pid_t(line.dropFirst(4)))
  }

  @Test func `shows the sky, the fix and the states, and leaves with q`() async throws {
    let impostor = try gpsd()
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    let parts = [
      "48.118633 11.517333", "G5", "fix-3d for", "r7", "C/N0", "⠤N⠤", "545.4 m", "41.5 km/h",
      "course 84°", "Scatter",
    ]
    try await waitUntil("a whole screen") {
      let screen = shell.screen()
      return !screen.isCursorVisible && parts.allSatisfy(screen.text.contains)
    }
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 0\r\n"))
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
    let impostor = try gpsd()
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    let identifier = try await identifier(of: shell)
    try await shell.waitForScreen("48.118633 11.517333")
    kill(identifier, signal)
    _ = try await shell.waitForExit()
    let rest = try #require(shell.output.text.components(separatedBy: Self.leaving).last)
    #expect(rest.hasSuffix("restored after \(status)\r\n"))
    #expect(shell.screen().isCursorVisible)
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
    try await shell.waitForScreen("48.118633")
    let limit = try ProgramOutput(of: "prlimit", ["--cpu=1:", "--pid", "\(identifier)"])
    #expect(limit.errors == "")
    // A second of processor time takes long on a busy machine.
    try await waitUntil("the limit", timeout: .seconds(120)) {
      let cpu = (try? ProcessFigures(of: identifier))?.cpu
      return cpu.map { $0 >= .seconds(2) } ?? true
    }
    _ = try await shell.waitForExit()
    #expect(shell.output.text.contains(Self.leaving))
    #expect(shell.output.text.hasSuffix("restored after 152\r\n"))
  }

  @Test func `restores the terminal after ctrl-C`() async throws {
    let impostor = try gpsd()
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    try await shell.waitForScreen("48.118633 11.517333")
    try await shell.write("\u{3}")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 130\r\n"))
  }

  @Test func `leaves the screen for ctrl-Z, and comes back with fg`() async throws {
    let impostor = try gpsd()
    let script = """
      '\(Locwatch.program)' --view --stale 1h 127.0.0.1:\(impostor.port)
      stty -a | grep -o ' icanon'; echo stopped; read; fg; echo "ended with $?"
      """
    let shell = try ChildProcess(
      "bash", ["-mc", script], environment: ["TERM": "xterm", "LC_ALL": "C"], rows: 24, columns: 80)
    try await shell.waitForScreen("48.118633 11.517333")
    try await shell.write("\u{1a}")
    try await waitUntil("the shell") { shell.output.text.contains("stopped\r\n") }
    #expect(!shell.screen().isAlternate && shell.screen().isCursorVisible)
    #expect(shell.output.text.contains(" icanon"))
    try await shell.write("\n")
    try await shell.waitForScreen("48.118633 11.517333")
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "ended with 0\r\n"))
    #expect(shell.output.text.components(separatedBy: Self.entering).count == 3)
  }

  @Test func `is drawn again when it was stopped from outside`() async throws {
    let impostor = try gpsd()
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    let identifier = try await identifier(of: shell)
    try await shell.waitForScreen("48.118633 11.517333")
    kill(identifier, SIGSTOP)
    kill(identifier, SIGCONT)
    try await waitUntil("the screen again") {
      shell.output.text.components(separatedBy: Self.entering).count == 3
    }
    try await shell.waitForScreen("48.118633 11.517333")
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 0\r\n"))
  }

  @Test func `is drawn at most four times a second`() async throws {
    let fixes = (0..<300).map { Reports.fix($0, altMSL: "\(1000 + $0).0") }
    let file = try TemporaryFile(lines: [Reports.version, Reports.devices] + fixes)
    let start = ContinuousClock.now
    let shell = try self.start("--speed 5 --duration 29s --replay \(file.path)")
    _ = try await shell.waitForExit()
    let seconds = (ContinuousClock.now - start) / .seconds(1)
    // Every frame changes the height, in at most two places.
    let heights = shell.output.text.matches(of: /\x1b\[5;\d+H/).count
    #expect(heights > 3)
    #expect(Double(heights) < 8 * seconds + 4)
  }

  @Test func `is drawn again for another size, down to 20 x 5`() async throws {
    let impostor = try gpsd()
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)", rows: 60, columns: 200)
    try await shell.waitForScreen("Scatter of 1 fix", rows: 60, columns: 200)
    for (rows, columns, part) in [(5, 20, "48.118633 11.517333"), (1, 1, "f"), (24, 80, "Scatter")]
    {
      shell.resize(rows: rows, columns: columns)
      try await shell.waitForScreen(part, rows: rows, columns: columns)
    }
    shell.resize(rows: 5, columns: 20)
    try await waitUntil("the small screen") {
      shell.screen(rows: 5, columns: 20).lines == [
        "fix-3d for \(shell.screen(rows: 5, columns: 20).lines[0].dropFirst(11))",
        "48.118633 11.517333", "Claimed   ±24.7 m", "Speed     41.5 km/h", "Quality   1/2 sats",
      ]
    }
    try await shell.write("q")
    _ = try await shell.waitForExit()
  }

  @Test func `says that gpsd is gone, and comes back`() async throws {
    let (gone, back) = (Gate(), Gate())
    let impostor = try Impostor(
      [.sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(gone), .close],
      [.wait(back), .sendLines(Reports.version, Reports.devices, Reports.fix(100)), .hold])
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    try await shell.waitForScreen("fix-3d for")
    gone.open()
    try await shell.waitForScreen("no-daemon for")
    try await shell.waitForScreen("last 48.118633 11.517333")
    back.open()
    try await shell.waitForScreen("fix-3d for")
    let identifier = try await identifier(of: shell)
    kill(identifier, SIGTERM)
    _ = try await shell.waitForExit()
  }

  @Test func `writes why a run ended after it left the screen`() async throws {
    let end = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0)), .wait(end), .close,
    ])
    let shell = try start("--no-reconnect --stale 1h 127.0.0.1:\(impostor.port)")
    try await shell.waitForScreen("fix-3d for")
    end.open()
    _ = try await shell.waitForExit()
    let rest = try #require(shell.output.text.components(separatedBy: Self.leaving).last)
    #expect(rest.hasPrefix("locwatch: ") && rest.hasSuffix("restored after 69\r\n"), "\(rest)")
  }

  @Test func `shows advice in the screen`() async throws {
    let impostor = try Impostor([
      .sendLines(
        Reports.version, Reports.devices, Reports.fix(0, extra: #","status":8"#)), .hold,
    ])
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    try await shell.waitForScreen("SIMULATED: /dev/ttyACM0 reports a simulated position")
    try await shell.waitForScreen("SIMULATED 48.118633 11.517333")
    #expect(!shell.output.text.contains("locwatch: SIMULATED"))
    try await shell.write("q")
    _ = try await shell.waitForExit()
  }

  @Test func `shows the receiver that a key chooses`() async throws {
    let impostor = try Impostor([
      .sendLines(
        Reports.version, Reports.fix(0), Reports.fix(0, device: "/dev/ttyUSB1", altMSL: "7.0")),
      .hold,
    ])
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)")
    try await shell.waitForScreen(" 1 ttyACM0 fix-3d   2 ttyUSB1 fix-3d")
    try await shell.waitForScreen("Height    545.4 m")
    for (key, height) in [
      ("\t", "7.0"), ("\t", "545.4"), ("2", "7.0"), ("1", "545.4"), ("\u{1b}[B", "7.0"),
      ("\u{1b}[A", "545.4"),
    ] {
      try await shell.write(key)
      try await shell.waitForScreen("Height    \(height) m")
    }
    try await shell.write("q")
    _ = try await shell.waitForExit()
  }

  @Test func `shows the end of a replay until q`() async throws {
    let file = try TemporaryFile(lines: [
      Reports.version, Reports.devices, Self.sky, Reports.fix(0), Reports.fix(5),
    ])
    let shell = try start("--replay \(file.path)")
    try await shell.waitForScreen("End of the recording: Left goes back, q quits")
    #expect(shell.screen().text.contains("48.118633 11.517333"))
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 0\r\n"))
  }

  @Test func `shows a recording from its beginning, before the first report of a receiver`()
    async throws
  {
    let file = try TemporaryFile(lines: [
      #"{"class":"LOCWATCH","t":0.000,"start":"2026-11-20T07:04:00.000Z"}"#, Reports.version,
      Reports.devices, #"{"class":"LOCWATCH","t":50.000}"#, Reports.fix(0),
    ])
    let shell = try start("--speed 0.1 --replay \(file.path)")
    try await shell.waitForScreen("connecting for")
    try await shell.write("q")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 0\r\n"))
  }

  @Test(arguments: ["-n 2", "--duration 3s"])
  func `leaves when the requested run is over`(option: String) async throws {
    let file = try TemporaryFile(lines: [
      Reports.version, Reports.devices, Reports.fix(0), Reports.fix(5), Reports.fix(40),
    ])
    let shell = try start("\(option) --replay \(file.path)")
    _ = try await shell.waitForExit()
    #expect(shell.output.text.hasSuffix(Self.leaving + "restored after 0\r\n"))
  }

  @Test func `shows nothing of a file that is no recording`() async throws {
    try await expectNothing(of: ["<gpx></gpx>"])
  }

  @Test(.needsGPSD) func `shows nothing of a log in which gpsd finds no receiver`() async throws {
    try await expectNothing(
      of: [Reports.version, Reports.devices, "$GPGGA,070501.00,4807.12,N,01131.04,E"])
  }

  private func expectNothing(
    of lines: [String], _ location: SourceLocation = #_sourceLocation
  ) async throws {
    let file = try TemporaryFile(lines: lines)
    let shell = try start("--replay \(file.path)")
    _ = try await shell.waitForExit()
    #expect(!shell.output.text.contains("\u{1b}"), sourceLocation: location)
    #expect(shell.output.text.hasSuffix("restored after 65\r\n"), sourceLocation: location)
  }

  @Test func `takes keys from the terminal while a recording comes through a pipe`() async throws {
    let file = try TemporaryFile(lines: [Reports.version, Reports.devices, Reports.fix(0)])
    let shell = try ChildProcess(
      "sh", ["-c", "cat \(file.path) | '\(Locwatch.program)' --view --replay -"],
      environment: ["TERM": "xterm"], rows: 24, columns: 80)
    try await shell.waitForScreen("End of the recording")
    try await shell.write("q")
    #expect(try await shell.waitForExit() == .exited(0))
  }

  @Test(arguments: [("C", false), ("C.UTF-8", true)])
  func `draws with braille where the locale has it`(locale: String, hasBraille: Bool) async throws {
    let impostor = try gpsd()
    let shell = try start(
      "--stale 1h 127.0.0.1:\(impostor.port)", environment: ["LC_ALL": locale, "NO_COLOR": "1"])
    try await shell.waitForScreen("G5")
    let text = shell.screen().text
    #expect(text.unicodeScalars.contains { (0x2800...0x28ff).contains($0.value) } == hasBraille)
    #expect(text.contains("....N....") != hasBraille)
    #expect(text.utf8.allSatisfy { $0 < 0x80 } != hasBraille)
    #expect(!shell.output.text.contains(/\x1b\[[0-9;]*3[0-8][;m]/))
    try await shell.write("q")
    _ = try await shell.waitForExit()
  }

  /// Fault 31.
  @Test func `lets nothing from the wire control the terminal`() async throws {
    let evil = #"\u001b]52;c;aGk=\u0007\u001b[2J\u202e\u009b31m\r\n"#
    let impostor = try Impostor([
      .sendLines(
        #"{"class":"VERSION","release":"\#(evil)","proto_major":3,"proto_minor":14}"#,
        #"{"class":"ERROR","message":"\#(evil)"}"#, Reports.fix(0, device: "/dev/\(evil)"),
        Reports.fix(0, device: "/dev/b\(evil)")), .hold,
    ])
    let shell = try start("--stale 1h 127.0.0.1:\(impostor.port)", rows: 40, columns: 200)
    try await shell.waitForScreen("48.118633 11.517333", rows: 40, columns: 200)
    try await shell.write("q")
    _ = try await shell.waitForExit()
    let own = shell.output.text.replacing(/\x1b\[[?0-9;]*[HJmhl]/, with: "")
    let controls = own.unicodeScalars.filter {
      $0 != "\r" && $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202e}")
    }
    #expect(controls.isEmpty)
    #expect(!shell.output.text.contains("\u{9b}"))
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
