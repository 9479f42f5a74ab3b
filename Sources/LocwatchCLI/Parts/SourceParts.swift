import LocationCore
import LocwatchSystem

/// Passes the updates of one source through its parts, and knows when the source is done. It never waits, and it owns no
/// output.
///
/// What is due at the moment of an update comes before the update, or after it if the update made it due, so that a hint
/// follows its record. The earliest comes first. Of parts that are due together, the last one comes first, so that the
/// changes of a region are written before the source ends.
struct SourceParts: Sendable {
  let log: Log
  private var parts: [any SourcePart] = []
  /// The indices of the parts that have deadlines.
  private var timed: [Int] = []
  /// When to call ``expire(at:on:)``; `nil` if the passage of time has no effect.
  private(set) var wake: Moment?

  /// Makes an empty list.
  init(log: Log) { self.log = log }

  /// Adds a part to the end; `nil` for one that the run does not need.
  mutating func add(_ part: (some SourcePart)?) {
    guard let part else { return }
    if part.isTimed { timed.append(parts.count) }
    parts.append(part)
  }

  /// Makes the parts of a source, in their order.
  ///
  /// - Parameters:
  ///   - number: The number of the source in the output.
  ///   - report: The statistics for `--report`; `nil` without it.
  ///   - start: The moment from which the limits of the run count; `nil` for the moment of ``begin(at:)``.
  ///   - now: What this machine's clock shows in a replay; `nil` in a live run.
  ///   - didFix: Called with each fix, whether or not it counts; `nil` for nothing.
  ///   - machine: The machine that the program runs on.
  init(
    _ number: Int = 0, _ options: Options, log: Log, report: RunReport.Part? = nil,
    startedAt start: Moment? = nil, now: Timestamp? = nil,
    didFix: (@Sendable (LocationFix) -> Void)? = nil, on machine: Machine = .this
  ) {
    self.init(log: log)
    // These also count what is not presented.
    add(Explanation(options, number, log, on: machine))
    add(report)
    add(ClassChoice(options))
    // gpsd's lines do not show when the link began or failed.
    add(RecordedStates(options))
    // Messages are not part of the records, and come before them.
    add(VerboseMessages(log))
    add(FixPositions(didFix))
    add(FixRemarkMessages(log, now: now))
    add(Refusal(options))
    // From here on, only fixes that count. A fix of another receiver must not extend the timeout, but one that is too
    // close to the last one must, and it also shows where the receiver is.
    add(SuitableFixes(options))
    add(AveragedReceiver(options))
    add(FixTimeout(options, startedAt: start))
    add(RunDuration(options, startedAt: start))
    add(RegionChanges(options))
    // From here on, only fixes to write.
    add(FixDistances(options, number))
    add(UnnamedReceiverWarning(options, log))
    add(Averaging(options, number, log))
    // The page does not depend on the reader of the records.
    add(PageUpdates(options, number))
    add(Records(options, number))
  }

  var counts: SourceCounts { parts.reduce(into: SourceCounts()) { $0.add($1.counts) } }

  mutating func begin(at moment: Moment) {
    for index in parts.indices { parts[index].begin(at: moment) }
    updateWake()
  }

  /// Handles an update. Returns how the source is done; `nil` if it continues.
  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult? {
    var all = parts.mutableSpan
    if let end = try Self.pass(update, to: &all, from: 0, at: moment, on: &output) {
      return try result(of: end, at: moment, on: &output)
    }
    return timed.isEmpty ? nil : try expire(at: moment, on: &output)
  }

  /// Does what is due at a moment. Returns how the source is done; `nil` if it continues.
  mutating func expire(at moment: Moment, on output: inout SharedOutput) throws(OutputError)
    -> RunResult?
  {
    while let due = updateWake(), let wake, wake <= moment {
      var all = parts.mutableSpan
      let end: SourceEnd? =
        switch try all[due].expire(at: moment, on: &output) {
        case .next, .stop: nil
        case .after(let changes): try Self.pass(changes, to: &all, from: due + 1, on: &output)
        case .done(let end): end
        }
      if let end { return try result(of: end, at: moment, on: &output) }
    }
    return nil
  }

  /// Returns how a source is done that has no more updates.
  ///
  /// - Parameter error: The error of the provider; `nil` without one.
  mutating func end(
    _ error: LocationError?, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult {
    let end = error.map(SourceEnd.failed) ?? .noMoreUpdates(fixes: counts.fixes)
    return try result(of: end, at: moment, on: &output)
  }

  /// Handles the end of the source. Nothing follows.
  mutating func finish(at moment: Moment, on output: inout SharedOutput) {
    for index in parts.indices { parts[index].finish(at: moment, on: &output) }
  }
}

extension SourceParts {
  /// Passes an update to the parts, from the one with an index on.
  private static func pass(
    _ update: LocationUpdate, to parts: inout MutableSpan<any SourcePart>, from first: Int,
    at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> SourceEnd? {
    for index in first..<parts.count {
      switch try parts[index].handle(update, at: moment, on: &output) {
      case .next: break
      case .stop: return nil
      case .after(let changes):
        if let end = try pass(changes, to: &parts, from: index + 1, on: &output) { return end }
      case .done(let end): return end
      }
    }
    return nil
  }

  private static func pass(
    _ changes: [ReceiverChange], to parts: inout MutableSpan<any SourcePart>, from first: Int,
    on output: inout SharedOutput
  ) throws(OutputError) -> SourceEnd? {
    for change in changes {
      let end = try pass(.change(change), to: &parts, from: first, at: change.moment, on: &output)
      if let end { return end }
    }
    return nil
  }

  /// Finds the earliest deadline. Returns the index of its part; `nil` if there is none.
  @discardableResult
  private mutating func updateWake() -> Int? {
    var (part, earliest): (Int?, Moment?)
    for index in timed {
      guard let deadline = parts[index].deadline else { continue }
      if let earliest, earliest < deadline { continue }
      (part, earliest) = (index, deadline)
    }
    wake = earliest
    return part
  }

  private mutating func result(
    of end: SourceEnd, at moment: Moment, on output: inout SharedOutput
  ) throws(OutputError) -> RunResult {
    var result = RunResult.done
    for index in parts.indices {
      try parts[index].complete(&result, of: end, at: moment, on: &output)
    }
    return result
  }
}
