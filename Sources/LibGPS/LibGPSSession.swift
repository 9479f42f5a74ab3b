public import GPSDLocation
import Glibc
public import LocationCore
import Synchronization

/// A conversation with gpsd through libgps.
///
/// libgps connects; its descriptor is then read, written and watched here, because gps_read(),
/// gps_waiting() and gps_stream() hang, spin or misread on input that a gpsd does send.
///
/// The session waits in poll(2) on its own executor, which may block, and never on a thread of the
/// cooperative pool. Cancelling the task that reads ends the wait at once.
@safe public actor LibGPSSession: GPSDSession {
  // The session keeps it alive; to ask it for its reference at each read takes longer.
  private let executor: any SerialExecutor
  /// The executor that it was made with.
  public nonisolated let unownedExecutor: UnownedSerialExecutor
  /// What tells the time of its lines and deadlines.
  public nonisolated let clock: LocationClock
  var handle: GPSHandle?
  var wakeup: Wakeup?
  /// Has a lock, for what is here already is taken without a change of executor.
  nonisolated let incoming = Mutex(Incoming())

  /// A session on a queue of its own.
  ///
  /// - Parameter clock: What tells the time of its lines and deadlines.
  public init(clock: LocationClock = .live) {
    self.init(executor: QueueExecutor(label: "LibGPSSession"), clock: clock)
  }

  /// A session on an executor of the program's.
  ///
  /// - Parameters:
  ///   - executor: Runs the session, and blocks while it waits for gpsd. A program that runs its
  ///     loop on the same one takes each report without a change of thread.
  ///   - clock: What tells the time of its lines and deadlines.
  public init(executor: any SerialExecutor, clock: LocationClock = .live) {
    self.executor = executor
    unsafe unownedExecutor = executor.asUnownedSerialExecutor()
    self.clock = clock
  }

  /// Connects, within 3 s an address and 10 s in all.
  ///
  /// The corresponding C function is `gps_open`. It cannot be interrupted: an attempt that takes
  /// longer is left to run out on a thread of its own.
  ///
  /// - Throws: `GPSDError` where there is no connection, also when the task is cancelled.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    close()
    let wakeup = if let wakeup { wakeup } else { try Wakeup() }
    self.wakeup = wakeup
    try await withTaskCancellationHandler {
      Result { () throws(GPSDError) in try connect(to: endpoint, wakeup) }
    } onCancel: {
      wakeup.signal()
    }.get()
  }

  /// Blocks until there is a connection. It runs on the session's executor, which a closure that
  /// does not mention the session would not.
  private func connect(to endpoint: GPSDEndpoint, _ wakeup: Wakeup) throws(GPSDError) {
    handle = try Connector(clock: clock).connect(to: endpoint, wakeup: wakeup)
  }

  /// Sends one command, whole.
  ///
  /// - Throws: `GPSDError` where it could not be sent: gpsd went away, or takes nothing.
  public func send(_ command: GPSDCommand) throws(GPSDError) {
    guard let handle else { throw Self.notConnected }
    var bytes = Array(command.text.utf8)[...]
    while !bytes.isEmpty {
      // A command is far smaller than a socket's buffer: where it does not fit, gpsd is stuck.
      let count = unsafe bytes.withUnsafeBytes {
        unsafe Glibc.send(
          handle.descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
      }
      if count >= 0 {
        bytes = bytes.dropFirst(count)
      } else if errno != EINTR {
        throw GPSDError(.cannotSend, number: errno, "cannot send: \(Self.text(of: errno))")
      }
    }
  }

  /// The next line as gpsd wrote it, or what there was instead of one.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever. One that has passed takes
  ///   what is there and does not wait.
  /// - Throws: `GPSDError` where gpsd hung up or cannot be read. A cancelled task gets
  ///   `GPSDRead.ended`.
  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    guard let wakeup else { throw Self.notConnected }
    return try await withTaskCancellationHandler {
      Result { () throws(GPSDError) in try nextLine(until: deadline) }
    } onCancel: {
      wakeup.signal()
    }.get()
  }

  /// The next line of those that came together with the last one; `nil` for a cancelled task.
  public nonisolated func readBuffered() -> GPSDRead? {
    Task.isCancelled ? nil : incoming.withLock { $0.next() }
  }

  static let notConnected = GPSDError(.notConnected, "there is no connection to gpsd")

  /// Hangs up. The corresponding C function is `gps_close`.
  public func close() {
    handle = nil
    incoming.withLock { $0 = Incoming() }
  }
}
