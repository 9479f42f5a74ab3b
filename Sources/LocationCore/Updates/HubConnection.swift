/// A connection to a ``LocationHub``, which reads what the hub's own connection reports.
public struct HubConnection: LocationConnection {
  private let hub: LocationHub
  private var membership: HubMembership?
  private var isClosed = false

  init(to hub: LocationHub) { self.hub = hub }

  /// Waits for what the hub reports next. The first call joins the hub, which connects if it is not
  /// connected.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits without a limit.
  /// - Returns: The events of one update; ``TimedRead/timedOut(at:)`` if there were none before the
  ///   deadline; ``TimedRead/ended`` when the hub has ended, after ``close()``, and if the task is
  ///   cancelled.
  /// - Throws: ``LocationError`` once, when the hub's connection fails. The hub goes on connecting by its
  ///   own ``RetryPolicy``; until it has, a new connection to it fails as well.
  public mutating func next(
    until deadline: Moment?
  ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
    guard !isClosed else { return .ended }
    let reader = join()
    while true {
      switch try await reader.next(until: deadline, by: hub.clock) {
      case .value(let update, let moment):
        if let failure = update.failure {
          await close()
          throw failure
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
  public mutating func close() async {
    isClosed = true
    membership = nil
  }

  private mutating func join() -> HubReader {
    let membership = membership ?? HubMembership(of: hub, keepsAllFixes: true)
    self.membership = membership
    return membership.reader
  }
}

extension LocationUpdate {
  /// The failure of the link; `nil` for other updates.
  fileprivate var failure: LocationError? {
    guard case .state(let change) = self, change.state == .noService else { return nil }
    return change.error ?? LocationError(.disconnected, change.reason ?? "")
  }

  /// The event that has the update as its consequence; `nil` for those that follow from others.
  fileprivate var event: LocationEvent? {
    switch self {
    case .fix(let fix): .fix(fix)
    case .report(let event): event
    case .change(let change): change.event
    case .state(let change): change.event
    case .retry: nil
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
    case (.noDevice, .receiver(let path)): path.map { .removed(path: $0) }
    case (.noDevice, .link): .receivers([])
    case (.connecting, _), (.noService, _), (.fix2D, _), (.fix3D, _), (_, .link): nil
    }
  }
}
