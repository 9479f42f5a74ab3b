import Synchronization

@testable import VirtualTime

/// What the tests of virtual time throw.
enum Failure: Error { case expected }

/// Collects values from tasks that run at the same time.
final class Collector<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock(\.self) }

  func add(_ value: Value) { state.withLock { $0.append(value) } }

  /// Waits for the first values.
  func next(_ count: Int) async -> [Value] {
    while values.count < count, !Task.isCancelled { await Task.yield() }
    return Array(values.prefix(count))
  }
}
