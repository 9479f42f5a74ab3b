/// The state of the link and of each of its receivers, by their last changes.
struct CurrentStates: Sendable {
  /// The last change of the link; `nil` before the first one.
  private(set) var link: StateChange?
  /// The last change of each receiver since then.
  private(set) var receivers = ReceiverTable<StateChange>()

  mutating func record(_ change: StateChange) {
    switch change.subject {
    case .link:
      link = change
      receivers.removeAll()
    case .receiver(let path):
      if let index = receivers.find(path) {
        receivers.values[index] = change
      } else if receivers.insert(change, for: path, inPlaceOf: { $0.state == .noDevice }) == nil {
        receivers.insert(change, for: path)
      }
    }
  }

  /// The best state of all receivers, or the state of the link if no receiver has one. A receiver that was removed
  /// does not count, unless there is no other.
  var state: LocationState? {
    let best: [LocationState] = [.fix3D, .fix2D, .lost, .searching]
    let states = receivers.values.map(\.state)
    return best.first(where: states.contains) ?? states.last ?? link?.state
  }

  /// Whether any receiver has a fix.
  var hasFix: Bool { receivers.values.contains(where: \.state.hasFix) }
}
