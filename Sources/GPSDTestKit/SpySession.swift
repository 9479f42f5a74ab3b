package import GPSDLocation
package import LocationCore
import Synchronization

/// A session that records its calls, for tests that compare the whole list.
///
/// ```swift
/// let spy = SpySession(RecordedSession(lines: lines))
/// for try await _ in GPSDLocationSource(makeSession: { spy }).events() {}
/// #expect(spy.calls == [.open(GPSDEndpoint()), .send(.watch), .read, .read, .close])
/// ```
package final class SpySession: GPSDSession {
  private let base: (any GPSDSession)?
  private let recorded = Mutex<[ScriptedGPSD.Call]>([])

  /// Creates a session that records calls and forwards them.
  ///
  /// - Parameter base: The session that performs the calls. If it is `nil`, every call succeeds and
  ///   the first read returns `TimedRead.ended`.
  package init(_ base: (any GPSDSession)? = nil) { self.base = base }

  /// All calls so far, including those that failed.
  package var calls: [ScriptedGPSD.Call] { recorded.withLock { $0 } }

  /// Whether the base session is live; `false` if there is none.
  package var isLive: Bool { base?.isLive ?? false }

  /// Records the call and forwards it.
  ///
  /// - Throws: The `LocationError` that the base session throws.
  package func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    record(.open(endpoint))
    try await base?.open(endpoint)
  }

  /// Records the call and forwards it.
  ///
  /// - Throws: The `LocationError` that the base session throws.
  package func send(_ command: GPSDCommand) async throws(LocationError) {
    record(.send(command))
    try await base?.send(command)
  }

  /// Records the call and forwards it; returns `TimedRead.ended` if there is no base session.
  ///
  /// - Throws: The `LocationError` that the base session throws.
  package func read(
    until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<GPSDLines> {
    record(.read)
    return try await base?.read(until: deadline) ?? .ended
  }

  /// Records the call and forwards it.
  package func close() async {
    record(.close)
    await base?.close()
  }

  private func record(_ call: ScriptedGPSD.Call) { recorded.withLock { $0.append(call) } }
}
