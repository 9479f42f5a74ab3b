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
  public enum Call: Hashable, Sendable {
    case open(GPSDEndpoint)
    case send(GPSDCommand)
    case read
    case close
  }

  private let base: (any GPSDSession)?
  private let recorded = Mutex<[Call]>([])

  /// - Parameter base: Does what is asked. Without one, everything succeeds and the first read
  ///   finds the end.
  public init(_ base: (any GPSDSession)? = nil) { self.base = base }

  /// Everything that was asked so far, what failed included.
  public var calls: [Call] { recorded.withLock { $0 } }

  public var clock: LocationClock { base?.clock ?? .live }

  public var isLive: Bool { base?.isLive ?? false }

  public func open(_ endpoint: GPSDEndpoint) async throws(GPSDError) {
    record(.open(endpoint))
    try await base?.open(endpoint)
  }

  public func send(_ command: GPSDCommand) async throws(GPSDError) {
    record(.send(command))
    try await base?.send(command)
  }

  public func read(until deadline: Moment?) async throws(GPSDError) -> GPSDRead {
    record(.read)
    return try await base?.read(until: deadline) ?? .ended
  }

  public func close() async {
    record(.close)
    await base?.close()
  }

  private func record(_ call: Call) { recorded.withLock { $0.append(call) } }
}
