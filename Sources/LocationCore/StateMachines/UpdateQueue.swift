/// Pending updates, in order.
///
/// The queue keeps its capacity, so a report allocates nothing. It reuses the memory of taken
/// updates, even if it is never empty because its reader is too slow.
package struct UpdateQueue: Sendable {
  /// The number of taken updates after which the rest may move to the front.
  private static let maximumTaken = 64

  private var updates: [(update: LocationUpdate, moment: Moment)] = []
  private var taken = 0
  /// The state of the last change that was appended.
  private(set) var lastState: LocationState?

  package init() {}

  package var isEmpty: Bool { updates.isEmpty }
  package var count: Int { updates.count - taken }
  /// The number of updates for which there is memory.
  var capacity: Int { updates.capacity }
  /// The moment of the next update; `nil` if there is none.
  package var nextMoment: Moment? { updates.isEmpty ? nil : updates[taken].moment }
  /// The moment of the last update; `nil` if there is none.
  package var lastMoment: Moment? { updates.last?.moment }

  package mutating func append(_ update: LocationUpdate, at moment: Moment) {
    updates.append((update, moment))
  }

  mutating func append(_ change: StateChange) {
    lastState = change.state
    updates.append((.state(change), change.moment))
  }

  package mutating func take() -> LocationUpdate? {
    // The usual single update is moved out, which is faster than clearing the array.
    if taken == 0, updates.count <= 1 { return updates.popLast()?.update }
    guard taken < updates.count else { return nil }
    let update = updates[taken].update
    taken += 1
    if taken == updates.count {
      updates.removeAll(keepingCapacity: true)
      taken = 0
    } else if taken >= Self.maximumTaken, taken >= count {
      // Each update is moved at most once for each that was taken.
      updates.removeFirst(taken)
      taken = 0
    }
    return update
  }
}
