package import LocationCore

/// A time that passes only while its loop has nothing to do, as in a test that plays what happens in an hour.
package struct PlayedTime: Sendable {
  let now: @Sendable () -> Moment
  let rest: @Sendable (_ deadline: Moment?) -> Void

  /// - Parameters:
  ///   - now: Returns the current time.
  ///   - rest: Called on the thread of the loop whenever no job is left, no descriptor is ready and no deadline has
  ///     passed, with the next deadline. It lets time pass or causes something else, or else is called again.
  package init(
    now: @escaping @Sendable () -> Moment, rest: @escaping @Sendable (_ deadline: Moment?) -> Void
  ) {
    self.now = now
    self.rest = rest
  }
}
