/// What one wait for an update gave.
public enum WatchRead: Hashable, Sendable {
  /// An update, and when it came about.
  case update(LocationUpdate, at: Moment)
  case timedOut(at: Moment)
  /// There will be no more.
  case ended
}
