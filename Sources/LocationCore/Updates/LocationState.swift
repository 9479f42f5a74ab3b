/// The state of the link to a location service, or of one receiver.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum LocationState: String, Hashable, Sendable, CaseIterable, Codable {
  /// The service has not answered yet.
  case connecting
  /// The service is unavailable: it refused the connection, closed it or is silent.
  case noService = "no-daemon"
  /// The service has no receiver, or this receiver was removed or refused.
  case noDevice = "no-device"
  /// The receiver has no position yet.
  case searching
  /// The receiver has a current position, without a height.
  case fix2D = "fix-2d"
  /// The receiver has a current position, with a height.
  case fix3D = "fix-3d"
  /// The receiver no longer has a current position; see ``StateChange/loss``.
  case lost

  /// Whether there is a current position.
  public var hasFix: Bool { self == .fix2D || self == .fix3D }
}

extension LocationState: CustomStringConvertible {
  /// The raw value, as locwatch prints it, such as `fix-3d`.
  public var description: String { rawValue }
}

/// The reason why a receiver has no current position.
///
/// Later versions may add reasons: a `switch` needs a `default`.
public struct LossReason: RawRepresentable, Hashable, Sendable, Codable {
  /// The reason's name, as locwatch prints it.
  public var rawValue: String

  /// Creates a reason from its name.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// The receiver reports that it has no position.
  public static let noFix = LossReason(rawValue: "no-fix")
  /// The receiver reports nothing.
  public static let silence = LossReason(rawValue: "silence")
  /// The receiver repeats the same time.
  public static let stuck = LossReason(rawValue: "stuck")
}

extension LossReason: CustomStringConvertible {
  /// The raw value.
  public var description: String { rawValue }
}

/// A change of state, of the link to a location service or of one receiver.
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
  /// The state before the change. For a receiver's first change, this is the state of the link.
  ///
  /// `nil` for the first change of all, or if the receiver may have been forgotten because there were
  /// too many.
  public var previous: LocationState?
  /// What changed: the link or a receiver.
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
  public var lastFix: LocationFix?
  /// The time until the next attempt to connect; `nil` if there is none.
  public var retryIn: Duration?
  /// When the change happened, by the receivers' clock.
  ///
  /// This is the time of the fix that caused the change. For other changes it is the time of the
  /// last fix plus the time elapsed since. `nil` if no fix has had a time.
  public var time: Timestamp?
  /// When the change happened, by this machine's clocks.
  public var moment: Moment

  /// Creates a state change. An argument that is left out is unknown or does not apply; ``reason``
  /// defaults to the name of the ``loss``.
  public init(
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

/// An element of ``LocationUpdates``: a state change, another change of a receiver, a fix, a failed
/// retry or another report.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum LocationUpdate: Hashable, Sendable {
  // Indirect because these are rare and large: the enum stays small.
  /// The state of the link or of a receiver changed.
  indirect case state(StateChange)
  /// Something else of a receiver changed, such as the quality of its fixes.
  indirect case change(ReceiverChange)
  /// A receiver's fix, with everything that it reported for one epoch.
  case fix(LocationFix)
  /// Another attempt to connect failed. No state changed.
  indirect case retry(FailedRetry)
  /// The provider reported something else: the service, its receivers, satellites or a notice.
  case report(LocationEvent)
}

/// A failed attempt to connect while the link is already ``LocationState/noService``.
public struct FailedRetry: Hashable, Sendable {
  /// The failure.
  public var error: LocationError
  /// The time until the next attempt to connect; `nil` if there is none.
  public var retryIn: Duration?
  /// When the attempt failed.
  public var moment: Moment

  /// Creates a failed attempt.
  ///
  /// - Parameters:
  ///   - error: The failure.
  ///   - retryIn: The time until the next attempt to connect; `nil` if there is none.
  ///   - moment: When the attempt failed.
  public init(_ error: LocationError, retryIn: Duration? = nil, at moment: Moment) {
    self.error = error
    self.retryIn = retryIn
    self.moment = moment
  }
}

extension LocationUpdate: CustomStringConvertible {
  /// A text for logs and test failures, such as `state connecting at 3.0 seconds` or
  /// `fix 3D 48.14997, 11.58477`. Its format may change.
  public var description: String {
    switch self {
    case .state(let change): "state \(change)"
    case .change(let change): "\(change)"
    case .fix(let fix): "fix \(fix)"
    case .retry(let retry): "retry \(retry)"
    case .report(let event): "\(event)"
    }
  }
}

extension FailedRetry: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `failed at 3.0 seconds: connection refused, again in 2.0 seconds`. Its format may change.
  public var description: String {
    "failed at \(moment): \(error)" + (retryIn.map { ", again in \($0)" } ?? "")
  }
}
