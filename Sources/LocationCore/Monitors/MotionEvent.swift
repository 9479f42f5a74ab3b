/// A change of a receiver's motion.
public struct MotionEvent: Hashable, Sendable, Codable {
  /// The motion from now on.
  public var motion: Motion
  /// The motion before; ``Motion/unknown`` for the first event.
  public var previous: Motion
  /// The fix that decided; `nil` if the motion becomes unknown.
  public var fix: LocationFix?
  /// When the motion changed. A standstill is decided when it has lasted for the dwell time.
  public var moment: Moment

  /// Creates an event.
  ///
  /// - Parameters:
  ///   - motion: The motion from now on.
  ///   - previous: The motion before.
  ///   - fix: The fix that decided; `nil` if the motion becomes unknown.
  ///   - moment: When the motion changed.
  public init(_ motion: Motion, previous: Motion, fix: LocationFix?, at moment: Moment) {
    self.motion = motion
    self.previous = previous
    self.fix = fix
    self.moment = moment
  }
}

extension MotionEvent: CustomStringConvertible {
  /// A text for logs and test failures, such as `moving > stationary at 60.0 seconds`. Its format may
  /// change.
  public var description: String { "\(previous) > \(motion) at \(moment)" }
}
