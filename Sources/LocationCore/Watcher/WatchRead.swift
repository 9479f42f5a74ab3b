/// What one wait for an update gave.
public enum WatchRead: Hashable, Sendable {
  /// An update, and when it came about.
  case update(LocationUpdate, at: Moment)
  /// The deadline passed; by now it is so late.
  case timedOut(at: Moment)
  /// There will be no more: the provider is done, or the task was cancelled.
  case ended
}
