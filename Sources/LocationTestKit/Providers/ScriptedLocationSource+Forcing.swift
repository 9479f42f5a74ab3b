public import LocationCore

/// What a test tells a source at any time, while it is iterated too. The connection that reads next
/// takes it; where there is none, the next one does.
extension ScriptedLocationSource {
  /// Reports something after `delay`, by the source's clock.
  public func force(_ event: LocationEvent, after delay: Duration = .zero) {
    force(.event(event), at: clock.now.advanced(by: delay))
  }

  /// Reports a fix.
  public func forceLocation(_ fix: LocationFix) { force(.fix(fix)) }

  /// Fails after `delay`. The connection is over by that.
  public func forceError(_ error: LocationError, after delay: Duration = .zero) {
    force(.fail(error), at: clock.now.advanced(by: delay))
  }

  /// Reports complete fixes around a place, accurate to 5 m, each at a random time after the one
  /// before.
  ///
  /// - Parameters:
  ///   - count: How many there are.
  ///   - center: The place they are around.
  ///   - spread: How far they are from `center` at the most, to the north and to the east, in metres.
  ///   - delays: How far they are apart.
  ///   - seed: The same seed gives the same fixes.
  /// - Returns: The fixes, with the times at which they will come.
  @discardableResult
  public func forceRandomDelayedLocations(
    _ count: Int, around center: Coordinate, spread: Double = 100,
    delays: ClosedRange<Duration> = .milliseconds(100)...(.seconds(2)), seed: UInt64
  ) -> [LocationFix] {
    var random = SeededRandom(seed: seed)
    var moment = clock.now
    return (0..<count).map { _ in
      let nanoseconds = delays.lowerBound.nanoseconds...delays.upperBound.nanoseconds
      moment = moment.advanced(by: .nanoseconds(Int64.random(in: nanoseconds, using: &random)))
      let place = center.neighbour(within: spread, using: &random)
      let fix = LocationFix.at(place, time: moment.wall)
      force(.event(.fix(fix)), at: moment)
      return fix
    }
  }

  /// Reports after `delay` that the receiver has no position: what Core Location calls the error
  /// `locationUnknown`, and goes on after as here. A `LocationCoordinator` calls its `onFailure` with
  /// `LocationError.Code.locationUnknown`, once until there is a position again.
  public func forceDelayedErrorLocationUnknown(
    after delay: Duration = .seconds(1), device: String = ""
  ) {
    let moment = clock.now.advanced(by: delay)
    force(.event(.noFix(NoFix(device: device, time: moment.wall))), at: moment)
  }
}

extension Coordinate {
  private static let metresInDegree = 111_195.0

  fileprivate func neighbour(
    within metres: Double, using random: inout SeededRandom
  ) -> Coordinate {
    let degrees = abs(metres) / Self.metresInDegree
    return Coordinate(
      latitude: latitude + .random(in: -degrees...degrees, using: &random),
      longitude: longitude + .random(in: -degrees...degrees, using: &random)) ?? self
  }
}
