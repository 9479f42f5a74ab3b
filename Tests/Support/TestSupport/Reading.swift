package import GPSDLocation
package import LocationCore

extension Pollable {
  /// Waits for what comes next.
  ///
  /// - Returns: `.quiet` if nothing had come by the deadline; `.ended` also if the task is cancelled.
  package mutating func read(
    until deadline: Moment? = nil, by clock: LocationClock = .live,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(LocationError) -> Polled<Value> {
    try await next(until: deadline, by: Waiter(by: clock))
  }
}

extension GPSDSession {
  /// Waits for the next lines.
  ///
  /// - Returns: `.quiet` if none had come by the deadline; `.ended` also if the task is cancelled.
  package func read(
    until deadline: Moment? = nil, by clock: LocationClock = .live,
    isolation: isolated (any Actor)? = #isolation
  ) async throws(LocationError) -> Polled<GPSDLines> {
    var lines = PolledLines(session: self)
    return try await lines.read(until: deadline, by: clock)
  }
}

private struct PolledLines: Pollable {
  let session: any GPSDSession

  func poll(at now: Moment) throws(LocationError) -> Polled<GPSDLines> { try session.poll(at: now) }
  func wait() -> Wait { session.wait() }
}
