extension StateChange: CustomStringConvertible {
  /// What changed, why and when: `/dev/ttyACM0 fix-3d > lost: silence at 12.5 seconds`.
  ///
  /// It is for people, and for the messages of tests; do not take it apart.
  public var description: String {
    var text = device.map { ($0.isEmpty ? "unnamed" : $0) + " " } ?? ""
    if let previous { text += "\(previous.rawValue) > " }
    text += state.rawValue
    if let reason { text += ": \(reason)" }
    text += " at \(moment)"
    if let lastFix { text += ", last fix \(lastFix)" }
    if let retryIn { text += ", again in \(retryIn)" }
    return text
  }
}
