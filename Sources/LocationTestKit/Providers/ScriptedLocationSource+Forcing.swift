public import LocationCore

// A test can force steps at any time, also during an iteration. The connection that reads next takes
// each step.
extension ScriptedLocationSource {
  /// Reports an event after `delay`, by the source's clock.
  ///
  /// The connection that reads next takes the event; if there is none, the next connection does, unless
  /// ``keepsMissedSteps`` is `false`.
  public func force(_ event: LocationEvent, after delay: Duration = .zero) {
    force(.event(event), at: clock.now.advanced(by: delay))
  }

  /// Reports a fix after `delay`, by the source's clock.
  public func forceLocation(_ fix: LocationFix, after delay: Duration = .zero) {
    force(.fix(fix), after: delay)
  }

  /// Ends the connection with an error after `delay`, by the source's clock.
  public func forceError(_ error: LocationError, after delay: Duration = .zero) {
    force(.fail(error), at: clock.now.advanced(by: delay))
  }

  /// Reports complete fixes at random places and times, with an accuracy of 5 m.
  ///
  /// - Parameters:
  ///   - count: The number of fixes; a negative one counts as zero.
  ///   - center: The place that the fixes surround.
  ///   - spread: The maximum distance from `center` to the north and to the east, in metres; one that is not finite
  ///     counts as zero.
  ///   - delays: The range of the delay between two fixes.
  ///   - seed: The seed of the random numbers. Equal seeds give equal fixes.
  /// - Returns: The fixes, with the times at which they will be reported.
  @discardableResult
  public func forceRandomDelayedLocations(
    _ count: Int, around center: Coordinate, spread: Double = 100,
    delays: ClosedRange<Duration> = .milliseconds(100)...(.seconds(2)), seed: UInt64
  ) -> [LocationFix] {
    var random = SeededRandom(seed: seed)
    var moment = clock.now
    return (0..<max(0, count)).map { _ in
      let nanoseconds = delays.lowerBound.nanoseconds...delays.upperBound.nanoseconds
      moment = moment.advanced(by: .nanoseconds(Int64.random(in: nanoseconds, using: &random)))
      let place = center.neighbour(within: spread, using: &random)
      let fix = LocationFix.at(place, time: moment.wall)
      force(.event(.fix(fix)), at: moment)
      return fix
    }
  }

  /// Reports after `delay` that the receiver has no position.
  ///
  /// A `LocationCoordinator` then calls its `onFailure` with `LocationError.Code.locationUnknown`. It does so only
  /// once until there is a position again. As in Core Location, the source continues after this error.
  public func loseFix(
    after delay: Duration = .seconds(1), device: String? = nil
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
    let degrees = metres.isFinite ? abs(metres) / Self.metresInDegree : 0
    return Coordinate(
      latitude: latitude + .random(in: -degrees...degrees, using: &random),
      longitude: longitude + .random(in: -degrees...degrees, using: &random)) ?? self
  }
}

extension LocationFix {
  /// Returns a fix for a test: at rest at sea level, with all values that a good receiver reports.
  ///
  /// ```swift
  /// source.forceLocation(.at(latitude: -33.85, longitude: 151.21))
  /// ```
  ///
  /// The fix is complete, so that it is reported at once even if the clock of its ``ScriptedLocationSource`` stands
  /// still: if a fix has fewer values than the one before, updates wait 150 ms for the rest of its epoch.
  ///
  /// - Parameters:
  ///   - latitude: Degrees north of the equator, -90 to 90. Any other value traps.
  ///   - longitude: Degrees east of Greenwich, -180 to 180. Any other value traps.
  ///   - horizontalError: The estimated horizontal error in metres; `nil` for a receiver without an estimate.
  ///   - mode: The mode of the fix. `FixMode.fix2D` omits heights.
  ///   - device: The path of the receiver; `nil` for an unnamed receiver.
  ///   - time: The time of the fix by the receiver's clock. Fixes with equal times form one epoch and
  ///     count once; each fix without a time is an epoch of its own.
  public static func at(
    latitude: Double, longitude: Double, horizontalError: Double? = 5, mode: FixMode = .fix3D,
    device: String? = nil, time: Timestamp? = nil
  ) -> LocationFix {
    guard let coordinate = Coordinate(latitude: latitude, longitude: longitude) else {
      preconditionFailure("\(latitude), \(longitude) is not a coordinate")
    }
    return at(coordinate, horizontalError: horizontalError, mode: mode, device: device, time: time)
  }

  /// Returns a fix at a coordinate, as ``at(latitude:longitude:horizontalError:mode:device:time:)`` does.
  public static func at(
    _ coordinate: Coordinate, horizontalError: Double? = 5, mode: FixMode = .fix3D,
    device: String? = nil,
    time: Timestamp? = nil
  ) -> LocationFix {
    var fix = LocationFix(coordinate: coordinate, mode: mode, device: device, time: time)
    fix.horizontalError = horizontalError
    fix.speed = 0
    fix.course = 0
    guard mode == .fix3D else { return fix }
    fix.altitude = 0
    fix.ellipsoidalAltitude = 0
    fix.climbRate = 0
    fix.verticalError = horizontalError.map { $0 * 2 }
    return fix
  }
}
