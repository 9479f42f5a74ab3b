import LocationCore

/// Updates for a reader that does not read just now, in their order.
struct WaitingUpdates {
  private var updates: [(update: LocationUpdate, moment: Moment)] = []
  private var taken = 0

  var count: Int { updates.count - taken }
  var isEmpty: Bool { updates.isEmpty }
  /// When the last one came; `nil` where there is none.
  var lastMoment: Moment? { updates.last?.moment }

  mutating func append(_ update: LocationUpdate, at moment: Moment) {
    updates.append((update, moment))
  }

  mutating func take() -> (update: LocationUpdate, moment: Moment)? {
    guard taken < updates.count else { return nil }
    defer {
      taken += 1
      // Cleared in one go: to move up the others for each would be dear.
      if taken == updates.count {
        updates.removeAll()
        taken = 0
      }
    }
    return updates[taken]
  }
}
