import LocationCore

/// Handles the updates of a run and decides when the run is done. It never waits.
struct Follower: Sendable {
  /// The longest time for which a line stays unrecorded.
  private static let maximumRecordingDelay = Duration.seconds(1)

  private let recorder: Recorder?
  private let log: Log
  private var filter: FixFilter
  private var regions: RegionWatch
  private var diagnosis: Diagnosis
  private var verboseLog = VerboseLog()
  private var hasWarnedOfSimulation = false
  private var mixture: ReceiverMixture
  private var output: any Presenter
  /// When the run began; `nil` for the time of ``begin(at:)``.
  private let start: Moment?
  private(set) var counts = Counts()
  /// The statistics for `--report`; `nil` without it.
  private let report: RunReport?
  /// When the wait for a suitable fix times out, and when the run ends in any case.
  private var limits: (fix: Moment?, run: Moment?)
  /// The earlier of the two limits.
  private(set) var deadline: Moment?

  struct Counts {
    var fixes = 0
    /// Updates for which the output had no room.
    var drops = 0
    /// Records that were not written at the end.
    var unwritten = 0

    mutating func add(_ other: Counts) {
      fixes += other.fixes
      drops += other.drops
      unwritten += other.unwritten
    }
  }

  /// - Parameters:
  ///   - start: The moment from which the limits of the run count; `nil` for that of ``begin(at:)``.
  ///   - machine: The machine that the program runs on.
  ///   - isGPSDInstalled: Whether this machine has a gpsd that could be started.
  init(
    output: any Presenter, options: Options, recorder: Recorder?, log: Log,
    report: RunReport? = nil, startedAt start: Moment? = nil, on machine: Machine = .this,
    isGPSDInstalled: @escaping @Sendable () -> Bool = { true }
  ) {
    self.output = output
    self.recorder = recorder
    self.log = log
    self.start = start
    filter = FixFilter(options.criteria)
    regions = RegionWatch(options)
    mixture = ReceiverMixture(options)
    self.report = report
    diagnosis = Diagnosis(options, on: machine, isGPSDInstalled: isGPSDInstalled)
  }

  // Not stored twice: a fleet has a thousand followers.
  private var options: Options { diagnosis.options }

  /// Whether output or recorded lines are still unwritten.
  var hasPending: Bool { output.hasPending || recorder?.hasPending == true }

  /// The output or recording whose reader is behind.
  var blockedOutput: Descriptor? { output.blockedOutput ?? recorder?.blockedOutput }

  /// When to stop waiting for another update.
  mutating func wake(after now: @autoclosure () -> Moment) -> Moment? {
    var wake = deadline
    // Reports that cause no update must be recorded, too.
    if recorder != nil { wake = now().advanced(by: Self.maximumRecordingDelay).earlier(of: wake) }
    if let tick = output.nextTick { wake = tick.earlier(of: wake) }
    if let due = diagnosis.adviceDue { wake = due.earlier(of: wake) }
    if let due = regions.deadline { wake = due.earlier(of: wake) }
    return wake
  }

  mutating func begin(at moment: Moment) {
    output.begin(at: moment)
    let start = start ?? moment
    limits.run = options.duration.map { start.advanced(by: $0) }
    restartTimeout(at: start)
  }

  /// Logs advice if some is due.
  mutating func advise(at moment: Moment) throws(Ending) {
    guard let advice = diagnosis.advice(at: moment) else { return }
    try flush(at: moment)
    output.clearLiveLines()
    log.advise(advice)
  }

  /// Handles an update. Returns whether the run is done.
  mutating func take(_ update: LocationUpdate, at moment: Moment) throws(Ending) -> Bool {
    present(regions.expire(at: moment))
    diagnosis.note(update)
    report?.add(update, at: moment)
    if case .state(let change) = update { recorder?.note(change) }
    if options.givesAdvice { diagnosis.noteNeed(at: moment) }
    if log.isVerbose { try logVerbosely(update, at: moment) }
    switch update {
    case .fix(let fix):
      if !hasWarnedOfSimulation, fix.quality == .simulated { try warnOfSimulation(fix, at: moment) }
      return try takeFix(fix, update, at: moment)
    case .report(.refused(let path, let reason)) where !options.reconnects:
      throw .failed(
        LocationError(.noSuchReceiver, reason), diagnosis.refusal(of: path, because: reason))
    case .report(.receivers(let present)): mixture.note(present)
    case .report, .retry, .state, .change: break
    }
    present(update, at: moment)
    return false
  }

  /// Warns once that positions are not real. Not every format can say so.
  private mutating func warnOfSimulation(_ fix: LocationFix, at moment: Moment) throws(Ending) {
    hasWarnedOfSimulation = true
    try warn(
      "SIMULATED: \(fix.device ?? "the receiver") reports a position where it is not", at: moment)
  }

  /// Logs a warning after the records written so far and above the live lines.
  private mutating func warn(_ message: String, at moment: Moment) throws(Ending) {
    try flush(at: moment)
    output.clearLiveLines()
    log.advise(message)
  }

  /// Logs the update for `--verbose`, after the records written so far and above the live lines.
  private mutating func logVerbosely(_ update: LocationUpdate, at moment: Moment) throws(Ending) {
    let sentences = verboseLog.sentences(for: update, at: moment)
    guard !sentences.isEmpty else { return }
    try flush(at: moment)
    output.clearLiveLines()
    for sentence in sentences { log.note(sentence) }
  }

  /// Returns how a run ends whose provider has no more updates.
  ///
  /// - Throws: ``Ending/timedOut(_:)`` if fixes are missing.
  func end() throws(Ending) -> Ending {
    if options.count == nil { return .ended }
    throw .timedOut(diagnosis.recordingEnds(after: counts.fixes))
  }

  /// Handles what follows from the time alone. Returns whether the duration of the run has passed.
  ///
  /// - Throws: The ending of a run without a suitable fix before the deadline.
  mutating func expire(at moment: Moment) throws(Ending) -> Bool {
    present(regions.expire(at: moment))
    guard let deadline, deadline <= moment else { return false }
    let isOver = limits.run == deadline
    guard !isOver || options.once else { return true }
    let message = diagnosis.noFix(within: isOver ? options.duration : options.timeout)
    guard diagnosis.isAnswered || options.isReplay else {
      throw .failed(LocationError(.silent), message)
    }
    throw .timedOut(message)
  }

  /// Returns the ending for an error of the provider.
  func ending(_ error: LocationError) -> Ending { .failed(error, diagnosis.message(for: error)) }

  /// Writes what can be written, if enough is pending.
  mutating func flushIfWorthwhile(at moment: Moment) throws(Ending) {
    if output.isWorthFlushing { try flush(at: moment) }
  }

  /// Writes what can be written.
  mutating func flush(at moment: Moment) throws(Ending) {
    try output.flush(at: moment, and: recorder)
  }

  /// Writes the rest.
  ///
  /// - Parameters:
  ///   - moment: When the run ended.
  ///   - waitsForReader: Whether to wait for a slow reader without a limit.
  mutating func finish(at moment: Moment, waitsForReader: Bool) throws(OutputError) {
    recorder?.noteEnd(at: moment)
    defer { counts.unwritten = output.unwrittenRecords }
    try output.finish(and: recorder, options, waitsForReader: waitsForReader)
  }

  private mutating func takeFix(
    _ fix: LocationFix, _ update: LocationUpdate, at moment: Moment
  ) throws(Ending) -> Bool {
    let verdict = filter.judge(fix, at: moment)
    guard verdict != .tooWeak, fix.isCurrent || !options.once else { return false }
    if fix.isCurrent { restartTimeout(at: moment) }
    present(regions.take(fix, at: moment))
    guard verdict == .wanted else { return false }
    if let warning = mixture.warning(before: fix) { try warn(warning, at: moment) }
    guard present(update, at: moment) else { return false }
    filter.noteTaken(fix, at: moment)
    guard fix.isCurrent else { return false }
    counts.fixes += 1
    return counts.fixes == options.count
  }

  /// Presents the update, or counts it as dropped. Returns whether it was presented.
  @discardableResult
  private mutating func present(_ update: LocationUpdate, at moment: Moment) -> Bool {
    guard output.hasRoom(for: update) else {
      counts.drops += 1
      return false
    }
    output.present(update, at: moment)
    return true
  }

  private mutating func present(_ changes: [ReceiverChange]) {
    for change in changes { present(.change(change), at: change.moment) }
  }

  private mutating func restartTimeout(at moment: Moment) {
    limits.fix = options.timeout.map { moment.advanced(by: $0) }
    deadline = limits.run?.earlier(of: limits.fix) ?? limits.fix
  }
}

extension Options {
  /// Whether advice is given during the run. A short run gives it at its end.
  fileprivate var givesAdvice: Bool {
    // The table or the records of a fleet say which sources have no fix.
    guard !once, !isReplay, !isOfFleet else { return false }
    return timeout.map { $0 > Advisor.maximumPatience } ?? true
  }
}
