import GPSDProtocol
public import LocationCore

/// Turns gpsd's `ATT` reports into headings.
///
/// gpsd reports the true heading (`ATT[.heading]`) of compasses and of receivers with two antennas, and in newer
/// versions a magnetic one (`ATT[.mheading]`). If one of the two is missing, it is computed with the magnetic
/// variation of the last fix that has one, `LocationFix.magvar`, from the receiver or from gpsd's table. A number
/// outside 0 to 360 is ignored, because gpsd does not convert the units of some compasses. gpsd reports no accuracy
/// of a heading. The fields of `ATT` have more: the magnetometer's state, pitch, roll, and the rate of turn.
///
/// `LocationProvider.headings(staleAfter:retries:)` runs a monitor.
public struct HeadingMonitor: LocationMonitor {
  private var variation: Double?

  /// Creates a monitor that knows no variation yet.
  public init() {}

  /// `ATT`.
  public var reports: Set<ServiceReport.Kind> { [.att] }

  /// Handles the magnetic variation of a fix. Returns no headings.
  public mutating func handle(_ fix: LocationFix, at moment: Moment) -> [LocationHeading] {
    variation = fix.magvar ?? variation
    return []
  }

  /// Returns the heading in a report; none if it has none.
  public mutating func handle(_ report: ServiceReport, at moment: Moment) -> [LocationHeading] {
    guard report.kind == .att, let attitude = ATT(report) else { return [] }
    let heading = LocationHeading(
      trueHeading: attitude[.heading], magneticHeading: attitude[.mheading], variation: variation,
      device: attitude.device, time: attitude.time, received: report.received)
    return heading.map { [$0] } ?? []
  }
}

extension LocationProvider {
  /// Returns the headings that gpsd's compasses and receivers report, reconnecting after failures.
  ///
  /// ```swift
  /// for try await heading in GPSDLocationSource().headings() {
  ///   if let degrees = heading.trueHeading { print(degrees) }
  /// }
  /// ```
  ///
  /// The sequence requests `ATT` reports of a ``GPSDLocationSource``. Any other provider has headings if it reports
  /// `ATT` as `LocationEvent.other(_:)`. A `BestLocationProvider` reports none: watch one of its providers.
  ///
  /// - Parameters:
  ///   - staleAfter: The silence after which a fix is no longer current.
  ///   - retries: When to connect again after a failure.
  public func headings(
    staleAfter: Duration? = nil, retries: RetryPolicy = RetryPolicy()
  ) -> MonitorEvents<HeadingMonitor> {
    events(of: HeadingMonitor(), staleAfter: staleAfter, retries: retries)
  }
}
