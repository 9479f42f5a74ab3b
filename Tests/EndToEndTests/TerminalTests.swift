import DaemonHarness
import Foundation
import Glibc
import Testing

@Suite(.timeLimit(.minutes(3)))
struct `On a terminal, locwatch` {
  private static let live = "fix-3d  48.118633 11.517333  545.4 m"

  private func gpsd() throws -> Impostor {
    try Impostor([
      .sendLines(Reports.version, Reports.devices, Reports.fix(0), Reports.fix(10)), .hold,
    ])
  }

  @Test func `redraws one line, and leaves it behind when it is interrupted`() async throws {
    let impostor = try gpsd()
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "--stale", "1h", "127.0.0.1:\(impostor.port)", columns: 120)
    try await waitUntil("live line, drawn again") {
      locwatch.output.text.components(separatedBy: "\r\u{1b}[K" + Self.live).count > 2
    }
    try await locwatch.write("\u{3}")
    #expect(try await locwatch.waitForExit() == .exited(130))
    let lines = locwatch.output.text.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.last == "")
    #expect(lines.dropLast().last?.contains(Self.live) == true)
    let scrolled = lines.filter { !$0.contains("\u{1b}[K" + Self.live) }
    #expect(scrolled.contains { $0.hasSuffix("connecting") })
  }

  @Test func `draws a fix as soon as the eye can see it`() async throws {
    let gates = (0..<10).map { _ in Gate() }
    let impostor = try Impostor(
      [.sendLines(Reports.version)]
        + gates.enumerated().flatMap { index, gate in
          [.sendLines(Reports.fix(10 * index, altMSL: "\(100 + index).0")), .wait(gate)]
            as [ImpostorStep]
        })
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "--stale", "1h", "127.0.0.1:\(impostor.port)", columns: 120)
    _ = try await locwatch.output.waitForLine(containing: "fix-3d")
    var waits: [Duration] = []
    for (index, gate) in gates.enumerated() {
      let start = ContinuousClock.now
      try await waitUntil("fix \(index)") { locwatch.output.text.contains("  \(100 + index).0 m") }
      waits.append(ContinuousClock.now - start)
      gate.open()
    }
    // The line is redrawn once a second without a fix. The first fix was there before.
    let shortest = try #require(waits.dropFirst().min())
    expect(shortest, within: .milliseconds(500))
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
  }

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

  @Test func `draws no wider than the terminal is`() async throws {
    let impostor = try gpsd()
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "--stale", "1h", "127.0.0.1:\(impostor.port)", columns: 30)
    try await waitUntil("live line") { locwatch.output.text.contains("48.118633 11.517333") }
    // What scrolls by may be wider; it ends with a line end.
    let narrow = locwatch.output.text.split(separator: "\r\u{1b}[K").filter {
      !$0.contains("\r\n")
    }
    #expect(narrow.allSatisfy { $0.count < 30 && !$0.contains("545.4") })
    locwatch.resize(rows: 24, columns: 120)
    try await waitUntil("wider line") { locwatch.output.text.contains(Self.live) }
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
  }

  @Test func `prints only one fix there, too`() async throws {
    let impostor = try gpsd()
    let locwatch = try Locwatch.startOnTerminal("--once", "127.0.0.1:\(impostor.port)")
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(locwatch.output.text == "48.118633333 11.517333333 545.4\r\n")
  }

  @Test(arguments: [["-n", "2"], ["--no-events", "-n", "2"]])
  func `writes every requested fix, and redraws nothing`(
    arguments: [String]
  ) async throws {
    let impostor = try gpsd()
    let locwatch = try ChildProcess(
      Locwatch.program, arguments + ["--color", "never", "127.0.0.1:\(impostor.port)"],
      environment: ["TERM": "xterm"], rows: 24, columns: 80)
    #expect(try await locwatch.waitForExit() == .exited(0))
    let text = locwatch.output.text
    #expect(
      text.hasSuffix(
        """
        2026-11-20T07:05:00.000Z fix-3d 48.118633333 11.517333333 545.4\r
        2026-11-20T07:05:01.000Z fix-3d 48.118633333 11.517333333 545.4\r

        """))
    #expect(!text.contains("\u{1b}"))
  }

  @Test func `writes the records of a replay`() async throws {
    let file = try TemporaryFile(lines: [Reports.version, Reports.fix(0), Reports.fix(10)])
    let locwatch = try Locwatch.startOnTerminal("--color", "never", "--replay", file.path)
    #expect(try await locwatch.waitForExit() == .exited(0))
    #expect(
      locwatch.output.text == """
        - connecting -\r
        2026-11-20T07:05:00.000Z fix-3d /dev/ttyACM0\r
        2026-11-20T07:05:00.000Z fix-3d 48.118633333 11.517333333 545.4\r
        2026-11-20T07:05:01.000Z fix-3d 48.118633333 11.517333333 545.4\r

        """)
  }

  @Test(arguments: [
    (24, 3, [0, 1, 2], nil), (5, 3, [0, 1, 2], nil), (5, 4, [0, 1], "and 2 more"),
  ])
  func `draws a line for each receiver, as many as there is room for`(
    rows: Int, count: Int, shown: [Int], rest: String?
  ) async throws {
    let fixes = (0..<count).map { Reports.fix(0, device: "/dev/tty\($0)") }
    let impostor = try Impostor([
      .sendLines(Reports.version), .send(fixes.map { "\($0)\r\n" }.joined()), .hold,
    ])
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "--stale", "1h", "127.0.0.1:\(impostor.port)", rows: rows, columns: 50)
    let fix = "fix-3d  48.118633 11.517333  +-24.7 m  /dev/tty"
    let lines = shown.map { "\(fix)\($0)" } + [rest].compactMap(\.self)
    let block = lines.joined(separator: "\r\n")
    let up = "\u{1b}[\(lines.count - 1)A\r\u{1b}[J"
    // What is drawn next begins where the lines began.
    try await waitUntil("the lines") { locwatch.output.text.contains(block + up) }
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    #expect(locwatch.output.text.hasSuffix("\r\n"))
  }

  @Test func `says where the receiver was last, and for how long it has been lost`() async throws {
    // Each age is drawn once, and a busy machine may miss it.
    let losses: [ImpostorStep] = (0..<9).flatMap { number in
      [
        .sendLines(Reports.fix(30 * number), Reports.noFix(30 * number + 10)), .pause(.seconds(3)),
      ]
    }
    let impostor = try Impostor(
      [.sendLines(Reports.version, Reports.devices)] + losses + [.hold])
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "127.0.0.1:\(impostor.port)", columns: 80)
    try await waitUntil("the age of the last position") {
      locwatch.output.text.contains(/lost  last 48.118633 11.517333  0\.\d s ago  no position/)
        && locwatch.output.text.contains(/lost  last 48.118633 11.517333  2\.\d s ago  no position/)
    }
    impostor.close()
    try await waitUntil("the countdown to the retry") {
      locwatch.output.text.contains(
        /no-daemon  last 48.118633 11.517333  \d+(?:\.\d)? s ago  retry in \d s/)
    }
    #expect(
      locwatch.output.text.contains(
        "07:05:00Z lost /dev/ttyACM0 no position; last fix 07:05:00Z 48.118633 11.517333\r\n"))
  }

  /// Fault 31.
  @Test func `lets nothing from the wire control the terminal`() async throws {
    let evil = #"\u001b]52;c;aGk=\u0007\u001b[2J\u202e\u009b31m\r\n</name>"#
    let impostor = try Impostor([
      .sendLines(
        #"{"class":"VERSION","release":"\#(evil)","proto_major":3,"proto_minor":14}"#,
        #"{"class":"DEVICES","devices":[{"path":"/dev/\#(evil)","driver":"\#(evil)"}]}"#,
        #"{"class":"ERROR","message":"\#(evil)"}"#,
        Reports.fix(0, device: "/dev/\(evil)"), Reports.fix(10, device: "/dev/\(evil)")), .hold,
    ])
    let locwatch = try Locwatch.startOnTerminal(
      "--color", "never", "--verbose", "--stale", "1h", "127.0.0.1:\(impostor.port)",
      columns: 200)
    try await waitUntil("live line") { locwatch.output.text.contains(Self.live) }
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    let text = locwatch.output.text.replacing("\r\u{1b}[K", with: "").replacing("\r\n", with: "\n")
    let controls = text.unicodeScalars.filter {
      $0 != "\n" && ($0.properties.generalCategory == .control || $0 == "\u{202e}")
    }
    #expect(controls.isEmpty, "\(text)")
    #expect(text.contains("</name>"))
  }
}
