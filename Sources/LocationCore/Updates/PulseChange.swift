/// A change of a receiver's pulses per second: the first of them, or the lack of any for 3 s.
///
/// Only a provider that passes on ``ServiceReport/Kind/pps`` reports has pulses.
public struct PulseChange: Hashable, Sendable {
  /// Whether pulses arrive.
  ///
  /// Later versions may add states: a `switch` outside this package needs an `@unknown default`.
  #if compiler(>=6.3)
    @nonexhaustive
  #endif
  public enum State: String, Hashable, Sendable, CaseIterable, Codable {
    /// Pulses arrive.
    case present
    /// There was no pulse for 3 s, or the receiver or the service went away.
    case lost
  }

  /// The new state.
  public var state: State
  /// The state before the change; `nil` for the first pulse of a receiver.
  public var previous: State?
  /// The receiver's path; `nil` if the service names none.
  public var device: String?
  /// When the change happened, by this machine's clocks.
  public var moment: Moment

  /// Creates a change.
  public init(
    _ state: State, previous: State? = nil, device: String? = nil, at moment: Moment
  ) {
    self.state = state
    self.previous = previous
    self.device = device
    self.moment = moment
  }
}

extension PulseChange: CustomStringConvertible {
  /// A text for logs and test failures, such as `/dev/ttyACM0 present > lost at 12.5 seconds`. Its
  /// format may change.
  public var description: String {
    (device.map { "\($0) " } ?? "") + (previous.map { "\($0.rawValue) > " } ?? "")
      + "\(state.rawValue) at \(moment)"
  }
}
