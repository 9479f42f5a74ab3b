import GPSDLocation
import Glibc
import Synchronization

/// A gpsd of our own for one receiver, on a free port of the loopback interface.
///
/// A shell stands between: it reads a pipe whose other end nobody but this process has, and ends
/// gpsd when the pipe ends. So gpsd goes with this process in whatever way that goes, `kill -9`
/// included. (PR_SET_PDEATHSIG would not do: a gpsd that gives up root loses it.)
final class PrivateDaemon: Sendable {
  private static let script = """
    "$@" </dev/null &
    daemon=$!
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

  private let program: String
  private let device: SerialDevice
  private let environment: [String]
  private let shell = Mutex<Supervisor?>(nil)

  /// - Throws: ``Failure`` where there is no gpsd on this machine.
  init(for device: SerialDevice, environment: Environment) throws(Failure) {
    program = try GPSDProgram.find(environment)
    self.device = device
    // gpsd as root leaves a segment of shared memory behind, under a key that is to be ours.
    let key = 0x4c57_0000 | UInt32(truncatingIfNeeded: getpid()) & 0xffff
    self.environment = environment.entries(setting: "GPSD_SHM_KEY", to: "\(key)")
  }

  /// Starts gpsd, in place of one that runs or died, and returns where it is going to listen.
  func restart() throws(GPSDError) -> GPSDEndpoint {
    stop()
    let port = try LoopbackPort.free()
    let supervisor = try Supervisor(
      ["/bin/sh", "-c", Self.script, "sh", program, "-N", "-n", "-S", "\(port)"]
        + device.lineSettings + [device.path],
      environment: environment)
    shell.withLock { $0 = supervisor }
    return GPSDEndpoint(host: "127.0.0.1", port: port)
  }

  /// Why there is no connection to a gpsd that has had time enough.
  var didNotStart: GPSDError {
    GPSDError(.cannotConnect, "gpsd does not start: try '\(program) -N -n -D 1 \(device.path)'")
  }

  /// Ends gpsd.
  func stop() {
    shell.withLock { shell in
      shell?.end()
      shell = nil
    }
  }
}
