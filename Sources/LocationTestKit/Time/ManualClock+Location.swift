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

extension LocationClock {
  /// Returns this clock with a place in the order in which those are woken that wait until the same moment.
  package func inWakingOrder() -> LocationClock {
    let place = WakingOrder.nextPlace()
    return LocationClock(
      now: { now }, wallError: wallError, recordedError: recordedError, isManual: isManual,
      sleepUntil: { moment in
        try await WakingOrder.$place.withValue(place) { try await sleep(until: moment) }
      })
  }
}
