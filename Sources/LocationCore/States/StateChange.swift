/// One transition, of the link to a location service or of one receiver.
public struct StateChange: Hashable, Sendable {
  /// The state from now on.
  public var state: LocationState
  /// The state before it; `nil` at the very first.
  public var previous: LocationState?
  /// The receiver's path, empty where the service names none; `nil` where the link is meant.
  public var device: String?
  /// Why, in a few words: `no-fix`, `silence` or `stuck` for ``LocationState/lost``, else what the
  /// service or the system said. `nil` where the state says it all.
  public var reason: String?
  /// What failed, where that is why: at ``LocationState/noDaemon``. `nil` elsewhere.
  public var error: LocationError?
  /// The last fix that was current, where it no longer is; `nil` where there was none, and while
  /// there is one.
  public var lastFix: LocationFix?
  /// How long until the service is tried again; `nil` where it is not.
  public var retryIn: Duration?
  /// When it happened by the receivers' clock: the time of the fix that a state with one began with,
  /// else the last time that a fix told, and what has passed since. `nil` where no fix has told one.
  public var time: Timestamp?
  /// When it happened by this machine's clocks.
  public var moment: Moment

  /// A transition as a watcher tells it. What is left out is not known, or does not apply.
  public init(
    _ state: LocationState, previous: LocationState? = nil, device: String? = nil,
    reason: String? = nil, error: LocationError? = nil, lastFix: LocationFix? = nil,
    retryIn: Duration? = nil, time: Timestamp? = nil, at moment: Moment
  ) {
    self.state = state
    self.previous = previous
    self.device = device
    self.reason = reason
    self.error = error
    self.lastFix = lastFix
    self.retryIn = retryIn
    self.time = time
    self.moment = moment
  }
}
