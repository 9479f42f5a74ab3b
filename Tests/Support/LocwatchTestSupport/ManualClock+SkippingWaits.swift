package import LocationCore
package import LocationTestKit

extension ManualClock {
  /// The same clock for who is never kept waiting: each wait moves it to its end.
  package var skippingWaits: LocationClock {
    let clock = locationClock
    return LocationClock(
      now: { clock.now },
      sleepUntil: { [self] deadline in
        try Task.checkCancellation()
        let rest = clock.now.duration(to: deadline)
        if rest > .zero { jump(by: rest) }
      })
  }
}
