import LocationCore
import LocationFormats
import LocwatchDoctor
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

/// Handles the updates of one source, and decides when the source is done. It never waits, and it owns no
/// output.
struct SourceWatch: Sendable {
  /// The number of the source in the output.
  private let number: Int
  let log: Log
  private var filter: FixFilter
  private var regions: RegionWatch
  private var diagnosis: Diagnosis
  private let goal: SourceGoal
  private let shownClasses: Set<ServiceReport.Kind>?
  private let isOfFleet: Bool
  /// Whether it is one of several sources, or the best of them.
  private let isOfSeveralSources: Bool
  private let givesAdvice: Bool
  private let reconnects: Bool
  private var verboseLog = VerboseLog()
  /// `nil` without `--average`.
  private var averaging: Averaging?
  private var remarks: FixRemarks
  private var mixture: UnnamedReceiverWarning
  /// When the run began; `nil` for the time of ``begin(at:)``.
  private let start: Moment?
  private(set) var counts = Counts()
  /// The updates before the replayed part of a recording; `nil` within that part, and for other sources.
  private var prelude: ReplayStartState?
  /// The statistics for `--report`; `nil` without it.
  private let report: RunReport.Part?
  private let didFix: @Sendable (LocationFix) -> Void
  /// When the wait for a suitable fix times out, and when the run ends in any case.
  private var limits: (fix: Moment?, run: Moment?)

  struct Counts {
    var fixes = 0
    /// Updates for which the output had no room.
    var drops = 0
    /// The number of records that were not written at the end.
    var unwritten = 0

    mutating func add(_ other: Counts) {
      fixes += other.fixes
      drops += other.drops
      unwritten += other.unwritten
    }
  }

  /// - Parameters:
  ///   - number: The number of the source in the output.
  ///   - start: The moment from which the limits of the run count; `nil` for the moment of ``begin(at:)``.
  ///   - prelude: Records the updates before the replayed part of a recording.
  ///   - now: What this machine's clock shows in a replay; `nil` in a live run.
  ///   - didFix: Called with each fix, whether or not it counts.
  ///   - machine: The machine that the program runs on.
  init(
    _ number: Int = 0, _ options: Options, log: Log, report: RunReport.Part? = nil,
    startedAt start: Moment? = nil, prelude: ReplayStartState? = nil, now: Timestamp? = nil,
    didFix: @escaping @Sendable (LocationFix) -> Void = { _ in }, on machine: Machine = .this
  ) {
    self.number = number
    self.log = log
    self.start = start
    self.prelude = prelude
    self.didFix = didFix
    remarks = FixRemarks(now: now)
    goal = options.goal
    shownClasses = options.view ? nil : options.classes
    isOfFleet = options.isOfFleet
    isOfSeveralSources = options.takesBest || options.isOfFleet
    givesAdvice = options.givesAdvice
    reconnects = options.reconnects
    filter = FixFilter(options.criteria)
    regions = RegionWatch(options)
    mixture = UnnamedReceiverWarning(options)
    averaging = goal.average.map(Averaging.init)
    self.report = report
    diagnosis = Diagnosis(options.question, on: machine)
  }

  /// The earlier of the two limits.
  private var limit: Moment? { limits.run?.earlier(of: limits.fix) ?? limits.fix }

  /// When to call ``expire(at:on:)``; `nil` if the passage of time has no effect.
  ///
  /// It is mutating only to be called in place.
  var wake: Moment? {
    mutating get {
      var wake = limit
      if let due = diagnosis.adviceDue { wake = due.earlier(of: wake) }
      if let due = regions.deadline { wake = due.earlier(of: wake) }
      // One of several sources learns only from its next lines how much time has passed.
      if !isOfFleet, let due = prelude?.beginning { wake = due.earlier(of: wake) }
      return wake
    }
  }

  mutating func begin(at moment: Moment) {
    // The time before the replayed part does not count.
    guard prelude == nil else { return }
    let start = start ?? moment
    limits.run = goal.duration.map { start.advanced(by: $0) }
    restartTimeout(at: start)
  }

  /// Handles an update. The update is passed on in this order:
  ///
  /// 1. Before the replayed part of a recording: only to the prelude.
  /// 2. To the regions, which first handle the deadlines before the update.
  /// 3. To the diagnosis and the report, which also count updates that are not presented.
  /// 4. A change of state: to the recorder, because gpsd's lines do not show when the link began or failed.
  /// 5. To the verbose log. Its messages are not part of the record, and come before it.
  /// 6. A fix: to the corrections, which may depend on the position, and to the remarks, whether or not it
  ///    counts.
  /// 7. A fix: to the filter, the limits, the regions and the average. Each of them can stop it.
  /// 8. To the presenter.
  /// 9. To the diagnosis again. Its advice follows the record.
  ///
  /// - Returns: ``RunResult/done`` if the source is done; `nil` if it continues.
  mutating func handle(
    _ update: LocationUpdate, at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) -> RunResult? {
    if let result = try enterRange(at: moment, on: &output) { return result }
    guard prelude == nil else {
      prelude?.known.record(update, at: moment)
      return nil
    }
    present(regions.expire(at: moment), on: &output)
    diagnosis.record(update)
    report?.add(update, at: moment)
    guard presents(update) else { return nil }
    // A recording of several sources already contains the beginning of each source.
    if case .state(let change) = update, !isOfSeveralSources {
      output.recorder?.record(change)
    }
    if givesAdvice { diagnosis.updateMissingLink(at: moment) }
    if log.isVerbose { try logVerbosely(update, at: moment, on: &output) }
    switch update {
    case .fix(let fix):
      didFix(fix)
      for remark in remarks.remarks(on: fix) { try advise("\(remark)", at: moment, on: &output) }
      if try handle(fix, update, at: moment, on: &output) { return .done }
    case .event(.refused(let path, let reason)) where !reconnects:
      return .failed(
        LocationError(.noSuchReceiver, reason), diagnosis.refusal(of: path, because: reason))
    case .event(.receivers(let receivers)):
      mixture.record(receivers)
      present(update, at: moment, on: &output)
    case .event(.receiver(let receiver)):
      mixture.record(receiver)
      present(update, at: moment, on: &output)
    case .event, .retry, .state, .change:
      present(update, at: moment, on: &output)
    }
    try advise(at: moment, on: &output)
    return nil
  }

  /// Whether an update is presented, and not only counted.
  private func presents(_ update: LocationUpdate) -> Bool {
    guard let shownClasses else { return true }
    switch update {
    case .event(.other(let report)): return shownClasses.contains(report.kind)
    case .change(let change):
      if case .pulses = change.kind { return shownClasses.contains(.pps) }
      return true
    case .fix, .state, .retry, .event: return true
    }
  }

  /// Presents what was known before the replayed part of a recording, once that part has begun.
  mutating func enterRange(
    at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) -> RunResult? {
    guard let before = prelude, let beginning = before.beginning(by: moment) else { return nil }
    prelude = nil
    begin(at: beginning)
    for update in before.known.updates(at: beginning) {
      if let result = try handle(update, at: beginning, on: &output) { return result }
    }
    // A limit may have passed before the first line of the part.
    return try expire(at: moment, on: &output)
  }

  /// Gives advice if it is due.
  private mutating func advise(at moment: Moment, on output: inout WatchOutput) throws(OutputError)
  {
    guard let advice = diagnosis.advice(at: moment) else { return }
    guard !isOfFleet else {
      // The table or the records of several sources show which of them have no fix.
      output.presenter.advise(advice, of: number)
      return
    }
    try self.advise(advice, at: moment, on: &output)
  }

  /// Writes a message for people, after the records so far.
  private func advise(
    _ advice: Message, at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) {
    try output.flush(at: moment)
    log.advise(advice)
  }

  /// Logs the update for `--verbose`, after the records so far.
  private mutating func logVerbosely(
    _ update: LocationUpdate, at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) {
    let sentences = verboseLog.sentences(for: update, at: moment)
    guard !sentences.isEmpty else { return }
    try output.flush(at: moment)
    for sentence in sentences { log.detail("\(sentence)") }
  }

  /// Returns the result of a source that has no more updates: ``RunResult/timedOut(_:)`` if fixes are
  /// missing.
  mutating func end(at moment: Moment, on output: inout WatchOutput) throws(OutputError)
    -> RunResult
  {
    if goal.count == nil { return .ended }
    try presentAverage(at: moment, on: &output)
    return .timedOut(withProgress(diagnosis.recordingEnds(after: counts.fixes)))
  }

  /// Ends the report of a source that ends before the run.
  func finish(at moment: Moment) { report?.end(at: moment) }

  /// Makes the changes that only the passage of time causes.
  ///
  /// - Returns: ``RunResult/done`` if the duration of the run has passed, and another result if there was
  ///   no suitable fix before the limit; `nil` if the source continues.
  mutating func expire(at moment: Moment, on output: inout WatchOutput) throws(OutputError)
    -> RunResult?
  {
    if let result = try enterRange(at: moment, on: &output) { return result }
    present(regions.expire(at: moment), on: &output)
    guard let limit, limit <= moment else {
      try advise(at: moment, on: &output)
      return nil
    }
    let isOver = limits.run == limit
    guard !isOver || goal.once else { return .done }
    try presentAverage(at: moment, on: &output)
    // When the duration of the run has passed, the last fix may be recent.
    let message =
      isOver
      ? averaging?.progress.map { "\($0)" } ?? diagnosis.noFix(within: goal.duration)
      : withProgress(diagnosis.noFix(within: goal.timeout))
    guard diagnosis.isAnswered || diagnosis.question.isReplay else {
      return .failed(LocationError(.silent), message)
    }
    return .timedOut(message)
  }

  /// Returns the result for an error of the provider.
  mutating func result(
    _ error: LocationError, at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) -> RunResult {
    try presentAverage(at: moment, on: &output)
    return .failed(error, withProgress(diagnosis.message(for: error)))
  }

  /// Presents the mean so far, complete or not, if there is one.
  private mutating func presentAverage(
    at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) {
    guard let mean = averaging?.mean else { return }
    output.presenter.present(mean, of: number)
    if let warning = averaging?.warning() { try advise(warning, at: moment, on: &output) }
  }

  /// Returns a message, preceded by the progress of an incomplete average.
  private func withProgress(_ message: Message) -> Message {
    averaging?.progress.map { "\($0); \(message)" } ?? message
  }

  /// Handles a fix. Returns whether it was the last one that the run needs.
  private mutating func handle(
    _ fix: LocationFix, _ update: LocationUpdate, at moment: Moment, on output: inout WatchOutput
  ) throws(OutputError) -> Bool {
    let verdict = filter.judge(fix, at: moment)
    guard verdict != .tooWeak, fix.isCurrent || !goal.once,
      averaging?.ignores(fix) != true
    else { return false }
    if fix.isCurrent { restartTimeout(at: moment) }
    present(regions.handle(fix, at: moment), on: &output)
    guard verdict == .wanted else { return false }
    if let warning = mixture.warning(before: fix) {
      try advise("\(warning)", at: moment, on: &output)
    }
    if averaging != nil {
      filter.recordTaken(fix, at: moment)
      guard averaging?.add(fix, at: moment) == true else { return false }
      try presentAverage(at: moment, on: &output)
      return true
    }
    guard present(update, at: moment, on: &output) else { return false }
    filter.recordTaken(fix, at: moment)
    guard fix.isCurrent else { return false }
    counts.fixes += 1
    return counts.fixes == goal.count
  }

  /// Presents the update, or counts it as dropped. Returns whether it was presented.
  @discardableResult
  private mutating func present(
    _ update: LocationUpdate, at moment: Moment, on output: inout WatchOutput
  ) -> Bool {
    output.page?.record(update, of: number, at: moment)
    guard output.presenter.hasRoom(for: update, of: number) else {
      counts.drops += 1
      return false
    }
    output.presenter.present(update, of: number, at: moment)
    return true
  }

  private mutating func present(_ changes: [ReceiverChange], on output: inout WatchOutput) {
    for change in changes { present(.change(change), at: change.moment, on: &output) }
  }

  private mutating func restartTimeout(at moment: Moment) {
    limits.fix = goal.timeout.map { moment.advanced(by: $0) }
  }
}
