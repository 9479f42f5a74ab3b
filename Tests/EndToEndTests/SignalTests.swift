import DaemonHarness
import Foundation
import SimulatedReceiver
import Synchronization
import Testing

/// What locwatch is doing when a signal comes.
enum Activity: CaseIterable, Sendable {
  case connecting, waitingForAnswer, reading, waitingToRetry, writingToNobody, drawingForNobody
  case waitingInReplay, waitingForInput, waitingForPacedInput

  /// Starts it, and waits until it is doing this.
  ///
  /// - Returns: Also what it needs for that.
  func start() async throws -> (locwatch: ChildProcess, site: Any) {
    let greeting = ImpostorStep.sendLines(Reports.version, Reports.fix(0))
    switch self {
    case .connecting:
      // Fault 2.
      let backlog = try FullBacklog()
      let locwatch = try Locwatch.start("--json", "127.0.0.1:\(backlog.port)")
      _ = try await locwatch.output.waitForLine(containing: "connecting")
      try await waitUntil("connect") { locwatch.hasSocket }
      return (locwatch, backlog)
    case .waitingForAnswer:
      let impostor = try Impostor([.hold])
      let locwatch = try Locwatch.start("127.0.0.1:\(impostor.port)")
      _ = try await impostor.client().waitForCommand(containing: "?WATCH")
      return (locwatch, impostor)
    case .reading:
      let impostor = try Impostor([greeting, .hold])
      return (try await start("127.0.0.1:\(impostor.port)"), impostor)
    case .waitingToRetry:
      return (try await start("127.0.0.1:\(try freePort())", until: "no-daemon"), ())
    case .writingToNobody, .drawingForNobody:
      let sent = Atomic(0)
      let impostor = try Impostor([
        .sendLines(Reports.version),
        .generate { index in
          sent.store(index, ordering: .relaxed)
          return Array("\(Reports.fix(index))\r\n\(Reports.noFix(index + 1))\r\n".utf8)
        },
      ])
      let address = "127.0.0.1:\(impostor.port)"
      let locwatch =
        try self == .writingToNobody
        ? Locwatch.start("--json", address) : Locwatch.startOnTerminal(address)
      locwatch.output.pause()
      // More than a pipe and the command's own buffer hold: gpsd is read on. Fault 24, without its minute.
      try await waitUntil("flood", timeout: .seconds(120)) {
        sent.load(ordering: .relaxed) > 20_000
      }
      return (locwatch, impostor)
    case .waitingInReplay:
      let file = try TemporaryFile(lines: [Reports.version, Reports.fix(0), Reports.fix(36_000)])
      return (try await start("--replay", file.path, "--speed", "1"), file)
    case .waitingForInput, .waitingForPacedInput:
      let speed = self == .waitingForInput ? "max" : "10"
      let locwatch = try Locwatch.start(["--replay", "-", "--speed", speed], input: .pipe)
      try await locwatch.write("\(Reports.version)\n\(Reports.fix(0))\n\(Reports.fix(10))\n")
      _ = try await locwatch.output.waitForLine(containing: "fix-3d 48.1")
      return (locwatch, ())
    }
  }

  private func start(
    _ arguments: String..., until text: String = "fix-3d 48.1"
  ) async throws -> ChildProcess {
    let locwatch = try Locwatch.start(arguments)
    _ = try await locwatch.output.waitForLine(containing: text)
    return locwatch
  }
}

/// Invariant 6.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct `A signal ends locwatch within a second` {
  @discardableResult
  private func end(
    _ locwatch: ChildProcess, by signal: SignalCase,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> Duration {
    let start = ContinuousClock.now
    locwatch.signal(signal.number)
    try await waitUntil("end after the signal") { locwatch.status != nil }
    let elapsed = ContinuousClock.now - start
    expect(elapsed, within: .seconds(1), sourceLocation: sourceLocation)
    #expect(locwatch.status == .exited(signal.status), sourceLocation: sourceLocation)
    return elapsed
  }

  /// A preloaded library sends the signal at the first thing that its own code asks the system.
  @Test(.needsCompiler, arguments: SignalCase.signals + [SignalCase(number: SIGUSR1, status: 0)])
  func `as soon as it has started`(signal: SignalCase) async throws {
    let library = try TemporaryFile()
    let source = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../Checks/early-signal.c").standardizedFileURL.path
    let compiler = try ChildProcess(
      "/usr/bin/cc", ["-shared", "-fPIC", "-o", library.path, source])
    #expect(try await compiler.waitForExit(timeout: .seconds(60)) == .exited(0))
    let report = try TemporaryFile(ending: ".html")
    let result = try await Locwatch.run(
      ["--report", report.path, "--duration", "1", "127.0.0.1:\(try freePort())"],
      environment: ["LD_PRELOAD": library.path, "EARLY_SIGNAL": "\(signal.number)"])
    #expect(result.status == .exited(signal.status), "\(result.errors)")
    #expect(FileManager.default.fileExists(atPath: report.path))
  }

  /// Faults 2 and 24.
  @Test(arguments: Activity.allCases, SignalCase.signals)
  func `whatever it is doing`(activity: Activity, signal: SignalCase) async throws {
    let (locwatch, site) = try await activity.start()
    try await end(locwatch, by: signal)
    withExtendedLifetime(site) {}
  }

  @Test(arguments: SignalCase.signals)
  func `while the system blocks it on a file`(signal: SignalCase) async throws {
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
}

/// Faults 42 and 43.
@Suite(.timeLimit(.minutes(5))) struct `A signal` {
  /// Fault 42: as under nohup, and in the background of a script.
  @Test(arguments: [
    ("HUP", SIGHUP, SIGTERM, 143), ("INT", SIGINT, SIGHUP, 129), ("TERM", SIGTERM, SIGINT, 130),
  ])
  func `that its parent ignores is ignored`(
    name: String, number: CInt, other: CInt, status: CInt
  ) async throws {
    let gate = Gate()
    let impostor = try Impostor([
      .sendLines(Reports.version, Reports.fix(0)), .wait(gate), .sendLines(Reports.fix(10)), .hold,
    ])
    let locwatch = try ChildProcess(
      "/bin/sh",
      [
        "-c", "trap '' \(name); exec \"$0\" \"$@\"", Locwatch.program, "--json",
        "--stale", "1h", "127.0.0.1:\(impostor.port)",
      ])
    var transcript = Transcript(of: locwatch)
    try await transcript.fix()
    locwatch.signal(number)
    gate.open()
    try await transcript.fix()
    locwatch.signal(other)
    #expect(try await locwatch.waitForExit() == .exited(status))
  }

  /// Fault 43: GNU timeout sends its signal to locwatch, and again to all of its group.
  @Test(arguments: SignalCase.signals, [SIGHUP, SIGINT, SIGTERM])
  func `that another follows ends the run in order`(
    first: SignalCase, second: CInt
  ) async throws {
    // The last one is waited for: it comes 11 hours later. Of more than 12, a replay makes no wait.
    let file = try TemporaryFile(
      lines: [Reports.version] + (0..<2000).map { Reports.fix($0) } + [Reports.fix(400_000)])
    let locwatch = try Locwatch.start(
      "-f", "gpx", "-v", "--replay", file.path, "--speed", "1000")
    _ = try await locwatch.output.waitForLine(containing: "<trkpt")
    locwatch.signal(first.number)
    locwatch.signal(second)
    // Signals that wait for each other are taken in the order of their numbers.
    let statuses = SignalCase.signals.filter { [first.number, second].contains($0.number) }
    let status = try await locwatch.waitForExit()
    #expect(statuses.contains { status == .exited($0.status) }, "\(status)")
    #expect(locwatch.output.text.hasSuffix("</gpx>\n"))
    #expect(locwatch.errors.lines.contains("locwatch: attempts to reconnect: 0"))
  }

  /// As of a recording on a disk that was full, or of no recording at all.
  @Test(arguments: SignalCase.signals, [[], ["--speed", "10"]])
  func `is noticed in a replay of an endless line`(
    signal: SignalCase, speed: [String]
  ) async throws {
    let file = try TemporaryFile(lines: [Reports.version] + (0..<20).map { Reports.fix($0) })
    // A hole in the file, which takes no room on the disk.
    #expect(truncate(file.path, 1 << 38) == 0)
    let locwatch = try Locwatch.start(
      ["-f", "gpx", "-v", "--replay", file.path] + speed)
    try await waitUntil("reading the hole") {
      let usage = try String(contentsOfFile: "/proc/\(locwatch.identifier)/io", encoding: .utf8)
      return Int(usage.dropFirst("rchar: ".count).prefix(while: \.isNumber)) ?? 0 > 10_000_000
    }
    locwatch.signal(signal.number)
    #expect(try await locwatch.waitForExit() == .exited(signal.status))
    #expect(locwatch.output.text.contains("<trkpt"))
    #expect(locwatch.output.text.hasSuffix("</gpx>\n"))
    #expect(locwatch.errors.lines.contains("locwatch: attempts to reconnect: 0"))
  }
}

/// A signal, and the status that it ends locwatch with.
struct SignalCase: Sendable {
  var number: CInt
  var status: CInt

  static let signals = [
    SignalCase(number: SIGHUP, status: 129), SignalCase(number: SIGINT, status: 130),
    SignalCase(number: SIGTERM, status: 143),
  ]
}

extension ChildProcess {
  /// Whether the program has a socket open: one that connects to a host that does not answer.
  fileprivate var hasSocket: Bool {
    let folder = "/proc/\(identifier)/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.contains { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
      return target?.hasPrefix("socket:") ?? false
    }
  }
}
