public import LocationCore

/// A session whose lines are also kept, as they came.
public struct RecordingSession<Base: GPSDSession>: GPSDSession {
  private let base: Base
  private let keep: @Sendable (GPSDLine) -> Void

  /// - Parameters:
  ///   - base: Holds the conversation.
  ///   - keep: Takes each line before its reader does.
  public init(_ base: Base, keep: @escaping @Sendable (GPSDLine) -> Void) {
    self.base = base
    self.keep = keep
  }

  /// What the session behind it does.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    try await base.open(endpoint)
  }

  /// What the session behind it does.
  public func send(_ command: GPSDCommand) async throws(GPSDError) { try await base.send(command) }

  /// What the session behind it reads, kept where it is a line.
  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    let read = try await base.read(until: deadline)
    if case .line(let line) = read { keep(line) }
    return read
  }

  /// The same without a wait.
  public func readBuffered() -> GPSDRead? {
    let read = base.readBuffered()
    if case .line(let line) = read { keep(line) }
    return read
  }

  /// What the session behind it does.
  public func close() async { await base.close() }

  /// The clock of the session behind it.
  public var clock: LocationClock { base.clock }
  /// Whether the session behind it is.
  public var isLive: Bool { base.isLive }
}
