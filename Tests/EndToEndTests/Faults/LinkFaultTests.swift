import DaemonHarness
import Glibc
import SimulatedReceiver
import Testing

/// Faults of the connection, by their numbers in the fault matrix.
@Suite(.timeLimit(.minutes(5)))
struct `Of a bad connection` {
  private static let answer = [Reports.version, Reports.devices]

  @Test func `1: refused, then gpsd appears`() async throws {
    let port = try freePort()
    let locwatch = try Locwatch.start("--json", "--verbose", "127.0.0.1:\(port)")
    var transcript = Transcript(of: locwatch)
    let reason = "127.0.0.1:\(port): no gpsd accepts connections there"
    let refused = try await transcript.state("no-daemon")
    #expect(refused.previous == "connecting" && refused.reason == reason)
    #expect(abs(try #require(refused.retryIn) - 1) <= 0.2)
    // A try that fails as the one before changes no state.
    let retry = try await locwatch.errors.waitForLine(containing: "\(reason); retry in ")
    let seconds = try #require(retry.split(separator: " ").dropLast().last.flatMap { Double($0) })
    #expect(abs(seconds / 2 - 1) <= 0.2 + 0.05)
    let impostor = try Impostor(
      [.expect("?WATCH"), .sendLines(Reports.version, Reports.fix(0)), .hold], port: port)
    let back = try await transcript.next { _ in true }
    #expect(back.transition == "fix-3d < no-daemon")
    try await transcript.fix()
    withExtendedLifetime(impostor) {}
  }

  @Test func `4: accepted and closed without a banner`() async throws {
    let impostor = try Impostor([.close])
    let locwatch = try Locwatch.start("--json", "--verbose", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    let closed = try await transcript.state("no-daemon")
    #expect(["closed by gpsd", "Connection reset by peer"].contains(closed.reason))
    #expect(abs(try #require(closed.retryIn) - 1) <= 0.2)
    // On a busy machine, another try may end between two looks.
    try await waitUntil("three tries") {
      locwatch.errors.lines.count { $0.contains("retry in") } >= 2
    }
    #expect(try locwatch.output.records().compactMap(\.state) == ["connecting", "no-daemon"])
  }

  @Test(arguments: Stranger.all) func `6: not a gpsd`(stranger: Stranger) async throws {
    let impostor = try Impostor([.expect("?WATCH"), .send(stranger.words), .close])
    let result = try await Locwatch.run("--once", "127.0.0.1:\(impostor.port)")
    #expect(result.status == .exited(69) && result.output == "")
    let words = "locwatch: 127.0.0.1:\(impostor.port): not a gpsd: it says '"
    #expect(result.errors.hasPrefix(words))
    #expect(result.errors.contains(stranger.shown + "'"), "\(result.errors)")
  }

  @Test(.takesLong, .needsGPSD) func `9: gpsd stopped`() async throws {
    let site = try await Site()
    let locwatch = try Locwatch.start("--json", "--stale", "2s", site.address)
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    site.gpsd.signal(SIGSTOP)
    #expect(try await transcript.state("lost").reason == "silence")
    try await transcript.state("no-daemon", timeout: .seconds(30))
    // The kernel accepts the connection, and nothing is sent: back-off and 15 s.
    site.gpsd.signal(SIGCONT)
    try await transcript.state("fix-3d", timeout: .seconds(60))
    let fix = try await transcript.fix()
    #expect(fix.current == nil)
  }

  @Test(arguments: [false, true]) func `10: reset, or end of stream, in mid-line`(
    isReset: Bool
  ) async throws {
    let gate = Gate()
    let impostor = try Impostor(
      [
        .sendLines(Reports.version, Reports.fix(0)), .send(#"{"class":"TPV","mode"#), .wait(gate),
        isReset ? .reset : .close,
      ], [.sendLines(Reports.version, Reports.fix(10)), .hold])
    let locwatch = try Locwatch.start(
      "--json", "-v", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    gate.open()
    let gone = try await transcript.state("no-daemon")
    #expect(gone.reason == (isReset ? "Connection reset by peer" : "closed by gpsd"))
    #expect(try await transcript.fix().time == Reports.time(10))
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    #expect(locwatch.errors.lines.contains("locwatch: cut or too long: 1 (20 bytes)"))
    #expect(locwatch.errors.lines.contains("locwatch: attempts to reconnect: 1"))
  }
}

/// What answers on a port that is not gpsd's.
struct Stranger: CustomTestStringConvertible {
  var testDescription: String
  var words: String
  /// What is shown of that.
  var shown: String

  static let all = [
    Stranger(
      testDescription: "HTTP", words: "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n",
      shown: "HTTP/1.1 400 Bad Request"),
    Stranger(
      testDescription: "SSH",
      words: "SSH-2.0-OpenSSH_9.2\r\nInvalid SSH identification string.\r\n",
      shown: "SSH-2.0-OpenSSH_9.2"),
    Stranger(
      testDescription: "1 MB of noise",
      words: String(repeating: "noise\u{1b}[31m\n", count: 90_000), shown: #"noise\u{1b}[31m"#),
    Stranger(
      testDescription: "1 MB without a line end",
      words: String(repeating: "noise", count: 200_000), shown: "bytes without a line end"),
  ]
}
