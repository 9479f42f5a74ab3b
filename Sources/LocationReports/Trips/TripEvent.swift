/// What a ``TripMonitor`` found out.
///
/// Cases may be added: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum TripEvent: Hashable, Sendable, Codable {
  /// A leg has begun at an earlier fix.
  case legBegan(Leg.End)
  /// The leg that had begun has ended at an earlier fix.
  case legEnded(Leg)
  /// A stop has begun at an earlier fix. It is known once the receiver has stood for as long as a stop lasts.
  case stopBegan(Leg.End)
  /// The stop that had begun has ended at an earlier fix.
  case stopEnded(Stop)
  /// The receiver is at another place after more than 10 minutes without a fix.
  case gapEnded(Gap)
}
