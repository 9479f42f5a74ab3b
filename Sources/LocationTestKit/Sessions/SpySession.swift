public import GPSDLocation
public import LocationCore
import Synchronization

/// A session that remembers what was asked of it, for tests that compare the whole list.
///
/// ```swift
/// let spy = SpySession(RecordedSession(lines: lines))
/// for try await _ in GPSDLocationSource(session: spy).events() {}
/// #expect(spy.calls == [.open(GPSDEndpoint()), .send(.watch), .read, .read, .close])
/// ```
public final class SpySession: GPSDSession {
  /// What was asked, with its arguments.
  public enum Call: Hashable, Sendable {
    /// To connect there.
    case open(GPSDEndpoint)
    /// To send that.
    case send(GPSDCommand)
    /// For a line.
    case read
    /// To hang up.
    case close
  }

  private let base: (any GPSDSession)?
  private let recorded = Mutex<[Call]>([])

  /// - Parameter base: Does what is asked. Without one, everything succeeds and the first read
  ///   finds the end.
  public init(_ base: (any GPSDSession)? = nil) { self.base = base }

  /// Everything that was asked so far, what failed included.
  public var calls: [Call] { recorded.withLock { $0 } }

  /// The clock of the session behind it, else the machine's own.
  public var clock: LocationClock { base?.clock ?? .live }

  /// Whether the session behind it is; `false` without one.
  public var isLive: Bool { base?.isLive ?? false }

  /// Notes it, and does what the session behind it does.
  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    record(.open(endpoint))
    try await base?.open(endpoint)
  }

  /// Notes it, and does what the session behind it does.
  public func send(_ command: GPSDCommand) async throws(GPSDError) {
    record(.send(command))
    try await base?.send(command)
  }

  /// Notes it, and reads what the session behind it does; `GPSDRead.ended` without one.
  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    record(.read)
    return try await base?.read(until: deadline) ?? .ended
  }

  /// Notes it, and does what the session behind it does.
  public func close() async {
    record(.close)
    await base?.close()
  }

  private func record(_ call: Call) { recorded.withLock { $0.append(call) } }
}
