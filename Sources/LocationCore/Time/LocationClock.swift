/// What tells the time and waits: the machine's clocks, or a test's.
public struct LocationClock: Sendable {
  private let currentMoment: @Sendable () -> Moment
  private let wait: @Sendable (Moment) async throws -> Void

  /// - Parameters:
  ///   - now: Tells the time.
  ///   - sleepUntil: Waits until the uptime of a moment; throws when the task is cancelled.
  public init(
    now: @escaping @Sendable () -> Moment,
    sleepUntil: @escaping @Sendable (Moment) async throws -> Void
  ) {
    currentMoment = now
    wait = sleepUntil
  }

  public var now: Moment { currentMoment() }

  /// Waits until `deadline`. Returns early, and says so with `false`, when the task is cancelled.
  public func sleep(until deadline: Moment) async -> Bool {
    guard now < deadline else { return !Task.isCancelled }
    return (try? await wait(deadline)) != nil
  }
}
