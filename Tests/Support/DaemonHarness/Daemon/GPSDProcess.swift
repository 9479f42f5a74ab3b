package import Glibc
import SimulatedReceiver
import Synchronization

/// A gpsd of the test's own, on a loopback port. It ends, and leaves nothing behind, when the last
/// reference to it goes.
package final class GPSDProcess: Sendable {
  /// Where gpsd is; `nil` where it is not installed.
  package static let program = find(path: getenv("PATH").map { String(cString: $0) } ?? "")

  /// The first gpsd of the folders in `path`, or of those where a user's PATH does not look.
  package static func find(path: String) -> String? {
    (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/local/sbin"])
      .map { "\($0)/gpsd" }.first { access($0, X_OK) == 0 }
  }

  /// Its release, `3.22`.
  package static var release: String {
    get async throws {
      let process = try ChildProcess(program ?? "gpsd", ["-V"])
      _ = try await process.waitForExit()
      return process.output.text.split(separator: " ").dropFirst().first.map(String.init) ?? ""
    }
  }

  package let port: Int
  private let program: String?
  private let devices: [String]
  private let options: [String]
  private let control: ControlSocket
  private let memory: SharedMemory
  private let process: Mutex<ChildProcess>

  /// Starts gpsd and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - devices: What to read. Any user must be able to: gpsd drops its privileges.
  ///   - options: The serial line's settings, which spare gpsd 6 s of trying.
  ///   - program: The gpsd; `nil` for the one that is installed.
  ///   - port: Where it listens; 0 for a free port.
  package static func start(
    _ devices: [String] = [], options: [String] = ["-s", "38400", "-f", "8N1"],
    program: String? = nil, port: Int = 0
  ) async throws -> GPSDProcess {
    let program = program ?? Self.program
    if port != 0 { return try await GPSDProcess(program, port: port, devices, options) }
    for _ in 0..<4 {
      // Somebody else may take the port before gpsd does.
      do {
        return try await GPSDProcess(program, port: freePort(), devices, options)
      } catch is Ended {}
    }
    return try await GPSDProcess(program, port: freePort(), devices, options)
  }

  private init(
    _ program: String?, port: Int, _ devices: [String], _ options: [String]
  ) async throws {
    self.program = program
    self.port = port
    self.devices = devices
    self.options = options
    control = try ControlSocket()
    memory = SharedMemory()
    process = try Mutex(
      Self.launch(program, port: port, devices, options, control: control, memory: memory))
    try await waitUntilReady()
  }

  deinit {
    process.withLock { $0.signal(SIGKILL) }
    memory.remove()
    control.remove()
  }

  /// The key of the shared memory that gpsd exports to.
  package var sharedMemoryKey: key_t { memory.key }

  package var identifier: pid_t { process.withLock(\.identifier) }

  /// Throws if it has ended by itself.
  package func checkRunning() throws(Ended) {
    let process = process.withLock(\.self)
    if process.status != nil { throw Ended(errors: process.errors.text) }
  }

  /// Sends a signal: SIGKILL, or SIGSTOP and SIGCONT.
  package func signal(_ number: CInt) {
    process.withLock { $0.signal(number) }
  }

  /// Asks gpsd to end, and waits for it.
  package func terminate() async throws { try await end(by: SIGTERM) }

  /// Ends gpsd at once, and waits for it.
  package func kill() async throws { try await end(by: SIGKILL) }

  /// Starts gpsd again on the same port, with the devices of the first time. It kills one that runs.
  package func restart() async throws {
    try await kill()
    let fresh = try Self.launch(
      program, port: port, devices, options, control: control, memory: memory)
    process.withLock { $0 = fresh }
    try await waitUntilReady()
  }

  /// Adds a device through the control socket, as udev does.
  package func addDevice(_ path: String) async throws { try await control.send("+\(path)") }

  /// Removes a device through the control socket, as udev does.
  package func removeDevice(_ path: String) async throws { try await control.send("-\(path)") }

  private func end(by signal: CInt) async throws {
    let process = process.withLock(\.self)
    process.signal(signal)
    // A stopped process takes no SIGTERM.
    process.signal(SIGCONT)
    try await waitUntil("end of gpsd") { process.status != nil }
  }

  private func waitUntilReady() async throws {
    let process = process.withLock(\.self)
    try await waitUntil("gpsd on port \(port)") {
      if process.status != nil { throw Ended(errors: process.errors.text) }
      return (try? LoopbackSocket().connect(port: port)) != nil
    }
  }

  private static func launch(
    _ program: String?, port: Int, _ devices: [String], _ options: [String],
    control: ControlSocket, memory: SharedMemory
  ) throws(SystemError) -> ChildProcess {
    guard let program else { throw SystemError("find gpsd", code: ENOENT) }
    return try ChildProcess(
      program, ["-N", "-n", "-b", "-S", "\(port)", "-F", control.path] + options + devices,
      environment: ["GPSD_SHM_KEY": "\(memory.key)"])
  }

  /// gpsd did not start.
  package struct Ended: Error, CustomStringConvertible {
    package let errors: String

    package var description: String { errors.isEmpty ? "gpsd ended" : "gpsd ended: \(errors)" }
  }
}
