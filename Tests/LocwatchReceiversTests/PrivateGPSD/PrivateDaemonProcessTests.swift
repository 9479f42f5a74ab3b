import GPSDLocation
import GPSDTestKit
import Glibc
import LocationCore
import Synchronization
import TestSupport
import Testing

@testable import LocwatchReceivers
@testable import LocwatchSystem

/// A private gpsd whose program is a script, and what becomes of its processes.
@Suite(.timeLimit(.minutes(5))) struct `The processes of a private gpsd` {
  private static let reset = LocationError(
    .disconnected, systemError: .errno(ECONNRESET), "Connection reset by peer")
  private static let position = #"{"class":"TPV","device":"/dev/ttyNONE"}"#

  private let folder: TemporaryFolder
  private let daemon: PrivateDaemon

  /// What the script has said of itself.
  private struct Process {
    let shell: pid_t
    let identifier: pid_t
    let sharedMemoryKey: key_t
  }

  init() throws {
    let folder = try TemporaryFolder()
    self.folder = folder
    let script = """
      #!/bin/sh
      echo 'one line' >&2
      echo 'no such receiver' >&2
      echo "$PPID $$ $GPSD_SHM_KEY" > '\(folder.path)/new'
      mv '\(folder.path)/new' '\(folder.path)/said'
      exec sleep 1000

      """
    try folder.write(script, to: "gpsd", mode: 0o755)
    daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/ttyNONE"),
      environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
  }

  /// Starts gpsd, and waits until it runs.
  private func start(_ daemon: PrivateDaemon) async throws -> Process {
    unlink("\(folder.path)/said")
    _ = try await daemon.restart(by: .live)
    while folder.text(of: "said") == nil, !Task.isCancelled { await Task.yield() }
    let words = try #require(folder.text(of: "said")).split { !$0.isNumber }.map(String.init)
    try #require(words.count == 3)
    return Process(
      shell: try #require(pid_t(words[0])), identifier: try #require(pid_t(words[1])),
      sharedMemoryKey: try #require(key_t(words[2])))
  }

  /// Whether a process has ended, or does so within ten seconds.
  private func hasEnded(_ process: pid_t) async -> Bool {
    let end = LocationClock.live.now.advanced(by: .seconds(10))
    while kill(process, 0) == 0, LocationClock.live.now < end { await Task.yield() }
    return kill(process, 0) == -1 && errno == ESRCH
  }

  @Test func `end before another gpsd is started, and when it is stopped`() async throws {
    let first = try await start(daemon)
    let second = try await start(daemon)
    #expect(first.identifier != second.identifier)
    #expect(await hasEnded(first.identifier))
    #expect(await hasEnded(first.shell))
    #expect(kill(second.identifier, 0) == 0)
    daemon.stop()
    #expect(await hasEnded(second.identifier))
    #expect(await hasEnded(second.shell))
  }

  @Test(arguments: [false, true])
  func `leave no shared memory, even if the shell was killed`(isRestarted: Bool) async throws {
    let process = try await start(daemon)
    #expect(throws: Never.self) { _ = try daemon.wake() }
    kill(process.shell, SIGKILL)
    let killed = LocationError(.disconnected, "the shell that supervises gpsd was killed")
    var failure: LocationError?
    while failure == nil, !Task.isCancelled {
      do throws(LocationError) { _ = try daemon.wake() } catch { failure = error }
      await Task.yield()
    }
    #expect(failure == killed)
    let session = PrivateDaemonSession(try PolledSession(), daemon: daemon, clock: .live)
    #expect(session.wait().deadline == .past)
    await #expect(throws: killed) { try await session.read() }
    #expect(shmget(process.sharedMemoryKey, 4096, CInt(IPC_CREAT) | 0o600) >= 0)
    if isRestarted { _ = try await start(daemon) } else { daemon.stop() }
    #expect(shmget(process.sharedMemoryKey, 0, 0) == -1 && errno == ENOENT)
    #expect(await hasEnded(process.identifier))
    daemon.stop()
  }

  @Test func `say why gpsd does not start, until it has sent something`() async throws {
    _ = try await start(daemon)
    #expect(daemon.reason(of: Self.reset).detail == "gpsd does not start: no such receiver")
    #expect(daemon.reason(of: Self.reset).code == .unreachable)
    daemon.handle(GPSDLines(bytes: Array("{}\r\n".utf8)[...], received: nil))
    #expect(daemon.reason(of: Self.reset) == Self.reset)
    daemon.stop()
    #expect(daemon.reason(of: Self.reset) == Self.reset)
  }

  @Test func `end a session's wait when the receiver has to be looked for`() async throws {
    let node = Mutex(DeviceNode?(DeviceNode(number: 1)))
    let daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/ttyNONE", node: { node.withLock(\.self) }),
      environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
    let (base, clock) = (try PolledSession(), ManualClock())
    let session = PrivateDaemonSession(base, daemon: daemon, clock: clock.locationClock)
    func deadline() -> Double? { session.wait().deadline?.uptime.inSeconds }
    func text() throws -> String? { try session.text(at: clock.locationClock.now) }
    func pass(milliseconds: Int64) throws -> Double? {
      clock.jump(by: .milliseconds(milliseconds))
      #expect(try text() == nil)
      return deadline()
    }
    // Before gpsd is started there is no receiver to look for.
    #expect(session.wait().arrival === base.point && deadline() == nil)
    try await session.open(GPSDEndpoint())
    #expect(deadline() == 2)
    // The next look is two seconds after the last report.
    base.bring(Self.position, at: Moment(uptime: .seconds(1)))
    #expect(try text() == Self.position + "\r\n")
    #expect(deadline() == 3)
    node.withLock { $0 = nil }
    #expect(try pass(milliseconds: 2999) == 3)
    // The command is sent, and its answer looked for.
    #expect(try pass(milliseconds: 1) == 3.05)
    #expect(try pass(milliseconds: 50) == 3.1)
    daemon.stop()
    // Without a gpsd there is nothing to look for.
    #expect(try pass(milliseconds: 9000) == nil)
  }

  @Test func `are not waited for if they accept no commands`() async throws {
    // The end of a process may close its port first.
    try folder.write("#!/bin/sh\nexec 3<&-\n", to: "gpsd", mode: 0o755)
    let node = Mutex(DeviceNode?(DeviceNode(number: 1)))
    let daemon = try PrivateDaemon(
      for: PrivateDaemon.Receiver(path: "/dev/ttyNONE", node: { node.withLock(\.self) }),
      environment: ["PATH": "\(folder.path):/usr/bin:/bin"])
    let client = try await daemon.restart(by: ManualClock().locationClock)
    // The connection ends once commands are no longer accepted.
    while client.takeArrived() != nil, !Task.isCancelled { await Task.yield() }
    node.withLock { $0 = nil }
    var deadlines = [try daemon.wake()?.uptime.inSeconds]
    for milliseconds in [2000, 2050] as [Int64] {
      daemon.keepReceiver(at: Moment(uptime: .milliseconds(milliseconds)))
      try deadlines.append(daemon.wake()?.uptime.inSeconds)
    }
    #expect(deadlines == [2, 2.05, 3])
    daemon.stop()
  }
}
