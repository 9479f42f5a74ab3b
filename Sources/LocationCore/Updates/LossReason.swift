/// The reason why a receiver has no current position.
///
/// Later versions may add reasons: a `switch` needs a `default`.
public struct LossReason: Hashable, Sendable {
  /// The reason's name, as locwatch prints it.
  package var rawValue: String

  /// Creates a reason from its name.
  package init(rawValue: String) { self.rawValue = rawValue }

  /// The receiver sends reports, but has no position.
  public static let noFix = LossReason(rawValue: "no-fix")
  /// The receiver reports nothing, not even satellites.
  public static let silence = LossReason(rawValue: "silence")
  /// The receiver keeps repeating the same time.
  public static let stuck = LossReason(rawValue: "stuck")
}

extension LossReason {
  /// The reason in words, for people; the name if there are none.
  package var words: String {
    switch self {
    case .noFix: "no position"
    case .silence: "no reports"
    case .stuck: "its time stands still"
    default: rawValue
    }
  }
}

extension LossReason: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}
