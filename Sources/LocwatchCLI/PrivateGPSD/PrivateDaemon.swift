import GPSDLocation
import Glibc
import LocationCore
import Synchronization

/// A gpsd of our own for one receiver, on a port of the loopback interface that nobody else had.
///
/// A shell stands between: it reads a pipe whose other end nobody but this process has, and ends
/// gpsd when the pipe ends. So gpsd goes with this process in whatever way that goes, `kill -9`
/// included. (PR_SET_PDEATHSIG would not do: a gpsd that gives up root loses it.)
///
/// gpsd is given the sockets that it listens at, as systemd gives them: descriptors 3 and 4, and its own
/// process in LISTEN_PID.
final class PrivateDaemon: Sendable {
  private static let script = """
    sh -c 'LISTEN_PID=$$ LISTEN_FDS=2; export LISTEN_PID LISTEN_FDS; exec "$@"' sh "$@" </dev/null &
    daemon=$!
    exec 3<&- 4<&-
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

  private struct Running {
    let shell: Supervisor
    let control: ControlSocket
    var keeper: ReceiverKeeper
    var exchange: ControlSocket.Exchange?
    var hasSpoken = false
  }

  private let program: String
  private let device: SerialDevice
  private let environment: [String]
  private let folders: [String]
  private let running = Mutex<Running?>(nil)

  /// - Throws: ``Failure`` where there is no gpsd on this machine.
  init(for device: SerialDevice, environment: Environment) throws(Failure) {
    program = try GPSDProgram.find(environment)
    self.device = device
    // gpsd as root leaves a segment of shared memory behind, under a key that is to be ours.
    let key = 0x4c57_0000 | UInt32(truncatingIfNeeded: getpid()) & 0xffff
    self.environment = environment.entries(setting: "GPSD_SHM_KEY", to: "\(key)")
    folders = [environment["TMPDIR"], "/tmp", "/dev/shm"].compactMap(\.self)
  }

  /// Whether a receiver that is unplugged comes back when it is plugged in again.
  var bringsReceiverBack: Bool { ControlSocket.isAvailable && ControlSocket.takes(device.path) }

  /// Starts gpsd, in place of one that runs or died, and returns where it listens.
  func restart(at moment: Moment) throws(GPSDError) -> GPSDEndpoint {
    stop()
    let (control, listener) = try makeControlSocket()
    let (client, port) = try Socket.listeningOnLoopback()
    let supervisor = try Supervisor(
      ["/bin/sh", "-c", Self.script, "sh", program, "-N", "-n"] + device.lineSettings
        + [device.path],
      environment: environment,
      descriptors: [listener.descriptor, client.descriptor])
    running.withLock {
      $0 = Running(
        shell: supervisor, control: control, keeper: ReceiverKeeper(of: device.node, at: moment))
    }
    return GPSDEndpoint(host: "127.0.0.1", port: port)
  }

  private func makeControlSocket() throws(GPSDError) -> (ControlSocket, listener: Socket) {
    var failure = GPSDError.cannotStart(ENOENT)
    for folder in folders {
      do throws(GPSDError) {
        let listener = try Socket(AF_UNIX)
        return (try ControlSocket(for: listener, in: folder), listener)
      } catch {
        failure = error
      }
    }
    throw failure
  }

  /// When ``keepReceiver(at:)`` has something to do.
  var deadline: Moment? { running.withLock { $0?.keeper.deadline } }

  /// Notes what gpsd said.
  func hear(_ line: GPSDLine) {
    running.withLock { running in
      running?.hasSpoken = true
      guard let received = line.received, line.isReport else { return }
      running?.keeper.hear(at: received) { device.node }
    }
  }

  /// Tells gpsd that its receiver is gone, or back, where that is due.
  func keepReceiver(at moment: Moment) {
    running.withLock { running in
      let exchange = running?.exchange
      let command = running?.keeper.expire(
        at: moment, answer: { exchange.map(ControlSocket.Answer.init(from:)) ?? .failed },
        node: { device.node })
      guard let command, let control = running?.control else { return }
      running?.exchange = control.send(command, device.path)
    }
  }

  /// What an error means: of a gpsd that has not said a word yet, that it did not start.
  func reason(of error: GPSDError) -> GPSDError {
    guard error.code != .cancelled, running.withLock({ $0?.hasSpoken == false }) else {
      return error
    }
    return GPSDError(
      .cannotConnect, "gpsd does not start: try '\(program) -N -n -D 1 \(device.path)'")
  }

  /// Ends gpsd.
  func stop() {
    running.withLock { running in
      running?.shell.end()
      running = nil
    }
  }
}

extension GPSDLine {
  /// Whether it is a receiver's, and not gpsd's own word of receivers.
  fileprivate var isReport: Bool {
    let name = bytes.dropFirst(#"{"class":""#.utf8.count)
    return name.starts(with: "TPV".utf8) || name.starts(with: "SKY".utf8)
  }
}
