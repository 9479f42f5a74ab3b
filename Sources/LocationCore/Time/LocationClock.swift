/// What tells the time and waits: the machine's clocks, or a test's.
public struct LocationClock: Sendable {
  private let currentMoment: @Sendable () -> Moment
  private let wait: @Sendable (Duration) async throws -> Void

  public init(
    now: @escaping @Sendable () -> Moment,
    sleep: @escaping @Sendable (Duration) async throws -> Void
  ) {
    currentMoment = now
    wait = sleep
  }

  public var now: Moment { currentMoment() }

  /// Waits until `deadline`. Returns early, and says so with `false`, when the task is cancelled.
  public func sleep(until deadline: Moment) async -> Bool {
    let remaining = now.duration(to: deadline)
    guard remaining > .zero else { return !Task.isCancelled }
    return (try? await wait(remaining)) != nil
  }
}
