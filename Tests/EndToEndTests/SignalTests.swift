import DaemonHarness
import Foundation
import SimulatedReceiver
import Synchronization
import Testing

/// Invariant 6.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A signal ends locwatch within a second` {
  static let signals: [(number: CInt, status: CInt)] = [
    (SIGHUP, 129), (SIGINT, 130), (SIGTERM, 143),
  ]

  @discardableResult
  private func end(
    _ locwatch: ChildProcess, by signal: (number: CInt, status: CInt),
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Duration {
    let start = ContinuousClock.now
    locwatch.signal(signal.number)
    try await waitUntil("end after the signal") { locwatch.status != nil }
    let elapsed = ContinuousClock.now - start
    let limit = try await .seconds(1) + slack()
    #expect(elapsed < limit, sourceLocation: sourceLocation)
    #expect(locwatch.status == .exited(signal.status), sourceLocation: sourceLocation)
    return elapsed
  }

  /// Fault 2.
  @Test(arguments: signals) func `while it connects`(signal: (CInt, CInt)) async throws {
    let backlog = try FullBacklog()
    let locwatch = try Locwatch.start("--json", "127.0.0.1:\(backlog.port)")
    _ = try await locwatch.output.waitForLine(containing: "connecting")
    try await waitUntil("connect") { locwatch.hasSocket }
    try await end(locwatch, by: signal)
  }

  @Test(arguments: signals) func `while it waits for an answer`(signal: (CInt, CInt)) async throws {
    let impostor = try Impostor([.hold])
    let locwatch = try Locwatch.start("127.0.0.1:\(impostor.port)")
    _ = try await impostor.client().waitForCommand(containing: "?WATCH")
    try await end(locwatch, by: signal)
  }

  @Test(arguments: signals) func `while it reads`(signal: (CInt, CInt)) async throws {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let locwatch = try Locwatch.start("127.0.0.1:\(impostor.port)")
    _ = try await locwatch.output.waitForLine(containing: "fix-3d 48.1")
    try await end(locwatch, by: signal)
  }

  @Test(arguments: signals) func `while it waits to try again`(signal: (CInt, CInt)) async throws {
    let locwatch = try Locwatch.start("127.0.0.1:\(try freePort())")
    _ = try await locwatch.output.waitForLine(containing: "no-daemon")
    try await end(locwatch, by: signal)
  }

  /// Fault 24, without its minute.
  @Test(arguments: signals) func `while nobody reads its output`(signal: (CInt, CInt)) async throws
  {
    let sent = Atomic(0)
    let impostor = try Impostor([
      .sendLines(Reports.version),
      .generate { index in
        sent.store(index, ordering: .relaxed)
        return Array("\(Reports.fix(index))\r\n".utf8)
      },
    ])
    let locwatch = try Locwatch.start("--json", "127.0.0.1:\(impostor.port)")
    locwatch.output.pause()
    // More than a pipe and the command's own buffer hold: gpsd is read on.
    try await waitUntil("flood", timeout: .seconds(120)) { sent.load(ordering: .relaxed) > 20_000 }
    try await end(locwatch, by: signal)
  }

  @Test(arguments: signals) func `while its terminal is stopped`(signal: (CInt, CInt)) async throws
  {
    let sent = Atomic(0)
    let impostor = try Impostor([
      .sendLines(Reports.version),
      .generate { index in
        sent.store(index, ordering: .relaxed)
        return Array("\(Reports.fix(index))\r\n\(Reports.noFix(index + 1))\r\n".utf8)
      },
    ])
    let locwatch = try Locwatch.startOnTerminal("127.0.0.1:\(impostor.port)")
    locwatch.output.pause()
    try await waitUntil("flood", timeout: .seconds(120)) { sent.load(ordering: .relaxed) > 20_000 }
    try await end(locwatch, by: signal)
  }

  @Test(arguments: signals) func `while the system lets it wait for a file`(
    signal: (CInt, CInt)
  ) async throws {
    let impostor = try Impostor([.sendLines(Reports.version, Reports.fix(0)), .hold])
    let file = try TemporaryFile([])
    let lease = try FileLease(on: file.path)
    let locwatch = try Locwatch.start(
      "--record", file.path, "127.0.0.1:\(impostor.port)")
    try await waitUntil("open") { lease.isWanted }
    // It ends itself where it still waits after 0.8 s.
    #expect(try await end(locwatch, by: signal) > .milliseconds(500))
    withExtendedLifetime(lease) {}
  }

  @Test(arguments: signals) func `during a paced replay`(signal: (CInt, CInt)) async throws {
    let file = try TemporaryFile(lines: [Reports.version, Reports.fix(0), Reports.fix(36_000)])
    let locwatch = try Locwatch.start("--replay", file.path, "--speed", "1")
    _ = try await locwatch.output.waitForLine(containing: "fix-3d 48.1")
    try await end(locwatch, by: signal)
  }

  @Test(arguments: signals, [[], ["--speed", "10"]])
  func `during a replay of an input that says nothing`(
    signal: (CInt, CInt), speed: [String]
  ) async throws {
    let locwatch = try Locwatch.start(["--replay", "-"] + speed, input: .pipe)
    try await locwatch.write("\(Reports.version)\n\(Reports.fix(0))\n\(Reports.fix(10))\n")
    _ = try await locwatch.output.waitForLine(containing: "fix-3d 48.1")
    try await end(locwatch, by: signal)
  }
}

extension ChildProcess {
  /// Whether the program has a socket open: one that connects, where nobody answers.
  fileprivate var hasSocket: Bool {
    let folder = "/proc/\(identifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.hasPrefix("socket:") ?? false
    }
  }
}
