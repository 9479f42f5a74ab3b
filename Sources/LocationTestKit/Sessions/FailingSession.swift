public import GPSDLocation
public import LocationCore

/// A session that fails whatever its test did not tell it to expect.
///
/// ```swift
/// let session = FailingSession { Issue.record(Comment(rawValue: $0)) }
/// ```
///
/// What was not told goes to the report, and throws `GPSDError` with code
/// `GPSDError.Code.unscripted`.
public struct FailingSession: GPSDSession {
  /// Stands in for `open(_:)`.
  public typealias Open = @Sendable (GPSDEndpoint) throws(GPSDError) -> Void
  /// Stands in for `send(_:)`.
  public typealias Send = @Sendable (GPSDCommand) throws(GPSDError) -> Void
  /// Stands in for `read(until:)`.
  public typealias Read = @Sendable (Moment?) throws(GPSDError) -> GPSDRead
  /// Stands in for `close()`.
  public typealias Close = @Sendable () -> Void

  /// What tells its time.
  public let clock: LocationClock
  private let open: Open?
  private let send: Send?
  private let read: Read?
  private let close: Close?
  private let report: @Sendable (String) -> Void

  /// - Parameters:
  ///   - report: Takes what was asked and was not expected: `Issue.record` or `XCTFail`.
  ///   - clock: What tells its time.
  ///   - open: What is done instead; `nil` expects that nobody connects.
  ///   - send: What is done instead; `nil` expects that nothing is sent.
  ///   - read: What is done instead; `nil` expects that nobody reads.
  ///   - close: What is done instead; `nil` expects that nobody hangs up.
  public init(
    _ report: @escaping @Sendable (String) -> Void = { _ in }, clock: LocationClock = .live,
    open: Open? = nil, send: Send? = nil, read: Read? = nil, close: Close? = nil
  ) {
    self.clock = clock
    self.open = open
    self.send = send
    self.read = read
    self.close = close
    self.report = report
  }

  /// Does what it was told, and else fails.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    guard let open else { throw unscripted("open(\(endpoint))") }
    try open(endpoint)
  }

  /// Does what it was told, and else fails.
  public func send(_ command: GPSDCommand) async throws(GPSDError) {
    guard let send else { throw unscripted("send(\(command.text))") }
    try send(command)
  }

  /// Does what it was told, and else fails.
  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    guard let read else { throw unscripted("read") }
    return try read(deadline)
  }

  /// Does what it was told, and else reports that it was not expected.
  public func close() async {
    guard let close else {
      _ = unscripted("close")
      return
    }
    close()
  }

  private func unscripted(_ call: String) -> GPSDError {
    let words = "\(call) was called, and the test does not expect it"
    report(words)
    return GPSDError(.unscripted, words)
  }
}
