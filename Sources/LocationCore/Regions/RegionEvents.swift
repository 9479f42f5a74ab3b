/// An asynchronous sequence of the regions that a receiver enters and leaves.
///
/// ``LocationProvider/regionEvents(_:maximumAccuracy:grace:dwell:staleAfter:retries:)`` returns one.
public typealias RegionEvents = MonitorEvents<RegionMonitor>

extension LocationProvider {
  /// Returns the regions that a receiver enters and leaves, reconnecting after failures.
  ///
  /// ```swift
  /// let harbour = Region.circle("harbour", around: sydney, radius: 500)
  /// for try await event in provider.regionEvents([harbour]) {
  ///   print(event.region.id, event.presence)  // harbour inside
  /// }
  /// ```
  ///
  /// The first event of each region reports whether the receiver is inside or outside. With several receivers, watch
  /// the provider of one of them. ``RegionMonitor`` describes when a presence changes.
  ///
  /// - Parameters:
  ///   - regions: The regions, each with an ID of its own.
  ///   - maximumAccuracy: The largest ``LocationFix/accuracy`` of a fix that counts, in metres.
  ///   - grace: How long a presence is kept without a fix that counts. It is kept for at least `staleAfter`; by
  ///     default, that is three intervals of the fixes, or 65 s until the interval is known.
  ///   - dwell: How long all fixes must be beyond the edge; zero if a single fix is enough.
  ///   - staleAfter: The silence after which a fix is no longer current, as for
  ///     ``updates(_:staleAfter:retries:)``.
  ///   - retries: When to connect again after a failure.
  public func regionEvents(
    _ regions: [Region], maximumAccuracy: Double = 100, grace: Duration = .seconds(30),
    dwell: Duration = .seconds(5), staleAfter: Duration? = nil, retries: RetryPolicy = RetryPolicy()
  ) -> RegionEvents {
    let monitor = RegionMonitor(
      regions, maximumAccuracy: maximumAccuracy, grace: grace, dwell: dwell, staleAfter: staleAfter)
    return events(of: monitor, staleAfter: staleAfter, retries: retries)
  }
}
