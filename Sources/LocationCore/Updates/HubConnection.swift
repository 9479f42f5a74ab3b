/// A connection to a ``LocationHub``, which reads what the hub's own connection reports.
struct HubConnection: LocationConnection {
  private let hub: LocationHub
  private var membership: HubMembership?
  private var isClosed = false
  /// After what time the hub connects again by itself after the failure that was thrown; `nil` if it does not.
  private(set) var retryIn: Duration?

  init(to hub: LocationHub) { self.hub = hub }

  /// Waits for what the hub reports next. The first call joins the hub, which connects if it is not
  /// connected.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits without a limit.
  /// - Returns: The events of one update; ``TimedRead/timedOut(at:)`` if there were none before the
  ///   deadline; ``TimedRead/ended`` when the hub has ended, after ``close()``, and if the task is
  ///   cancelled.
  /// - Throws: ``LocationError`` once, when the hub's connection fails, or when the hub fails to connect again.
  ///   The hub continues to connect by its own ``RetryPolicy``, and a new connection to it waits for that.
  mutating func next(
    until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
    guard !isClosed else { return .ended }
    let reader = join()
    while true {
      switch try await reader.next(until: deadline, by: hub.clock) {
      case .value(let update, let moment):
        if let failure = update.failure {
          await close()
          retryIn = failure.retryIn
          throw failure.error
        }
        if let event = update.event { return .event(event, at: moment) }
      case .timedOut(let moment):
        return .timedOut(at: moment)
      case .ended:
        await close()
        return .ended
      }
    }
  }

  /// Leaves the hub, which stays connected.
  mutating func close() async {
    isClosed = true
    membership = nil
  }

  private mutating func join() -> HubReader {
    let membership = membership ?? HubMembership(of: hub, asConnection: true)
    self.membership = membership
    return membership.reader
  }
}

extension LocationUpdate {
  /// The failure of the hub's connection, or to connect again; `nil` for other updates.
  var failure: (error: LocationError, retryIn: Duration?)? {
    switch self {
    case .state(let change) where change.state == .noService:
      (change.error ?? LocationError(.disconnected, change.reason ?? ""), change.retryIn)
    case .retry(let retry): (retry.error, retry.retryIn)
    default: nil
    }
  }

  /// The event that has the update as its consequence; `nil` for those that follow from others.
  fileprivate var event: LocationEvent? {
    switch self {
    case .fix(let fix): .fix(fix)
    case .event(let event): event
    case .change(let change): change.event
    case .state(let change): change.event
    case .retry: nil
    }
  }

  /// The update as a connection gets it that joins later; `nil` for a failure of the hub's connection, because the
  /// new one waits for the next attempt.
  var forNewConnection: LocationUpdate? {
    guard case .state(let change) = self else { return self }
    switch (change.state, change.subject) {
    case (.noService, _): return nil
    case (.noDevice, .link): return .event(.receivers([]))
    case (.noDevice, .receiver(let path?)):
      return .event(change.reason.map { .refused(path: path, reason: $0) } ?? .removed(path: path))
    default: return self
    }
  }
}

extension ReceiverChange {
  fileprivate var event: LocationEvent? {
    if case .selected(let name, let previous) = kind {
      .selected(name, previous: previous)
    } else {
      nil
    }
  }
}

extension StateChange {
  fileprivate var event: LocationEvent? {
    switch (state, subject) {
    case (.searching, .receiver(let path)), (.lost, .receiver(let path)):
      .noFix(NoFix(device: path, time: time))
    // An event that comes with it says why there is no receiver.
    case (.noDevice, _), (.connecting, _), (.noService, _), (.fix2D, _), (.fix3D, _), (_, .link):
      nil
    }
  }
}
