/// What tells the time and waits: the machine's clocks, or a test's.
public struct LocationClock: Sendable {
  private let currentMoment: @Sendable () -> Moment
  private let wait: @Sendable (Moment) async throws -> Void

  /// A clock that a program, or a test, makes.
  ///
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

  /// What it says now. It never goes back.
  public var now: Moment { currentMoment() }

  /// Waits until `deadline`; not at all where that has passed.
  ///
  /// - Returns: Whether it is that late. `false` where the task was cancelled, and the wait cut
  ///   short.
  public func sleep(until deadline: Moment) async -> Bool {
    guard now < deadline else { return !Task.isCancelled }
    return (try? await wait(deadline)) != nil
  }
}
