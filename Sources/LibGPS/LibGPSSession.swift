package import EventLoop
// One import is enough: programs use a session through GPSDLocationSource.
@_exported public import GPSDLocation
public import LocationCore
import Synchronization

/// A session that connects to gpsd with libgps.
///
/// libgps establishes the connection. The session then reads, writes and polls its descriptor
/// directly, because `gps_read`, `gps_waiting` and `gps_stream` hang, spin or misread input that gpsd
/// does send.
///
/// All sessions wait on one shared thread; none blocks the cooperative pool. Cancelling the task that
/// reads ends its wait immediately.
package final class LibGPSSession: GPSDSession {
  /// `nil` if the system has no descriptor or thread left for a loop.
  private let loop: EventLoop?
  private let connector: Connector
  private let connection = Mutex<OpenConnection?>(nil)

  /// Creates a session that is not connected.
  package convenience init() { self.init(on: EventLoop.shared, connector: Connector()) }

  /// Creates a session on a given event loop. A task that runs on that loop receives reports without
  /// a change of thread.
  ///
  /// - Parameter connector: What all sessions of a source have in common: one that connects again does not start
  ///   another thread while the one before it still connects.
  package init(on loop: EventLoop?, connector: Connector) {
    self.loop = loop
    self.connector = connector
  }

  /// Connects to gpsd within 3 s.
  ///
  /// The corresponding C function is `gps_open`. It cannot be interrupted: a call that exceeds the limit continues on
  /// its thread, and the next attempt to connect waits for it.
  ///
  /// - Throws: `LocationError` if the connection fails or the task is cancelled.
  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    close()
    guard let loop else {
      throw LocationError(
        .unreachable, "no file descriptor or thread is left to connect to \(endpoint)")
    }
    let handle =
      if let connection = endpoint.connection {
        try GPSHandle(copying: connection)
      } else {
        try await connector.connect(to: endpoint, on: loop)
      }
    connection.withLock { $0 = OpenConnection(handle, on: loop) }
  }

  /// Sends one whole command.
  ///
  /// - Throws: `LocationError` if the command could not be sent: gpsd closed the connection, or does not
  ///   read from it.
  package func send(_ command: GPSDCommand) throws(LocationError) {
    try connection.withLock { connection throws(LocationError) in
      guard let connection else { throw Self.notConnected }
      try connection.send(command.text)
    }
  }

  /// Returns all lines of one receive operation. After each wait, it receives once.
  ///
  /// - Throws: `LocationError` if gpsd ended the connection, or receiving failed, after the last lines.
  package func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    try connection.withLock { connection throws(LocationError) -> Polled<GPSDLines> in
      guard connection != nil else { throw Self.notConnected }
      return try connection?.takeLines(at: now).map { .received($0) } ?? .quiet(at: now)
    }
  }

  /// Returns the wait that ends when there is something to receive.
  package func wait() -> Wait {
    connection.withLock { connection in
      guard connection?.ending == nil, let point = connection?.prepareWait() else {
        return Wait(until: .past)
      }
      return Wait(at: point)
    }
  }

  /// Ends the connection. `gps_close` was called when it was made: only the descriptor is kept.
  package func close() { connection.withLock { $0 = nil } }

  /// The number of the open connection's descriptor; `nil` if there is none.
  var descriptor: CInt? { connection.withLock { $0?.handle.descriptor } }

  private static let notConnected = LocationError(.disconnected, "there is no connection to gpsd")
}

extension GPSDLocationSource {
  /// Creates a source that connects to gpsd with libgps.
  ///
  /// - Parameters:
  ///   - endpoint: The address of gpsd; the default is the gpsd on this machine.
  ///   - device: The path of the only receiver to report, on gpsd's machine; `nil` reports every
  ///     receiver.
  ///   - kinds: The reports to pass on as `LocationEvent.other(_:)`: any class of gpsd's reports.
  ///     `TOFF` and `PPS` are requested from gpsd, which otherwise sends none.
  ///   - statistics: Counts incoming reports and malformed lines.
  public init(
    endpoint: GPSDEndpoint = GPSDEndpoint(), device: String? = nil,
    kinds: Set<ServiceReport.Kind> = [], statistics: GPSDStatistics? = nil
  ) {
    let (loop, connector) = (EventLoop.shared, Connector())
    self.init(
      endpoint: endpoint, device: device, kinds: kinds, satellites: true, statistics: statistics,
      clock: loop?.clock ?? .live, executor: loop,
      makeSession: { LibGPSSession(on: loop, connector: connector) })
  }
}
