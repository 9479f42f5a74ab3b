/// A change of a receiver that does not affect its state.
public struct ReceiverChange: Hashable, Sendable {
  /// What changed. A value is `nil` while it is unknown.
  ///
  /// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
  #if compiler(>=6.3)
    @nonexhaustive
  #endif
  public enum Kind: Hashable, Sendable {
    /// The quality of the fixes. With the first fix it is reported only if the position is not measured:
    /// if it comes from dead reckoning, or is surveyed or simulated.
    case quality(FixQuality?, previous: FixQuality?)
    /// The antenna. The first state is reported unless it is ``AntennaStatus/ok``. A fault ends when a report
    /// contains the power of the antenna and no fault, or when no report has repeated the fault for 30 s.
    case antenna(AntennaStatus, previous: AntennaStatus?)
    /// Strong interference began or ended: jamming, spoofing or a nearby disturbance. It begins at a level of 100 of
    /// 255, and ends below 50, or when 20 reports and 30 s had no level.
    case jamming(Bool)
    /// The reasons to doubt the position, empty if it is believed, with the previous reasons and a text about what
    /// was observed. It is reported just before the fix.
    case doubt([Doubt], previous: [Doubt], detail: String?)
    /// The receiver's pulses per second. Only providers that pass on ``ServiceReport/Kind/pps`` reports report this.
    case pulses(PulseStatus, previous: PulseStatus?)
    /// Whether the receivers of the service get corrections.
    case corrections(Corrections, previous: Corrections.State?)
    /// The name of the source of the fixes. Only a ``BestLocationProvider`` has several sources.
    case selected(String, previous: String?)
    /// The presence in a region, with the region's ID. ``LocationUpdates`` do not report this case; use it to pass on
    /// a ``RegionEvent`` among other changes.
    case region(Region.ID, presence: RegionPresence, previous: RegionPresence)
  }

  /// The kind of change, with the value before it.
  public var kind: Kind
  /// The receiver's path; `nil` if the service names none.
  public var device: String?
  /// The receiver's state, which does not change.
  package var state: LocationState?
  /// The position at which a region was entered or left; `nil` for other changes, and if the presence
  /// is unknown.
  package var coordinate: Coordinate?
  /// When the change happened, by the receiver's clock; `nil` if unknown.
  package var time: Timestamp?
  /// When the change happened, by the local clocks.
  public var moment: Moment

  /// Creates a change. An argument that is left out is unknown.
  package init(
    _ kind: Kind, of device: String? = nil, state: LocationState? = nil,
    coordinate: Coordinate? = nil, time: Timestamp? = nil, at moment: Moment
  ) {
    self.kind = kind
    self.device = device
    self.state = state
    self.coordinate = coordinate
    self.time = time
    self.moment = moment
  }
}

extension ReceiverChange.Kind {
  /// The name of what changed.
  package var name: String {
    switch self {
    case .quality: "quality"
    case .antenna: "antenna"
    case .jamming: "jamming"
    case .doubt: "doubt"
    case .pulses: "pps"
    case .corrections: "corrections"
    case .selected: "selected"
    case .region: "region"
    }
  }

  /// The name of what has changed, where there may be several; `nil` for other changes.
  package var subject: String? {
    switch self {
    case .region(let id, _, _): id
    case .corrections(let corrections, _): corrections.source
    case .quality, .antenna, .jamming, .doubt, .pulses, .selected: nil
    }
  }

  /// Why it changed, as a short text for people; `nil` if there is no explanation.
  package var reason: String? {
    switch self {
    case .corrections(let corrections, _): corrections.reason
    case .doubt(_, _, let detail): detail
    case .quality, .antenna, .jamming, .pulses, .selected, .region: nil
    }
  }

  /// The new value, as it is written; `nil` if it is unknown.
  package var value: String? {
    switch self {
    case .quality(let quality, _): quality?.name
    case .antenna(let antenna, _): antenna.name
    case .jamming(let isJammed): isJammed ? "on" : "off"
    case .doubt(let doubts, _, _): doubts.names
    case .pulses(let status, _): status.rawValue
    case .corrections(let corrections, _): corrections.state.rawValue
    case .selected(let name, _): name
    case .region(_, let presence, _): presence.rawValue
    }
  }

  /// The value before, as it is written; `nil` if it is unknown.
  package var previous: String? {
    switch self {
    case .quality(_, let previous): previous?.name
    case .antenna(_, let previous): previous?.name
    case .jamming(let isJammed): isJammed ? "off" : "on"
    case .doubt(_, let previous, _): previous.names
    case .pulses(_, let previous): previous?.rawValue
    case .corrections(_, let previous): previous?.rawValue
    case .selected(_, let previous): previous
    case .region(_, _, let previous): previous.rawValue
    }
  }
}

extension [Doubt] {
  /// The names, or `none`.
  fileprivate var names: String {
    isEmpty ? "none" : map(\.rawValue).joined(separator: ",")
  }
}

extension ReceiverChange: CustomStringConvertible {
  /// A text for logs and test failures, such as
  /// `/dev/ttyACM0 quality rtk-fixed > rtk-float at 12.5 seconds`. Its format may change.
  public var description: String {
    "\(device ?? "unnamed") \(kind.name) " + (kind.subject.map { "\($0) " } ?? "")
      + "\(kind.previous ?? "unknown") > \(kind.value ?? "unknown") at \(moment)"
  }
}

/// Whether a receiver's pulses per second arrive.
///
/// Later versions may add cases: a `switch` outside this package needs an `@unknown default`.
#if compiler(>=6.3)
  @nonexhaustive
#endif
public enum PulseStatus: String, Hashable, Sendable, CaseIterable {
  /// Pulses arrive.
  case present
  /// There was no pulse for 3 s, or the receiver or the service went away.
  case lost
}
