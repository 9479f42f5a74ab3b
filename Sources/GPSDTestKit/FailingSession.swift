public import GPSDLocation
public import LocationCore

/// A session that fails every call its test does not expect.
///
/// ```swift
/// let session = FailingSession { Issue.record(Comment(rawValue: $0)) }
/// ```
///
/// An unexpected call is passed to the report closure and throws `GPSDError` with code
/// `GPSDError.Code.unscripted`.
public struct FailingSession: GPSDSession {
  private let open: (@Sendable (GPSDEndpoint) throws(GPSDError) -> Void)?
  private let send: (@Sendable (GPSDCommand) throws(GPSDError) -> Void)?
  private let read: (@Sendable (Moment?) throws(GPSDError) -> TimedRead<GPSDLines>)?
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
  public init(
    _ report: @escaping @Sendable (String) -> Void = { _ in },
    open: (@Sendable (GPSDEndpoint) throws(GPSDError) -> Void)? = nil,
    send: (@Sendable (GPSDCommand) throws(GPSDError) -> Void)? = nil,
    read: (@Sendable (Moment?) throws(GPSDError) -> TimedRead<GPSDLines>)? = nil,
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
  /// - Throws: The `GPSDError` of the implementation; one with code `GPSDError.Code.unscripted` if there is none.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    guard let open else { throw unscripted("open(\(endpoint))") }
    try open(endpoint)
  }

  /// Calls the given implementation, or fails.
  ///
  /// - Throws: The `GPSDError` of the implementation; one with code `GPSDError.Code.unscripted` if there is none.
  public func send(_ command: GPSDCommand) async throws(GPSDError) {
    guard let send else { throw unscripted("send(\(command.text))") }
    try send(command)
  }

  /// Calls the given implementation, or fails.
  ///
  /// - Throws: The `GPSDError` of the implementation; one with code `GPSDError.Code.unscripted` if there is none.
  public func read(until deadline: Moment?) async throws(GPSDError) -> TimedRead<GPSDLines> {
    guard let read else { throw unscripted("read") }
    return try read(deadline)
  }

  /// Calls the given implementation, if there is one.
  public func close() async { close?() }

  private func unscripted(_ call: String) -> GPSDError {
    let message = "\(call) was called, and the test does not expect it"
    report(message)
    return GPSDError(.unscripted, message)
  }
}

extension GPSDError.Code {
  /// The code of an error for a call that the test does not expect.
  public static let unscripted = GPSDError.Code(rawValue: "unscripted")
}
