package import LocationCore

/// A connection to gpsd that sends commands and reads lines: over libgps, from a recording, or in a
/// test. It never waits, except to connect.
///
/// A session serves one connection at a time. Its methods are called one after another: `open`, or `restart()` if it is
/// not live, then any number of `send`, `poll` and `wait`, then `close`.
package protocol GPSDSession: Sendable {
  /// Connects to gpsd.
  ///
  /// - Throws: `LocationError` if the connection fails or the task is cancelled.
  func open(_ endpoint: GPSDEndpoint) async throws(LocationError)

  /// Begins a recording, or begins it again. The default does nothing.
  func restart()

  /// Sends one whole command.
  ///
  /// - Throws: `LocationError` if the command could not be sent.
  func send(_ command: GPSDCommand) throws(LocationError)

  /// Returns lines that arrived together.
  ///
  /// - Throws: `LocationError` if gpsd ended the connection, or reading it failed.
  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines>

  /// Returns what to wait for, after a poll that was quiet.
  func wait() -> Wait

  /// Ends the connection. Does nothing if there is none.
  func close()

  /// Whether gpsd answers commands. The default is `true`; it is `false` for a recording.
  var isLive: Bool { get }
}

extension GPSDSession {
  /// The default implementation, which returns `true`.
  package var isLive: Bool { true }
  /// The default implementation, which does nothing.
  package func restart() {}
}

extension Polled<GPSDLines> {
  /// Returns the result with lines that a function has changed.
  package func map(_ body: (GPSDLines) -> GPSDLines) -> Self {
    if case .received(let lines) = self { .received(body(lines)) } else { self }
  }
}
