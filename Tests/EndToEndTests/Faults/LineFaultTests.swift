import DaemonHarness
import Glibc
import TestSupport
import Testing

/// Faults of what is sent, by their numbers in the fault matrix.
@Suite(.timeLimit(.minutes(5)))
struct `Of bad lines` {
  @Test func `15: half a line, 5 s, the rest`() async throws {
    let (half, rest) = (Reports.fix(10).prefix(100), Reports.fix(10).dropFirst(100))
    let (early, sent, late) = (Gate(), Gate(), Gate())
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(early),
      .trickle(Array(half.utf8), every: .milliseconds(50)), .open(sent), .wait(late),
      .trickle(Array("\(rest)\r\n".utf8), every: .milliseconds(5)), .hold,
    ])
    let locwatch = try Locwatch.start("--json", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let before = try locwatch.usage()
    let start = ContinuousClock.now
    early.open()
    // A hundred bytes in 5 s.
    try await waitUntil("half a line") { sent.isOpen }
    let used = try locwatch.usage().processorTime - before.processorTime
    #expect(used / (ContinuousClock.now - start) < 0.02)
    late.open()
    #expect(try await transcript.fix().time == Reports.time(10))
    #expect(try locwatch.output.records().filter(\.isFix).count == 2)
  }

  @Test(.takesLong) func `16: 100 MB without a newline`() async throws {
    let block = [UInt8](repeating: 0x78, count: 1_000_000)
    let (gate, sent) = (Gate(), Gate())
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(gate),
      .generate { index in
        if index < 100 { return block }
        sent.open()
        return nil
      }, .sendLines("", Reports.fix(10)), .hold,
    ])
    let locwatch = try Locwatch.start(
      "--json", "-v", "--stale", "1h", "127.0.0.1:\(impostor.port)")
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    let before = try locwatch.usage()
    gate.open()
    #expect(try await transcript.fix(timeout: .seconds(100)).time == Reports.time(10))
    let after = try locwatch.usage()
    #expect(after.residentBytes - before.residentBytes < 2_000_000)
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.errors.lines.contains("locwatch: cut or too long: 1 (100000002 bytes)"))
    #expect(sent.isOpen)
  }

  @Test func `17: four million empty lines, live and in a recording`() async throws {
    let empty = String(repeating: "\n", count: 4_000_000)
    let text = [Reports.version, Reports.fix(0), empty + Reports.fix(10)].joined(separator: "\r\n")
    let impostor = try Impostor([.send(text + "\r\n"), .hold])
    let recording = try TemporaryFile(text + "\r\n")
    let ways = ["-v", "-f", "%time", "--no-events", "-n", "2"]
    for source in [["127.0.0.1:\(impostor.port)"], ["--replay", recording.path]] {
      try await expect(within: .seconds(4)) {
        let result = try await Locwatch.run(ways + source)
        #expect(result.output == "\(Reports.time(0))\n\(Reports.time(10))\n")
        #expect(result.errors.contains("\nlocwatch: bad lines: 0\n"))
      }
    }
  }
}
