/// What the machines have said and nobody has taken yet. It keeps its room, so that a report costs
/// no allocation.
struct Output: Sendable {
  private var updates: [(update: LocationUpdate, moment: Moment)] = []
  private var taken = 0
  /// The state that was given out last.
  private(set) var lastState: LocationState?

  var isEmpty: Bool { updates.isEmpty }

  mutating func append(_ update: LocationUpdate, at moment: Moment) {
    updates.append((update, moment))
  }

  mutating func append(_ change: StateChange) {
    lastState = change.state
    updates.append((.state(change), change.moment))
  }

  mutating func take() -> (update: LocationUpdate, moment: Moment)? {
    // Mostly there is one, and it is moved out; to clear the list takes longer.
    if taken == 0, updates.count <= 1 { return updates.popLast() }
    guard taken < updates.count else { return nil }
    let update = updates[taken]
    taken += 1
    if taken == updates.count {
      updates.removeAll(keepingCapacity: true)
      taken = 0
    }
    return update
  }
}
