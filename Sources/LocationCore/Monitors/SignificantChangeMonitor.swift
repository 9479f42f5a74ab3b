/// Reports a fix only after a significant change of the position.
///
/// The first fix is reported, and after that each fix that is at least a distance away from the one
/// reported before, but none earlier than an interval after it. The defaults, 500 m and 5 minutes, are
/// those that Apple documents for `startMonitoringSignificantLocationChanges()`. That service saves energy
/// by locating the device by cell towers; here the receiver goes on as before, and only the events are
/// fewer.
///
/// Unlike the `distanceFilter` of
/// ``LocationProvider/updates(_:staleAfter:retries:)``,
/// which filters by distance alone, inaccurate fixes and those that are not current are ignored.
public struct SignificantChangeMonitor: LocationMonitor {
  private let distance: Double
  private let interval: Duration
  private let maximumAccuracy: Double
  private var reported: (coordinate: Coordinate, moment: Moment)?

  /// Creates a monitor whose first fix is significant. Negative arguments and NaN count as zero.
  ///
  /// - Parameters:
  ///   - distance: The least distance between two fixes that are reported, in metres.
  ///   - interval: The least time between them.
  ///   - maximumAccuracy: The largest ``LocationFix/accuracy`` of a fix that counts, in metres. An unknown
  ///     accuracy counts as 20 m.
  public init(
    distance: Double = 500, interval: Duration = .seconds(300), maximumAccuracy: Double = 100
  ) {
    self.distance = distance.asLimit
    self.interval = interval.asLimit
    self.maximumAccuracy = maximumAccuracy.asLimit
  }

  /// Handles a fix.
  ///
  /// - Parameters:
  ///   - fix: The fix. One that is not current is ignored.
  ///   - moment: When the fix arrived.
  /// - Returns: The fix, if it is significant.
  public mutating func handle(_ fix: LocationFix, at moment: Moment) -> [LocationFix] {
    guard fix.counts(within: maximumAccuracy) else { return [] }
    if let reported {
      guard reported.moment.duration(to: moment) >= interval,
        reported.coordinate.distance(to: fix.coordinate) >= distance
      else { return [] }
    }
    reported = (fix.coordinate, moment)
    return [fix]
  }
}
