import LocationTestKit

/// What callbacks said, in their order, and as text. A test waits for it as for an expectation.
@MainActor
final class Heard {
  private let words: AsyncStream<String>
  private let continuation: AsyncStream<String>.Continuation

  init() { (words, continuation) = AsyncStream.makeStream() }

  func take(_ text: String) { continuation.yield(text) }

  /// A callback that is heard.
  func takes<Value>(_ text: @escaping (Value) -> String) -> @MainActor (Value) -> Void {
    { [continuation] in continuation.yield(text($0)) }
  }

  /// Waits for so many callbacks.
  func next(_ count: Int = 1) async -> [String] {
    var heard: [String] = []
    var iterator = words.makeAsyncIterator()
    while heard.count < count, let text = await iterator.next(isolation: #isolation) {
      heard.append(text)
    }
    return heard
  }
}

/// A delegate that notes what it hears.
@MainActor
final class Listener: LocationCoordinatorDelegate {
  let heard = Heard()

  func locationCoordinator(_ coordinator: LocationCoordinator, didUpdate fix: LocationFix) {
    heard.take("at \(fix.coordinate.latitude)")
  }

  func locationCoordinator(_ coordinator: LocationCoordinator, didChange change: StateChange) {
    heard.take(change.state.rawValue)
  }

  func locationCoordinator(_ coordinator: LocationCoordinator, didFail error: LocationError) {
    heard.take("\(error)")
  }
}
