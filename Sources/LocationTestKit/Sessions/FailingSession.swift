public import GPSDLocation
public import LocationCore

/// A session that fails whatever its test did not tell it to expect.
///
/// ```swift
/// let session = FailingSession { Issue.record(Comment(rawValue: $0)) }
/// ```
///
/// What was not told goes to the report, and throws ``GPSDError`` with code
/// ``GPSDError/Code/unscripted``.
public struct FailingSession: GPSDSession {
  public typealias Open = @Sendable (GPSDEndpoint) throws(GPSDError) -> Void
  public typealias Send = @Sendable (GPSDCommand) throws(GPSDError) -> Void
  public typealias Read = @Sendable (Moment?) throws(GPSDError) -> GPSDRead
  public typealias Close = @Sendable () -> Void

  public let clock: LocationClock
  private let open: Open?
  private let send: Send?
  private let read: Read?
  private let close: Close?
  private let report: @Sendable (String) -> Void

  /// - Parameter report: Takes what was asked and was not expected: `Issue.record` or `XCTFail`.
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

  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    guard let open else { throw unscripted("open(\(endpoint))") }
    try open(endpoint)
  }

  public func send(_ command: GPSDCommand) async throws(GPSDError) {
    guard let send else { throw unscripted("send(\(command.text))") }
    try send(command)
  }

  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    guard let read else { throw unscripted("read") }
    return try read(deadline)
  }

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
