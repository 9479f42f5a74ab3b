import GPSDLocation
import GPSDTestKit
import LocationCore
import Synchronization

/// A session that records its calls, and forwards them.
final class SpySession: GPSDSession {
  private let base: (any GPSDSession)?
  private let recorded = Mutex<[ScriptedGPSD.Call]>([])

  /// - Parameter base: If it is `nil`, every call succeeds, and the first read is the end.
  init(_ base: (any GPSDSession)? = nil) { self.base = base }

  /// All calls so far, including those that failed.
  var calls: [ScriptedGPSD.Call] { recorded.withLock(\.self) }

  var isLive: Bool { base?.isLive ?? false }

  func open(_ endpoint: GPSDEndpoint) async throws(LocationError) {
    record(.open(endpoint))
    try await base?.open(endpoint)
  }

  func send(_ command: GPSDCommand) async throws(LocationError) {
    record(.send(command))
    try await base?.send(command)
  }

  func read(until deadline: Moment?) async throws(LocationError) -> TimedRead<GPSDLines> {
    record(.read)
    return try await base?.read(until: deadline) ?? .ended
  }

  func close() async {
    record(.close)
    await base?.close()
  }

  private func record(_ call: ScriptedGPSD.Call) { recorded.withLock { $0.append(call) } }
}
