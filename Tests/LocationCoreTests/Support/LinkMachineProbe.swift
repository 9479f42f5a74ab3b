@testable import LocationCore

/// A machine under test, with its updates as values. All comes at one moment.
struct WatchMachineProbe {
  private var machine = LinkMachine(staleAfter: nil)
  private var queue = UpdateQueue()

  mutating func take(_ event: LocationEvent) {
    machine.handle(event, at: Reports.moment(0), into: &queue)
  }

  /// The fixes among the updates.
  mutating func fixes() -> [LocationFix] {
    told().compactMap { if case .fix(let fix) = $0 { fix } else { nil } }
  }

  mutating func told() -> [LocationUpdate] {
    var updates: [LocationUpdate] = []
    while let (update, _) = queue.take() { updates.append(update) }
    return updates
  }
}
