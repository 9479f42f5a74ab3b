import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization

/// A session that records its calls, and forwards them.
final class SpySession: GPSDSession {
  private let base: (any GPSDSession)?
  private let recorded = Mutex<[ScriptedGPSD.Call]>([])

  /// - Parameter base: If it is `nil`, every call succeeds, and the first poll is the end.
  init(_ base: (any GPSDSession)? = nil) { self.base = base }

  /// All calls so far, including those that failed.
  var calls: [ScriptedGPSD.Call] { recorded.withLock(\.self) }

  var isLive: Bool { base?.isLive ?? false }

  func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    record(.open(endpoint))
    try await base?.open(endpoint)
  }

  func restart() { base?.restart() }

  func send(_ command: GPSDCommand) throws(LocationError) {
    record(.send(command))
    try base?.send(command)
  }

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> {
    record(.read)
    return try base?.poll(at: now) ?? .ended
  }

  func wait() -> Wait { base?.wait() ?? Wait() }

  func close() {
    record(.close)
    base?.close()
  }

  private func record(_ call: ScriptedGPSD.Call) { recorded.withLock { $0.append(call) } }
}
