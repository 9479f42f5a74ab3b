/// What a poll has found.
public enum Polled<Value> {
  /// Something has come.
  case received(Value)
  /// Nothing more has come up to this moment.
  case quiet(at: Moment)
  /// Nothing more will come.
  case ended
}

extension Polled: Sendable where Value: Sendable {}

extension Polled: Equatable where Value: Equatable {}

extension Polled: Hashable where Value: Hashable {}

extension Polled where Value == [TimedEvent] {
  /// Returns the result with a single event.
  public static func event(_ event: LocationEvent, at moment: Moment) -> Self {
    .received([TimedEvent(event, at: moment)])
  }
}

/// Something that is read by polling, such as a connection. It never waits.
///
/// A reader polls it until a poll is quiet, waits for what ``wait()`` returns, and polls it again.
public protocol Pollable {
  /// What a poll returns.
  associatedtype Value

  /// Returns what has come up to a moment.
  ///
  /// - Parameter now: The current moment, which is never earlier than in the last call.
  /// - Returns: What has come, together or in parts; ``Polled/quiet(at:)`` if there is nothing more before a wait;
  ///   ``Polled/ended`` if nothing will come, in this call and in all later ones.
  /// - Throws: ``LocationError`` once, on failure. Later calls return ``Polled/ended``.
  mutating func poll(at now: Moment) throws(LocationError) -> Polled<Value>

  /// Returns what to wait for, after a poll that was quiet.
  mutating func wait() -> Wait
}

extension Pollable {
  /// Polls until something has come, and waits in between.
  ///
  /// - Returns: What has come; ``Polled/quiet(at:)`` with the deadline or a later moment if nothing had come by then;
  ///   ``Polled/ended`` if nothing will come, or if the task is cancelled.
  /// - Throws: The error of ``poll(at:)``.
  package mutating func next(
    until deadline: Moment?, by waiter: Waiter, isolation: isolated (any Actor)? = #isolation
  ) async throws(LocationError) -> Polled<Value> {
    var isLast = false
    while !Task.isCancelled {
      let polled = try poll(at: waiter.clock.now)
      guard case .quiet(let moment) = polled, !isLast else { return polled }
      let wait = wait()
      // A connection may look for what has come only after a wait, which is over here.
      isLast = deadline.map { $0 <= moment } ?? false
      if !isLast { await waiter.wait(for: wait, until: deadline) }
    }
    return .ended
  }
}
