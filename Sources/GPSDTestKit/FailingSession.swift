package import GPSDLocation
package import LocationCore
import LocationTestKit

/// A session that fails every call its test does not expect.
///
/// ```swift
/// let session = FailingSession { Issue.record(Comment(rawValue: $0)) }
/// ```
///
/// An unexpected call is passed to the report closure and throws `LocationError` with code
/// `LocationError.Code.unscripted`.
package struct FailingSession: GPSDSession {
  private let open: (@Sendable (GPSDEndpoint) throws(LocationError) -> Void)?
  private let send: (@Sendable (GPSDCommand) throws(LocationError) -> Void)?
  private let read: (@Sendable (Moment?) throws(LocationError) -> TimedRead<GPSDLines>)?
  private let close: (@Sendable () -> Void)?
  private let report: @Sendable (String) -> Void

  /// Creates a session with implementations of the expected calls.
  ///
  /// - Parameters:
  ///   - report: Called with a message about each unexpected call, for `Issue.record` or `XCTFail`.
  ///   - open: Implements `open(_:)`; `nil` expects no call.
  ///   - send: Implements `send(_:)`; `nil` expects no call.
  ///   - read: Implements `read(until:)`; `nil` expects no call.
  ///   - close: Implements `close()`, which is always expected, because a session that was opened is also closed.
  package init(
    _ report: @escaping @Sendable (String) -> Void = { _ in },
    open: (@Sendable (GPSDEndpoint) throws(LocationError) -> Void)? = nil,
    send: (@Sendable (GPSDCommand) throws(LocationError) -> Void)? = nil,
    read: (@Sendable (Moment?) throws(LocationError) -> TimedRead<GPSDLines>)? = nil,
    close: (@Sendable () -> Void)? = nil
  ) {
    self.open = open
    self.send = send
    self.read = read
    self.close = close
    self.report = report
  }

  /// Calls the given implementation, or fails.
  ///
  /// - Throws: The `LocationError` of the implementation; one with code `LocationError.Code.unscripted` if there is none.
  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    guard let open else { throw unscripted("open(\(endpoint))") }
    try open(endpoint)
  }

  /// Calls the given implementation, or fails.
  ///
  /// - Throws: The `LocationError` of the implementation; one with code `LocationError.Code.unscripted` if there is none.
  package func send(_ command: GPSDCommand) async throws(LocationError) {
    guard let send else { throw unscripted("send(\(command.text))") }
    try send(command)
  }

  /// Calls the given implementation, or fails.
  ///
  /// - Throws: The `LocationError` of the implementation; one with code `LocationError.Code.unscripted` if there is none.
  package func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    guard let read else { throw unscripted("read") }
    return try read(deadline)
  }

  /// Calls the given implementation, if there is one.
  package func close() async { close?() }

  private func unscripted(_ call: String) -> LocationError {
    let message = "\(call) was called, and the test does not expect it"
    report(message)
    return LocationError(.unscripted, message)
  }
}
