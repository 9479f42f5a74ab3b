package import LocationCore

/// A connection to gpsd that sends commands and reads lines: over libgps, from a recording, or in a
/// test.
///
/// A session serves one connection at a time. Its methods are called one after another: `open`, then
/// any number of `send` and `read` or `poll`, then `close`.
///
/// A session implements either ``read(until:)``, or ``poll()`` and ``arrival(before:)``, on which its reads are then
/// based. The reader of the latter suspends only once for each report, however many sessions are on top of each other.
package protocol GPSDSession: Sendable {
  /// Connects to gpsd.
  ///
  /// - Throws: `LocationError` if the connection fails or the task is cancelled.
  func open(_ endpoint: GPSDEndpoint) async throws(LocationError)

  /// Sends one whole command.
  ///
  /// - Throws: `LocationError` if the command could not be sent.
  func send(_ command: GPSDCommand) async throws(LocationError)

  /// Waits for the next lines. The default polls, and waits in between for what ``arrival(before:)`` returns.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits indefinitely. A deadline in the past
  ///   returns lines that have already been received.
  /// - Returns: All lines that arrived together; `TimedRead.ended` at the end of a recording, or if
  ///   the task is cancelled.
  /// - Throws: `LocationError` if gpsd ended the connection, or reading it failed.
  func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines>

  /// Returns lines that have arrived together, without waiting; `nil` if the reader has to wait first. The default
  /// returns `nil`.
  ///
  /// - Throws: `LocationError` if gpsd ended the connection, or reading it failed.
  func poll() throws(LocationError) -> GPSDLines?

  /// Returns the wait that comes before the next ``poll()``; `nil` if there is something to poll, or if
  /// ``read(until:)`` has to be called instead. The default returns `nil`.
  ///
  /// - Parameter deadline: When to stop waiting, by `LocationClock.live`; `nil` waits without a limit. A session that
  ///   has something to do earlier returns a wait with an earlier deadline, after which it has to be polled.
  func arrival(before deadline: Moment?) -> ArrivalWait?

  /// Ends the connection. Does nothing if there is none.
  func close() async

  /// Whether gpsd answers commands. The default is `true`; it is `false` for a recording.
  var isLive: Bool { get }
}

extension GPSDSession {
  /// The default implementation, which returns `true`.
  package var isLive: Bool { true }
  /// The default implementation, which returns `nil`.
  package func poll() throws(LocationError) -> GPSDLines? { nil }
  /// The default implementation, which returns `nil`.
  package func arrival(before deadline: Moment?) -> ArrivalWait? { nil }

  /// The default implementation, which polls.
  package func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    var isOver = false
    while !Task.isCancelled {
      if let lines = try poll() { return .value(lines, at: lines.received ?? .past) }
      if isOver { return .timedOut(at: LocationClock.live.now) }
      if let wait = arrival(before: deadline) {
        _ = await wait.hasCome()
        isOver = deadline.map { $0 <= LocationClock.live.now } ?? false
      } else {
        // Something may have come since the poll.
        return try poll().map { .value($0, at: $0.received ?? .past) } ?? .ended
      }
    }
    return .ended
  }
}
