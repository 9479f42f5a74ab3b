import LocationCore
import LocwatchSystem

/// Follows one source: it keeps the state before the replayed part of a recording, and passes updates from then on through
/// the parts.
struct SourceFollower: Sendable {
  var parts: SourceParts
  /// The updates before the replayed part of a recording; `nil` within that part, and for other sources.
  private var prelude: ReplayStartState?
  /// Whether it is one of several sources.
  private let isOfFleet: Bool

  init(_ source: RunSource, _ parts: SourceParts) {
    self.parts = parts
    prelude = source.beginning.map(ReplayStartState.init)
    isOfFleet = source.options.isOfFleet
  }

  /// When to call ``expire(at:on:)``; `nil` if the passage of time has no effect.
  ///
  /// It is mutating only to be called in place.
  var wake: Moment? {
    mutating get {
      if prelude == nil { return parts.wake }
      // One of several sources learns only from its next lines how much time has passed.
      return isOfFleet ? nil : prelude?.beginning
    }
  }

  /// Begins the time of the source. That before the replayed part of a recording does not count.
  mutating func begin(at moment: Moment) { if prelude == nil { parts.begin(at: moment) } }

  /// Handles an update. Returns how the source is done; `nil` if it continues.
  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult? {
    if prelude != nil {
      if let result = try enterRange(at: moment, on: &output) { return result }
      guard prelude == nil else {
        prelude?.known.record(update, at: moment)
        return nil
      }
    }
    return try parts.handle(update, at: moment, on: &output)
  }

  /// Makes the changes that only the passage of time causes. Returns how the source is done; `nil` if it continues.
  mutating func expire(
    at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult? {
    if prelude != nil { return try enterRange(at: moment, on: &output) }
    return try parts.expire(at: moment, on: &output)
  }

  /// Returns how a source is done that has no more updates.
  ///
  /// - Parameter error: The error of the provider; `nil` without one.
  mutating func end(
    _ error: LocationError?, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult {
    if error == nil, let result = try enterRange(at: moment, on: &output) { return result }
    return try parts.end(error, at: moment, on: &output)
  }

  /// Passes on what was known before the replayed part of a recording, once that part has begun.
  private mutating func enterRange(
    at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult? {
    guard let before = prelude, let beginning = before.beginning(by: moment) else { return nil }
    prelude = nil
    parts.begin(at: beginning)
    for update in before.known.updates(at: beginning) {
      if let result = try parts.handle(update, at: beginning, on: &output) { return result }
    }
    // A limit may have passed before the first line of the part.
    return try parts.expire(at: moment, on: &output)
  }
}
