import LocationCore

/// The receivers whose last position is current, for formats that have to retract a position.
struct ReceiversWithFix: Sendable {
  private var receivers = ReceiverTable<Void>()

  /// Whether no receiver has a current position.
  var isEmpty: Bool { receivers.isEmpty }

  mutating func record(_ fix: LocationFix) {
    if fix.isCurrent { receivers[fix.device] = () }
  }

  /// Returns the receivers that lose their current position by a change. If the link is lost, every receiver
  /// does.
  mutating func end(by change: StateChange) -> [String?] {
    guard !change.state.hasFix else { return [] }
    switch change.subject {
    case .link:
      defer { receivers.removeAll() }
      return receivers.indices.map(receivers.path(at:))
    case .receiver(let path):
      guard receivers[path] != nil else { return [] }
      receivers[path] = nil
      return [path]
    }
  }
}

extension StateChange {
  /// When the change happened, by the receiver's clock, or by the local clock if the receiver's time is
  /// unknown.
  var instant: Timestamp? { time ?? moment.wall }
}
