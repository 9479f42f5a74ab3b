/// A change of state, of the link to a location service or of one receiver.
///
/// If a receiver without a position falls silent or reports again, its state stays the same and only the
/// ``loss`` changes.
public struct StateChange: Hashable, Sendable {
  /// The link or a receiver, as the subject of a state change.
  public enum Subject: Hashable, Sendable {
    /// The link to the service.
    case link
    /// The receiver with this path; `nil` if the service names none.
    case receiver(String?)

    /// Returns whether both are the link, or receivers whose paths have the same bytes.
    public static func == (lhs: Subject, rhs: Subject) -> Bool {
      switch (lhs, rhs) {
      case (.link, .link): true
      case (.receiver(let path), .receiver(let other)): isSamePath(path, other)
      case (.link, .receiver), (.receiver, .link): false
      }
    }
  }

  /// The new state.
  public var state: LocationState
  /// The state before the change. It is the same state if only the ``loss`` changes, and the state of the link for a
  /// receiver's first change.
  ///
  /// `nil` for the very first change, or if the receiver may have been forgotten because there were too many.
  public var previous: LocationState?
  /// The link or the receiver that changed.
  public var subject: Subject
  /// Why there is no position, as a code.
  ///
  /// Set for ``LocationState/lost``, and for ``LocationState/searching`` if the receiver is silent;
  /// `nil` otherwise.
  public var loss: LossReason?
  /// Why the state changed, as a short text for people: the name of ``loss``, or a message of the
  /// service or the system. `nil` if there is no further explanation.
  public var reason: String?
  /// The failure that caused the change. Set for ``LocationState/noService``; `nil` otherwise.
  public var error: LocationError?
  /// The last fix that was current, if a position was lost; `nil` if there was none, and for states
  /// with a position.
  package var lastFix: LocationFix?
  /// The time until the next attempt to connect; `nil` if there is none.
  public var retryIn: Duration?
  /// When the change happened, by the receivers' clock.
  ///
  /// If a fix caused the change, this is the time of the fix. Otherwise, it is the time of the last fix plus the time
  /// elapsed since. Before the first fix, the last report with a time is used instead. `nil` if no report has had a
  /// time.
  public var time: Timestamp?
  /// When the change happened, by the local clocks.
  public var moment: Moment

  /// Creates a state change. An argument that is left out is unknown or does not apply; ``reason``
  /// defaults to the name of the ``loss``.
  package init(
    _ state: LocationState, of subject: Subject = .link, previous: LocationState? = nil,
    loss: LossReason? = nil, reason: String? = nil, error: LocationError? = nil,
    lastFix: LocationFix? = nil, retryIn: Duration? = nil, time: Timestamp? = nil, at moment: Moment
  ) {
    self.state = state
    self.previous = previous
    self.subject = subject
    self.loss = loss
    self.reason = reason ?? loss?.rawValue
    self.error = error
    self.lastFix = lastFix
    self.retryIn = retryIn
    self.time = time
    self.moment = moment
  }

  /// The ``reason`` in words, for people.
  package var reasonInWords: String? {
    guard let loss, reason == loss.rawValue else { return reason }
    return loss.words
  }

  /// The receiver's path; `nil` for the link, and if the service names none.
  public var device: String? {
    if case .receiver(let path) = subject { path } else { nil }
  }
}

extension StateChange: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `/dev/ttyACM0 fix-3d > lost: silence at 12.5 seconds`. Its format may change.
  public var description: String {
    var text = subject == .link ? "" : "\(subject) "
    if let previous { text += "\(previous.rawValue) > " }
    text += state.rawValue
    if let reason { text += ": \(reason)" }
    text += " at \(moment)"
    if let lastFix { text += ", last fix \(lastFix)" }
    if let retryIn { text += ", again in \(retryIn)" }
    return text
  }
}

extension StateChange.Subject: CustomStringConvertible {
  /// `link`, the receiver's path, or `unnamed` for a receiver without a path.
  public var description: String {
    switch self {
    case .link: "link"
    case .receiver(let path): path ?? "unnamed"
    }
  }
}
