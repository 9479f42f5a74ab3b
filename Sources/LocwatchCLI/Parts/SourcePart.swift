import LocationCore
import LocwatchSystem

/// One thing that a run does with the updates of a source.
///
/// The parts of a source are a list, ``SourceParts``. A part gets what the parts before it pass on. It never waits, and it
/// knows no other part. One that a run does not need is not in its list: it has an initializer that returns `nil`.
protocol SourcePart: Sendable {
  /// Whether the part ever has a deadline. Only then is it asked for it.
  var isTimed: Bool { get }
  /// When to call ``expire(at:on:)``; `nil` if the passage of time has no effect. It is mutating only to be called in place.
  var deadline: Moment? { mutating get }
  var counts: SourceCounts { get }

  /// Begins the time of the source.
  mutating func begin(at moment: Moment)
  /// Handles an update, and returns what happens to it.
  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage
  /// Does what is due at the deadline. Afterwards, the deadline is another one, or the source is done.
  ///
  /// - Returns: What happens to the source; ``Passage/next`` and ``Passage/stop`` if it continues.
  mutating func expire(at moment: Moment, on output: inout SharedOutput) throws(OutputError)
    -> Passage
  /// Completes the result of a source that is done.
  ///
  /// - Parameters:
  ///   - result: What the parts before made of it; ``RunResult/done`` at first.
  ///   - end: Why the source is done.
  mutating func complete(
    _ result: inout RunResult, of end: SourceEnd, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError)
  /// Handles the end of the source. Nothing follows.
  mutating func finish(at moment: Moment, on output: inout SharedOutput)
}

/// What happens to an update after a part.
enum Passage {
  /// The next part gets it.
  case next
  /// No other part gets it.
  case stop
  /// The next part gets these changes, and then the update.
  case after([ReceiverChange])
  /// The source is done, and no other part gets the update.
  indirect case done(SourceEnd)
}

/// Why a source is done.
enum SourceEnd {
  /// It has everything that was requested.
  case complete
  /// The provider has no more updates. This number of fixes was written.
  case noMoreUpdates(fixes: Int)
  /// There was no suitable fix for this time.
  case noFix(within: Duration)
  /// The duration of the run has passed without the requested fix.
  case noFixInRun(of: Duration)
  /// gpsd cannot open the requested receiver.
  case refused(path: String, reason: String)
  /// The provider failed.
  case failed(LocationError)
}

/// What is counted of a source.
struct SourceCounts {
  var fixes = 0
  /// Updates for which the output had no room.
  var drops = 0
  /// The number of records that were not written at the end.
  var unwritten = 0

  mutating func add(_ other: SourceCounts) {
    fixes += other.fixes
    drops += other.drops
    unwritten += other.unwritten
  }
}

extension SourcePart {
  var isTimed: Bool { false }
  var deadline: Moment? { nil }
  var counts: SourceCounts { SourceCounts() }

  mutating func begin(at moment: Moment) {}

  mutating func expire(
    at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> Passage { .next }

  mutating func complete(
    _ result: inout RunResult, of end: SourceEnd, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) {}

  mutating func finish(at moment: Moment, on output: inout SharedOutput) {}
}
