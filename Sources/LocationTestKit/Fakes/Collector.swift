import LocationCore
import Synchronization

/// Collects what callbacks receive, so that a test can wait for it and compare it.
///
/// ```swift
/// let failures = Collector<LocationError>()
/// coordinator.onFailure = failures.add
/// coordinator.start()
/// #expect(await failures.next().map(\.code) == [.unreachable])
/// ```
public final class Collector<Value: Sendable>: Sendable {
  private struct State {
    var values: [Value] = []
    /// How many of them `next` has returned.
    var taken = 0
  }

  private let state = Mutex(State())
  private let bell = Mailbox<Void>()

  /// Creates a collector without values.
  public init() {}

  /// All values so far, in their order.
  public var values: [Value] { state.withLock(\.values) }

  /// Adds a value.
  public func add(_ value: Value) {
    state.withLock { $0.values.append(value) }
    bell.send(())
  }

  /// Waits for values that this method has not returned yet. One task may wait at a time.
  ///
  /// - Parameters:
  ///   - count: The number of values; a negative one counts as zero.
  ///   - limit: How long to wait for each of them, in real time.
  /// - Returns: The values, in their order; fewer than `count` if the limit was reached or the task was
  ///   cancelled first.
  public func next(_ count: Int = 1, atMost limit: Duration = .seconds(300)) async -> [Value] {
    let clock = LocationClock.patient
    let end = clock.now.advanced(by: limit)
    while state.withLock({ $0.values.count - $0.taken }) < count {
      guard case .value = await bell.take(until: end, by: clock) else { break }
    }
    return take(count)
  }

  /// Waits until all tasks in the clock's virtual time are waiting, and returns the values that ``next(_:atMost:)``
  /// has not returned yet.
  ///
  /// ```swift
  /// #expect(await failures.rest(by: clock) == [])  // Nothing else came.
  /// ```
  ///
  /// `withVirtualTime` describes what is not waited for. Outside of virtual time, the program stops with an error.
  public func rest(by clock: ManualClock) async -> [Value] {
    await clock.settle()
    return take(.max)
  }

  private func take(_ count: Int) -> [Value] {
    state.withLock { state in
      let next = state.values[state.taken...].prefix(max(0, count))
      state.taken += next.count
      return Array(next)
    }
  }
}
