import DaemonHarness
import Foundation
import Glibc
import SimulatedReceiver
import Testing

/// Faults 34, 35, 45, 46, 58 and 116.
@Suite(.serialized, .needsGPSD, .timeLimit(.minutes(5)))
struct `A private gpsd` {
  private let folder: TemporaryFolder
  private let receiver: SimulatedReceiver
  private let feeding: Feeding

  init() throws {
    folder = try TemporaryFolder()
    receiver = try SimulatedReceiver(.standing, link: folder.path + "/gps0")
    feeding = Feeding(receiver)
  }

  /// The gpsd that a shell of locwatch started, and that reads the receiver. Those that tests start may be older than the
  /// receiver, and have had one whose terminal had the same name.
  private func daemon() throws -> pid_t? {
    try ProcessTable.identifiers().first { identifier in
      let arguments = ProcessTable.arguments(of: identifier)
      guard arguments.first?.hasSuffix("/gpsd") == true, arguments.last == receiver.path,
        let parent = ProcessTable.parent(of: identifier)
      else { return false }
      return ProcessTable.arguments(of: parent).first?.hasSuffix("sh") == true
    }
  }

  /// Unplugs a receiver for so long, and expects it back.
  private func pull(for seconds: Int) async throws {
    let recording = folder.path + "/recording.jsonl"
    let locwatch = try Locwatch.start(
      "--json", "-v", "--record", recording, receiver.path)
    var transcript = Transcript(of: locwatch)
    try await transcript.state("fix-3d", of: receiver.path, timeout: .seconds(30))
    let pulled = ContinuousClock.now
    receiver.unplug()
    if seconds > 0 {
      let gone = try await transcript.state("no-device")
      #expect(gone.previous == "fix-3d" && gone.device == receiver.path)
      expect(ContinuousClock.now - pulled, within: .seconds(4))
      try await waitUntil("\(seconds) s", timeout: .seconds(seconds + 10)) {
        ContinuousClock.now - pulled > .seconds(seconds)
      }
    }
    let fixesBefore = try locwatch.output.records().filter(\.isFix).count
    try receiver.plugIn()
    let pluggedIn = ContinuousClock.now
    try await waitUntil("fixes") {
      try locwatch.output.records().filter(\.isFix).count >= fixesBefore + 10
    }
    expect(ContinuousClock.now - pluggedIn, within: .seconds(15))
    locwatch.signal(SIGINT)
    #expect(try await locwatch.waitForExit() == .exited(130))
    #expect(locwatch.errors.lines.contains("locwatch: attempts to reconnect: 0"))
    let states = try locwatch.output.records().compactMap(\.state)
    #expect(!states.contains("lost") && !states.contains("no-daemon"), "\(states)")
    let replay = try await Locwatch.run("--json", "--replay", recording)
    let fixes = try Transcript.records(in: replay.output).filter(\.isFix).count
    #expect(fixes >= fixesBefore + 10)
  }

  @Test(arguments: [0, 4])
  func `gets its receiver back when that is plugged in again`(seconds: Int) async throws {
    try await pull(for: seconds)
  }

  /// gpsd has given up root by then.
  @Test(.needsRoot) func `says that it may not open a receiver that has returned`() async throws {
    let locwatch = try Locwatch.start("--json", receiver.path)
    var transcript = Transcript(of: locwatch)
    try await transcript.state("fix-3d", of: receiver.path, timeout: .seconds(30))
    receiver.unplug()
    try await transcript.state("no-device")
    chmod(folder.path, 0o700)
    try receiver.plugIn()
    let words = "locwatch: \(receiver.path) is back, but gpsd does not open it"
    _ = try await locwatch.errors.waitForLine(containing: words)
    chmod(folder.path, 0o755)
    try await transcript.state("fix-3d", of: receiver.path, timeout: .seconds(30))
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    #expect(locwatch.errors.lines.filter { $0 == words }.count == 1)
  }

  @Test(.takesLong, arguments: [30, 90])
  func `gets its receiver back after a while`(seconds: Int) async throws {
    try await pull(for: seconds)
  }

  @Test(arguments: [SIGINT, SIGKILL])
  func `has no port that others know first, and leaves no file`(signal: CInt) async throws {
    let folder = try TemporaryFolder()
    let locwatch = try Locwatch.start(
      ["--json", receiver.path], environment: ["TMPDIR": folder.path])
    var transcript = Transcript(of: locwatch)
    try await transcript.fix(timeout: .seconds(30))
    #expect(folder.names == [])
    let daemon = try #require(try daemon())
    let arguments = ProcessTable.arguments(of: daemon)
    #expect(!arguments.contains("-S") && !arguments.contains("-F"), "\(arguments)")
    locwatch.signal(signal)
    let status = try await locwatch.waitForExit()
    #expect(status == (signal == SIGKILL ? .signalled(SIGKILL) : .exited(130)))
    try await waitUntil("end of gpsd") { kill(daemon, 0) != 0 }
    #expect(folder.names == [])
  }

  /// The ports at which a process listens.
  private func ports(of process: pid_t) throws -> [Int] {
    let folder = "/proc/\(process)/fd"
    let links = try FileManager.default.contentsOfDirectory(atPath: folder).map {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")
    }
    // String(contentsOfFile:) takes no more than the first 4 KiB of what has no size.
    let table = try FileHandle(forReadingFrom: URL(filePath: "/proc/net/tcp")).readToEnd()
    let sockets = String(decoding: table ?? Data(), as: UTF8.self).split(separator: "\n")
    return sockets.map { $0.split(separator: " ") }.compactMap { socket in
      // 0A is the state of one that listens.
      guard socket.count > 9, socket[3] == "0A", links.contains("socket:[\(socket[9])]")
      else { return nil }
      return socket[1].split(separator: ":").last.flatMap { Int($0, radix: 16) }
    }
  }

  /// Fault 116. A process that can connect can also have gpsd send the receiver any bytes.
  @Test func `accepts only locwatch's connection, and so does the gpsd that replaces it`()
    async throws
  {
    var (locwatch, transcript, daemon) = try await start()
    for isLast in [false, true] {
      let ports = try ports(of: daemon)
      #expect(ports.count == 1)
      for port in ports {
        #expect(throws: SystemError.self) {
          try LoopbackClient(port: port, patience: .milliseconds(500))
        }
      }
      if isLast { break }
      let last = daemon
      kill(last, SIGKILL)
      let gone = try await transcript.state("no-daemon")
      #expect(gone.previous == "fix-3d" && gone.retryIn.map { 0.8...1.2 ~= $0 } == true)
      try await transcript.state("fix-3d", timeout: .seconds(30))
      daemon = try #require(try self.daemon())
      #expect(daemon != last)
    }
    try await transcript.fix()
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    try await waitUntil("end of gpsd") { kill(daemon, 0) != 0 }
  }

  /// Fault 134. Some kernels deny some ways to a sole connection to users other than root, or to all.
  @Test(arguments: [
    ["setpriv", "--bounding-set=-net_admin,-net_raw,-sys_admin"],
    ["strace", "-qq", "-o", "/dev/null", "-e", "inject=setsockopt:error=ENOPROTOOPT"],
  ])
  func `is started by any user, whatever the kernel can do`(words: [String]) async throws {
    // A user other than root has none of these capabilities.
    let words = words[0] == "setpriv" && geteuid() != 0 ? ["env"] : words
    let locwatch = try ChildProcess(
      words[0], words.dropFirst() + [Locwatch.program, "--once", "-t", "30", receiver.path])
    #expect(try await locwatch.waitForExit(timeout: .seconds(60)) == .exited(0))
    #expect(locwatch.errors.text == "")
    #expect(locwatch.output.text == "48.118633333 11.517333333 545.4\n")
  }

  /// locwatch with a gpsd of its own, and a first fix.
  private func start() async throws -> (
    locwatch: ChildProcess, transcript: Transcript, daemon: pid_t
  ) {
    let locwatch = try Locwatch.start("--json", receiver.path)
    var transcript = Transcript(of: locwatch)
    try await transcript.state("fix-3d", of: receiver.path, timeout: .seconds(30))
    let daemon = try #require(try daemon())
    return (locwatch, transcript, daemon)
  }

  /// Fault 45. The 2 s are those of the search for the system's gpsd, and of the start.
  @Test(.needsRoot, arguments: PortHolder.all)
  func `starts within 2 s whoever holds port 2947`(holder: PortHolder) async throws {
    let path = receiver.path
    let (impostor, locwatch, start) = try await NetworkNamespace.run(as: holder.user) {
      let impostor = try Impostor(holder.script(path), port: 2947)
      return (impostor, try Locwatch.start("--json", path), ContinuousClock.now)
    }
    try await waitUntil("gpsd") { try daemon() != nil }
    expect(ContinuousClock.now - start, within: .seconds(2))
    var transcript = Transcript(of: locwatch)
    #expect(try await transcript.fix(timeout: .seconds(30)).lat == 48.118633333)
    // On a busy machine, the receiver may also be silent for a while.
    #expect(
      locwatch.errors.lines.filter { $0.contains("2947") }
        == (holder.user == 0
          ? []
          : [
            "locwatch: the gpsd on port 2947 is not used: its socket belongs to user \(holder.user)"
          ]))
    withExtendedLifetime(impostor) {}
  }

  /// Fault 45.
  @Test(.needsRoot) func `or none has started when the timeout is over`() async throws {
    let path = receiver.path
    try await expect(within: .seconds(3)) {
      let (impostor, locwatch) = try await NetworkNamespace.run {
        (try Impostor([.hold], port: 2947), try Locwatch.start("-1", "-t", "1", path))
      }
      #expect(try await locwatch.waitForExit() == .exited(69))
      withExtendedLifetime(impostor) {}
    }
  }

  /// Fault 58: /bin and /usr/bin are not in the PATH, but a folder of this name is.
  @Test func `needs nothing of the PATH, and leaves no shared memory`() async throws {
    try folder.makeFolder("gpsd")
    for signal in [SIGTERM, SIGKILL] {
      let locwatch = try Locwatch.start(
        ["--json", receiver.path], environment: ["PATH": folder.path])
      var transcript = Transcript(of: locwatch)
      try await transcript.fix(timeout: .seconds(30))
      locwatch.signal(signal)
      _ = try await locwatch.waitForExit()
      try await waitUntil("end of gpsd") { try daemon() == nil }
      let key = 0x4c57_0000 | UInt32(locwatch.identifier) & 0xffff
      try await waitUntil("end of the segment") { try !sharedMemory().contains(key) }
    }
  }

  /// Fault 58.
  @Test func `is restarted when its shell is killed, and ends with locwatch`() async throws {
    var (locwatch, transcript, daemon) = try await start()
    kill(getpgid(daemon), SIGKILL)
    let gone = try await transcript.state("no-daemon")
    #expect(gone.reason == "the shell that supervises gpsd was killed")
    try await transcript.state("fix-3d", timeout: .seconds(30))
    try await waitUntil("end of the first gpsd") { kill(daemon, 0) != 0 }
    let other = try #require(try self.daemon())
    // The second time, locwatch has no time to notice.
    kill(getpgid(other), SIGKILL)
    locwatch.signal(SIGTERM)
    #expect(try await locwatch.waitForExit() == .exited(143))
    try await waitUntil("end of gpsd") { kill(other, 0) != 0 }
  }

  /// The keys of all segments of shared memory.
  private func sharedMemory() throws -> Set<UInt32> {
    let lines = try String(contentsOfFile: "/proc/sysvipc/shm", encoding: .utf8).split(
      separator: "\n")
    return Set(
      lines.dropFirst().compactMap { line in
        line.split(separator: " ").first.flatMap { Int32($0) }.map(UInt32.init(bitPattern:))
      })
  }

  @Test func `that does not start is given up, with a way to find out why`() async throws {
    try folder.link("gpsd", to: "/bin/false")
    let result = try await Locwatch.run(["--once", receiver.path], environment: path)
    #expect(result.status == .exited(69) && result.output == "", "\(result)")
    #expect(
      result.errors.hasPrefix(
        "locwatch: gpsd does not start: try '\(folder.path)/gpsd -N -n -D 1 \(receiver.path)'\n"),
      "\(result.errors)")
  }

  @Test func `that does not start is quoted`() async throws {
    let result = try await run(
      ["--once", receiver.path],
      gpsd: "echo 'gpsd:INFO: hello' >&2; echo 'gpsd:ERROR: no \u{1b} luck' >&2; exit 1")
    #expect(
      result
        == .init(
          status: .exited(69), output: "",
          errors: "locwatch: gpsd does not start: gpsd:ERROR: no \\u{1b} luck\n"))
  }

  @Test func `that writes more errors than are read keeps running`() async throws {
    let result = try await run(
      ["--once", receiver.path],
      gpsd: "yes error 2>/dev/null | head -c 300000 >&2; exec /usr/sbin/gpsd \"$@\"")
    #expect(
      result
        == .init(status: .exited(0), output: "48.118633333 11.517333333 545.4\n", errors: ""))
  }

  /// A PATH in which the folder comes first.
  private var path: [String: String?] { ["PATH": folder.path + ":/usr/bin:/bin"] }

  /// Runs locwatch with a shell script in the place of gpsd.
  private func run(_ arguments: [String], gpsd script: String) async throws -> Locwatch.Result {
    try folder.write("#!/bin/sh\n\(script)\n", to: "gpsd", mode: 0o755)
    return try await Locwatch.run(arguments, environment: path, timeout: .seconds(40))
  }
}

/// The process that listens on port 2947, and what it does.
struct PortHolder: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// The user to whom the socket belongs.
  var user: uid_t = 0
  var script: @Sendable (_ receiver: String) -> [ImpostorStep]

  private static func flood(_ line: String) -> ImpostorStep {
    let piece = Array(String(repeating: "\(line)\r\n", count: 50).utf8)
    return .generate { _ in piece }
  }

  static let all = [
    PortHolder(testDescription: "silence") { _ in [.hold] },
    PortHolder(testDescription: "blank lines") { _ in [flood("")] },
    PortHolder(testDescription: "VERSION") { _ in [flood(Reports.version)] },
    PortHolder(testDescription: "another user's lies", user: 7771) { receiver in
      let devices = #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(receiver)"}]}"#
      return [
        .sendLines(Reports.version, devices),
        .generate { Array("\(Reports.fix($0, device: receiver, altMSL: "1.0"))\r\n".utf8) },
      ]
    },
  ]
}
