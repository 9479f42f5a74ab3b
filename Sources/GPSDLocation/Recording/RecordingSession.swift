public import LocationCore

/// A session whose lines are also kept, as they came.
public struct RecordingSession<Base: GPSDSession>: GPSDSession {
  private let base: Base
  private let keep: @Sendable (GPSDLine) -> Void

  /// - Parameter keep: Takes each line before its reader does.
  public init(_ base: Base, keep: @escaping @Sendable (GPSDLine) -> Void) {
    self.base = base
    self.keep = keep
  }

  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    try await base.open(endpoint)
  }

  public func send(_ command: GPSDCommand) async throws(GPSDError) { try await base.send(command) }

  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    let read = try await base.read(until: deadline)
    if case .line(let line) = read { keep(line) }
    return read
  }

  public func close() async { await base.close() }

  public var clock: LocationClock { base.clock }
  public var isLive: Bool { base.isLive }
}
