/// Pending updates, in order.
///
/// The queue keeps its capacity, so a report allocates nothing.
package struct UpdateQueue: Sendable {
  private var updates = Queue<(update: LocationUpdate, moment: Moment)>()
  /// The state of the last change that was appended.
  private(set) var lastState: LocationState?

  package init() {}

  package var isEmpty: Bool { updates.isEmpty }
  package var count: Int { updates.count }
  /// The number of updates for which there is memory.
  var capacity: Int { updates.capacity }
  /// The moment of the next update; `nil` if there is none.
  package var nextMoment: Moment? { updates.first?.moment }

  package mutating func append(_ update: LocationUpdate, at moment: Moment) {
    updates.append((update, moment))
  }

  mutating func append(_ change: StateChange) {
    lastState = change.state
    updates.append((.state(change), change.moment))
  }

  package mutating func take() -> (update: LocationUpdate, moment: Moment)? { updates.take() }
}
