import LocationCore

/// The receivers whose last position is current, for formats that have to take it back.
struct FixedReceivers: Sendable {
  private var receivers = ReceiverTable<Void>()

  /// Whether no receiver has a current position.
  var isEmpty: Bool { receivers.isEmpty }

  mutating func record(_ fix: LocationFix) {
    if fix.isCurrent { receivers[fix.device] = () }
  }

  /// Returns the receivers whose position a change ends. Without a link, none is current.
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
  /// When it happened: by the receivers' clock if one is known, else by this machine's.
  var instant: Timestamp? { time ?? moment.wall }
}
