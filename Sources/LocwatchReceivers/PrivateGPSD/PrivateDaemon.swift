package import GPSDLocation
import Glibc
package import LocationCore
package import LocwatchSystem
import Synchronization

/// A private gpsd for one receiver, with a single connection.
///
/// gpsd runs under a shell that reads a pipe from this process and stops gpsd when the pipe is
/// closed. So gpsd ends with this process, even after `kill -9`. (PR_SET_PDEATHSIG does not work:
/// gpsd loses it when it gives up root.)
///
/// gpsd inherits its listening sockets as it would from systemd: as descriptors 3 and 4, with its own
/// process id in LISTEN_PID. The connection of this process already waits there when gpsd starts. Nobody
/// else can connect, because a client of gpsd can send its receiver any bytes.
package final class PrivateDaemon: Sendable {
  private static let script = """
    /bin/sh -c 'LISTEN_PID=$$ LISTEN_FDS=2; export LISTEN_PID LISTEN_FDS; exec "$@"' sh "$@" </dev/null &
    daemon=$!
    exec 3<&- 4<&-
    PATH="$PATH:/usr/bin:/bin"
    while read -r _; do :; done
    kill "$daemon" 2>/dev/null
    for _ in 1 2 3 4 5 6 7 8 9 10; do
      kill -0 "$daemon" 2>/dev/null || break
      sleep 0.05
    done
    kill -9 "$daemon" 2>/dev/null
    wait
    ipcrm -M "$GPSD_SHM_KEY" 2>/dev/null
    """

  /// The key of gpsd's shared memory segment, which no other gpsd uses.
  ///
  /// gpsd running as root leaves its shared memory segment behind. With a key of its own, this process
  /// can remove it, or the script can if this process is killed.
  private let sharedMemoryKey: key_t
  private static let count = Atomic<UInt32>(0)

  private struct Running {
    let shell: Supervisor
    let control: ControlSocket
    var keeper: ReceiverKeeper
    var exchange: ControlSocket.Exchange?
    var hasSpoken = false

    /// The shell, if gpsd has sent nothing yet.
    var silentShell: Supervisor? { hasSpoken ? nil : shell }
  }

  /// The receiver that gpsd reads.
  package struct Receiver: Sendable {
    /// The path by which gpsd opens it.
    package let path: String
    /// gpsd's options for it.
    var options: [String] = []
    /// The path by which gpsd reads corrections for it; `nil` if there are none.
    package var corrections: String?
    /// Whether gpsd is started with the path even while there is no device. Otherwise the path is added later.
    var isNamedWhileAway = true
    /// Returns its current device; `nil` while there is none.
    var node: @Sendable () -> DeviceNode? = { nil }
  }

  private let program: String
  package let receiver: Receiver
  private let environment: [String]
  private let folders: [String]
  private let running = Mutex<Running?>(nil)
  private let isStopped = Atomic(false)
  private let didRefuse: @Sendable () -> Void

  /// - Parameter didRefuse: Called when gpsd may not open a receiver that was plugged in again.
  /// - Throws: ``Failure`` if gpsd is not installed on this machine.
  package init(
    for receiver: Receiver, environment: Environment,
    didRefuse: @escaping @Sendable () -> Void = {}
  ) throws(Failure) {
    let number = Self.count.add(1, ordering: .relaxed).oldValue & 0xff
    let process = UInt32(truncatingIfNeeded: getpid()) & 0xffff
    sharedMemoryKey = key_t(truncatingIfNeeded: 0x4c57_0000 + number << 16 | process)
    program = try GPSDProgram.find(environment)
    self.receiver = receiver
    self.didRefuse = didRefuse
    self.environment = environment.entries(
      setting: "GPSD_SHM_KEY", to: "\(sharedMemoryKey)")
    folders = [environment["TMPDIR"], "/tmp", "/dev/shm"].compactMap(\.self)
  }

  /// Whether a receiver that is plugged in again can be added again.
  package var bringsReceiverBack: Bool {
    ControlSocket.isAvailable && ControlSocket.takes(receiver.path)
  }

  /// Starts gpsd again, stopping the previous one, and returns the only connection to it.
  ///
  /// - Parameter clock: The clock of the wait for the end of the previous one.
  func restart(by clock: LocationClock) async throws(LocationError) -> Socket {
    if let shell = takeShell() {
      await shell.end(by: clock)
      removeSharedMemory()
    }
    do throws(LocationError) {
      return try start(at: clock.now)
    } catch {
      throw error.described(as: "cannot start gpsd")
    }
  }

  private func start(at now: Moment) throws(LocationError) -> Socket {
    let (control, controlListener) = try inFolder { (folder) throws(LocationError) in
      let listener = try Socket(AF_UNIX)
      return (try ControlSocket(for: listener, in: folder), listener)
    }
    let (client, listener) = try soleConnection()
    // gpsd can connect before its start returns. The lock makes `isPeer` wait until then.
    try running.withLock { (running) throws(LocationError) in
      guard !isStopped.load(ordering: .sequentiallyConsistent) else {
        throw LocationError(.cancelled, "it was stopped")
      }
      let node = receiver.node()
      let shell = try Supervisor(
        ["/bin/sh", "-c", Self.script, "sh", program, "-N", "-n"] + receiver.options
          + (node == nil && !receiver.isNamedWhileAway ? [] : [receiver.path])
          + [receiver.corrections].compactMap(\.self),
        environment: environment,
        descriptors: [controlListener.descriptor, listener.descriptor])
      running = Running(
        shell: shell, control: control, keeper: ReceiverKeeper(of: node, at: now))
    }
    return client
  }

  /// Uses TCP if the kernel can do that: its buffers hold an hour of reports while this process is stopped,
  /// those of a Unix socket only a minute.
  private func soleConnection() throws(LocationError) -> (client: Socket, listener: Socket) {
    if let (client, listener, _) = try? Socket.soleConnection() { return (client, listener) }
    return try inFolder(Socket.soleConnection(in:))
  }

  /// Runs a body with each folder until it succeeds.
  private func inFolder<Result>(
    _ body: (String) throws(LocationError) -> Result
  ) throws(LocationError) -> Result {
    var failure = LocationError.system(ENOENT)
    for folder in folders {
      do throws(LocationError) { return try body(folder) } catch { failure = error }
    }
    throw failure
  }

  /// Returns when to call ``keepReceiver(at:)``; `nil` for never.
  ///
  /// - Throws: If the shell was killed: then nothing would stop gpsd if this process is killed, too.
  func wake() throws(LocationError) -> Moment? {
    try running.withLock { (running) throws(LocationError) -> Moment? in
      guard running?.shell.hasEnded != true else {
        throw LocationError(.disconnected, "the shell that supervises gpsd was killed")
      }
      return running?.keeper.deadline
    }
  }

  /// Records lines from gpsd.
  func handle(_ lines: GPSDLines) {
    running.withLock { running in
      running?.hasSpoken = true
      guard let received = lines.received, lines.contains(where: \.isReport) else { return }
      running?.keeper.handle(at: received) { receiver.node() }
    }
  }

  /// Removes the receiver from gpsd, or adds it again, if that is due.
  func keepReceiver(at moment: Moment) {
    let isNewlyRefused = running.withLock { running in
      let exchange = running?.exchange
      let step = running?.keeper.expire(
        at: moment, answer: { exchange.map(ControlSocket.Answer.init(from:)) ?? .failed },
        node: { receiver.node() })
      if let command = step?.command, let control = running?.control {
        running?.exchange = control.send(command, receiver.path)
      }
      return step?.isNewlyRefused == true
    }
    if isNewlyRefused { didRefuse() }
  }

  /// Returns the reason for an error. If gpsd has sent nothing yet, it did not start, and the
  /// reason is its last error message.
  func reason(of error: LocationError) -> LocationError {
    guard error.code != .cancelled, let shell = running.withLock({ $0?.silentShell }) else {
      return error
    }
    let command: ShellText = "\(argument: program) -N -n -D 1 \(argument: receiver.path)"
    let reason = shell.takeLastError() ?? "try '\(command)'"
    return LocationError(.unreachable, "gpsd does not start: \(reason)")
  }

  /// Returns whether a peer that has connected to a port of the loopback interface is this gpsd.
  ///
  /// If gpsd's descriptors cannot be read, a socket of root, of this process's user or of gpsd's user is
  /// assumed to be gpsd's.
  ///
  /// - Returns: `nil` if the kernel's table does not have the connection.
  package func isPeer(_ peer: SocketAddress, connectedTo port: UInt16) -> Bool? {
    guard let group = running.withLock({ $0?.shell.group }) else { return false }
    let owner = TCPTable().owner(of: peer, connectedTo: SocketAddress(port: port))
    guard let owner else { return nil }
    return group.hasSocket(owner.inode)
      ?? group.users.union([0, geteuid()]).contains(owner.user)
  }

  /// Stops gpsd, which cannot be started again.
  package func stop() {
    isStopped.store(true, ordering: .sequentiallyConsistent)
    guard let shell = takeShell() else { return }
    shell.end()
    removeSharedMemory()
  }

  private func takeShell() -> Supervisor? { running.withLock { $0.take()?.shell } }

  private func removeSharedMemory() {
    let segment = shmget(sharedMemoryKey, 0, 0)
    if segment >= 0 { _ = shmctl(segment, IPC_RMID, nil) }
  }
}

extension ArraySlice<UInt8> {
  /// Whether the line is a report from the receiver rather than from gpsd itself.
  var isReport: Bool {
    let name = dropFirst(#"{"class":""#.utf8.count)
    return name.starts(with: "TPV".utf8) || name.starts(with: "SKY".utf8)
  }
}

/// A session with a private gpsd, which is started again for each connection.
///
/// While it reads, it removes and adds the receiver as needed.
package struct PrivateDaemonSession: GPSDSession {
  private let base: any GPSDSession
  private let daemon: PrivateDaemon
  private let clock: LocationClock

  package init(_ base: any GPSDSession, daemon: PrivateDaemon, clock: LocationClock) {
    self.base = base
    self.daemon = daemon
    self.clock = clock
  }

  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    let client = try await daemon.restart(by: clock)
    do throws(LocationError) {
      try await base.open(GPSDEndpoint(connection: client.descriptor))
    } catch {
      throw daemon.reason(of: error)
    }
    withExtendedLifetime(client) {}
  }

  package func send(_ command: GPSDCommand) throws(LocationError) {
    do throws(LocationError) { try base.send(command) } catch { throw daemon.reason(of: error) }
  }

  package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    let polled: Polled<GPSDLines>
    do throws(LocationError) { polled = try base.poll(at: now) } catch {
      throw daemon.reason(of: error)
    }
    if case .received(let lines) = polled {
      daemon.handle(lines)
    } else if let wake = try daemon.wake(), wake <= now {
      daemon.keepReceiver(at: now)
    }
    return polled
  }

  package func wait() -> Wait {
    var wait = base.wait()
    do throws(LocationError) { wait.end(by: try daemon.wake()) } catch {
      // The next poll throws the same error.
      wait.end(by: .past)
    }
    return wait
  }

  package func close() { base.close() }
}

extension SerialDevice {
  /// Returns the device for a private gpsd.
  ///
  /// - Parameter corrections: The path by which gpsd reads corrections for it; `nil` if there are none.
  package func receiver(corrections: String? = nil) -> PrivateDaemon.Receiver {
    PrivateDaemon.Receiver(
      path: path, options: lineSettings(isWritten: corrections != nil), corrections: corrections
    ) { node }
  }
}
