/// A connection to a ``LocationHub``, which reads what the hub's own connection reports.
struct HubConnection: LocationConnection {
  private let hub: LocationHub
  private var membership: HubMembership?
  private var isClosed = false
  /// After what time the hub connects again by itself after the failure that was thrown; `nil` if it does not.
  private(set) var retryIn: Duration?

  init(to hub: LocationHub) { self.hub = hub }

  /// Returns what the hub reports next. The first call joins the hub, which connects if it is not connected.
  ///
  /// - Throws: ``LocationError`` once, when the hub's connection fails, or when the hub fails to connect again.
  ///   The hub continues to connect by its own ``RetryPolicy``, and a new connection to it waits for that.
  mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
    guard !isClosed else { return .ended }
    let reader = join()
    while true {
      switch try reader.poll(at: now) {
      case .received((let update, let moment)):
        if let failure = update.failure {
          close()
          retryIn = failure.retryIn
          throw failure.error
        }
        if let event = update.event { return .event(event, at: moment) }
      case .quiet(let moment): return .quiet(at: moment)
      case .ended:
        close()
        return .ended
      }
    }
  }

  mutating func wait() -> Wait { join().wait() }

  /// Leaves the hub, which stays connected.
  mutating func close() {
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
