public import LocationCore
public import VirtualTime

extension ManualClock {
  /// Creates a clock that stands still.
  ///
  /// - Parameter start: The time of day at the clock's beginning.
  public convenience init(start: Timestamp) {
    self.init(since1970: .nanoseconds(start.nanosecondsSince1970))
  }

  /// A `LocationClock` that shows the time of this clock.
  public var locationClock: LocationClock {
    let beginning = Timestamp(secondsSince1970: 0).advanced(by: start)
    return LocationClock(
      now: { [self] in Moment(uptime: elapsed, wall: beginning.advanced(by: elapsed)) },
      isManual: true,
      sleepUntil: { [self] in try await sleep(until: Instant(offset: $0.uptime)) })
  }
}
