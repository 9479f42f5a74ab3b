/// A position, and when the receiver was there.
///
/// ```swift
/// if let known = coordinator.lastKnownLocation {
///   print("\(known.fix.coordinate), \(known.age(at: provider.clock.now)) ago")
/// }
/// ```
public struct KnownLocation: Hashable, Sendable {
  /// The fix with the position.
  public var fix: LocationFix
  /// When the receiver was there, by the provider's clock: when the fix arrived or, if
  /// ``LocationProvider/receiversShareClock`` is `true`, the time of the fix.
  public var moment: Moment

  /// Creates a position at which a receiver was at `moment`.
  package init(_ fix: LocationFix, at moment: Moment) {
    self.fix = fix
    self.moment = moment
  }

  /// Returns how long before a moment the receiver was there, by the provider's clock.
  public func age(at moment: Moment) -> Duration { self.moment.duration(to: moment) }
}

extension KnownLocation: CustomStringConvertible {
  /// A text for logs and test failures, such as `3D 48.14997, 11.58477 at 3.0 seconds`. Its format may change.
  public var description: String { "\(fix) at \(moment)" }
}

/// Keeps the last known location of a provider.
struct LastKnownLocation: Sendable {
  /// See ``LocationProvider/receiversShareClock``.
  let sharesClock: Bool
  private(set) var location: KnownLocation?

  init(sharesClock: Bool) { self.sharesClock = sharesClock }

  /// Records a fix, unless it is older than the last one. The age of one that is not current may be unknown.
  mutating func record(_ fix: LocationFix, at arrival: Moment) {
    var moment = arrival
    if sharesClock, let time = fix.time, let received = fix.received {
      moment = arrival.later(by: min(.zero, received.nanoseconds(to: time)))
    } else if !fix.isCurrent {
      return
    }
    if let location, moment < location.moment { return }
    location = KnownLocation(fix, at: moment)
  }
}
