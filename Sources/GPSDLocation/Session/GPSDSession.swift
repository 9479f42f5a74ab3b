public import LocationCore

/// A conversation with one gpsd. libgps holds it, and so does whatever a test puts in its place.
///
/// Calls come one at a time: `open`, then `send` and `read` as often as wanted, then `close`. A
/// session may be opened again after `close`.
public protocol GPSDSession: Sendable {
  /// Connects.
  ///
  /// - Throws: ``GPSDError`` where there is no connection, also when the task is cancelled.
  func open(_ endpoint: GPSDEndpoint) async throws(GPSDError)

  /// Sends one command, whole.
  ///
  /// - Throws: ``GPSDError`` where it could not be sent.
  func send(_ command: GPSDCommand) async throws(GPSDError)

  /// The next line as gpsd wrote it, or what there was instead of one.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever. One that has passed takes
  ///   what is there and does not wait.
  /// - Throws: ``GPSDError`` where the connection ended or cannot be read. A cancelled task gets
  ///   ``GPSDRead/ended``.
  func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead

  /// The next line that is here already: one that came together with the last one. `nil` where
  /// ``read(until:)`` has to be asked, for a cancelled task, and in a session that does not say
  /// otherwise.
  ///
  /// It spares who reads many lines a wait for each, and that costs more than the line.
  func readBuffered() -> GPSDRead?

  /// Hangs up. It does nothing without a connection.
  func close() async

  /// What tells the time of its lines and deadlines. The machine's own clocks, unless a session
  /// says otherwise.
  var clock: LocationClock { get }

  /// Whether there is a gpsd that would answer a question; a recording does not.
  var isLive: Bool { get }
}

extension GPSDSession {
  /// `nil`: each line is waited for.
  public func readBuffered() -> GPSDRead? { nil }
  /// The machine's own clocks.
  public var clock: LocationClock { .live }
  /// `true`: there is a gpsd to ask.
  public var isLive: Bool { true }
}

/// What one wait for a line gave.
public enum GPSDRead: Hashable, Sendable {
  /// One line, as it came.
  case line(GPSDLine)
  /// So many bytes came that are no line: cut off by the end of the stream, or of one longer than
  /// ``LineFramer/longestLine``. Of that as many come at first, and the rest when it ends.
  case discarded(bytes: Int, at: Moment?)
  /// The deadline passed; by now it is so late.
  case timedOut(at: Moment)
  /// The task was cancelled, or a recording is over. A gpsd that hangs up is an error.
  case ended
}

/// One line of gpsd's, with its line end, and when it came.
public struct GPSDLine: Hashable, Sendable {
  /// The bytes as they came, the line end (LF or CRLF) included.
  public var bytes: ArraySlice<UInt8>
  /// `nil` in a recording that does not tell when its lines came.
  public var received: Moment?

  /// - Parameters:
  ///   - bytes: The line with its end.
  ///   - received: When it came; `nil` where that is not known.
  public init(bytes: ArraySlice<UInt8>, received: Moment?) {
    self.bytes = bytes
    self.received = received
  }
}
