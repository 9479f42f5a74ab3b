/// A state machine that turns the reports of a provider into events, such as a ``RegionMonitor``.
///
/// ``LocationProvider/events(of:for:staleAfter:retries:)`` runs a monitor. A monitor has no clock and performs no
/// I/O, so you can also pass fixes and moments to it yourself.
public protocol LocationMonitor: Sendable {
  /// What the monitor reports.
  associatedtype Event: Sendable

  /// The kinds of reports that the monitor needs besides fixes. The default is none.
  var reports: Set<ServiceReport.Kind> { get }

  /// The moment at which to call ``expire(at:)``; `nil` for never, which is the default.
  ///
  /// After a call of ``expire(at:)``, the deadline must be later than the moment that was passed.
  var deadline: Moment? { get }

  /// Handles a fix that arrived at a moment, and returns the events that follow from it in order.
  mutating func handle(_ fix: LocationFix, at moment: Moment) -> [Event]

  /// Handles a report of one of the kinds in ``reports``. The default returns no events.
  mutating func handle(_ report: ServiceReport, at moment: Moment) -> [Event]

  /// Returns the events that follow only from the time. The default returns none.
  mutating func expire(at moment: Moment) -> [Event]

  /// Returns the events that follow from the end of the updates, such as the end of a leg. The default returns none.
  mutating func finish() -> [Event]
}

extension LocationMonitor {
  /// None.
  public var reports: Set<ServiceReport.Kind> { [] }
  /// `nil`: nothing follows only from the time.
  public var deadline: Moment? { nil }
  /// Returns no events.
  public mutating func handle(_ report: ServiceReport, at moment: Moment) -> [Event] { [] }
  /// Returns no events.
  public mutating func expire(at moment: Moment) -> [Event] { [] }
  /// Returns no events.
  public mutating func finish() -> [Event] { [] }
}

extension LocationFix {
  /// The accuracy, or 20 m if it is unknown.
  private var presumedAccuracy: Double { accuracy ?? 20 }

  /// The accuracy by which monitors judge: at least 5 m.
  var cautiousAccuracy: Double { max(presumedAccuracy, 5) }

  /// Whether monitors take the fix into account, if they require an accuracy. What is reported instead of a position
  /// does not count.
  func counts(within maximumAccuracy: Double) -> Bool {
    isCurrent && presumedAccuracy <= maximumAccuracy && !doubtSet.contains(.zero)
  }
}
