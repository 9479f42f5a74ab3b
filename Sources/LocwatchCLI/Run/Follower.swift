import LocationCore

/// What a run does with its updates, and when it is done. It waits for nothing.
struct Follower: Sendable {
  /// How long a line waits to be recorded at the most.
  private static let recordWithin = Duration.seconds(1)

  private let options: Options
  private let recorder: Recorder?
  private let log: Log
  private var filter: FixFilter
  private var diagnosis: Diagnosis
  private var narrator = Narrator()
  private var output: any Presenter
  private(set) var counts = Counts()
  /// When it is too late for a fix that counts, and when to stop anyway.
  private var limits: (fix: Moment?, run: Moment?)
  /// The earlier of the two.
  private(set) var deadline: Moment?

  struct Counts {
    var fixes = 0
    var drops = 0
  }

  /// - Parameter isGPSDInstalled: Whether this machine has a gpsd that could be started.
  init(
    output: any Presenter, options: Options, recorder: Recorder?, log: Log,
    isGPSDInstalled: @escaping @Sendable () -> Bool = { true }
  ) {
    self.output = output
    self.options = options
    self.recorder = recorder
    self.log = log
    filter = FixFilter(options)
    diagnosis = Diagnosis(options, isGPSDInstalled: isGPSDInstalled)
  }

  /// Whether there is something to write.
  var hasPending: Bool { output.hasPending || recorder?.hasPending == true }

  /// When to stop waiting for another update.
  func wake(after now: @autoclosure () -> Moment) -> Moment? {
    var wake = deadline
    // Reports that change nothing may come without a pause, and are recorded all the same.
    if recorder != nil { wake = now().advanced(by: Self.recordWithin).orEarlier(wake) }
    if let tick = output.nextTick { wake = tick.orEarlier(wake) }
    if let due = diagnosis.adviceDue { wake = due.orEarlier(wake) }
    return wake
  }

  mutating func begin(at moment: Moment) {
    output.begin(at: moment)
    limits.run = options.duration.map { moment.advanced(by: $0) }
    restartTimeout(at: moment)
  }

  /// Says what to try, to those who watch and where it is time for that.
  mutating func advise(at moment: Moment) throws(Ending) {
    guard let advice = diagnosis.advice(at: moment) else { return }
    try flush(at: moment)
    output.makeRoom()
    log.advise(advice)
  }

  /// Returns whether that was all that was asked for.
  mutating func take(_ update: LocationUpdate, at moment: Moment) throws(Ending) -> Bool {
    diagnosis.note(update)
    if case .state(let change) = update { recorder?.note(change) }
    if options.givesAdvice { diagnosis.noteNeed(at: moment) }
    if log.isVerbose { try narrate(update, at: moment) }
    switch update {
    case .fix(let fix):
      return takeFix(fix, update, at: moment)
    case .report(.refused(let path, let reason)) where !options.reconnects:
      throw .failed(
        LocationError(.noSuchReceiver, reason), diagnosis.refusal(of: path, because: reason))
    case .report, .retry, .state:
      break
    }
    present(update, at: moment)
    return false
  }

  /// Says what goes on, behind what was written before and without spoiling the line on a screen.
  private mutating func narrate(_ update: LocationUpdate, at moment: Moment) throws(Ending) {
    let sentences = narrator.sentences(for: update, at: moment)
    guard !sentences.isEmpty else { return }
    try flush(at: moment)
    output.makeRoom()
    for sentence in sentences { log.note(sentence) }
  }

  /// The provider has no more.
  func end() throws(Ending) -> Ending {
    if options.count == nil { return .ended }
    throw .timedOut(diagnosis.recordingEnds(after: counts.fixes))
  }

  /// Returns whether the run has lasted as long as it was to.
  ///
  /// - Throws: Where no fix that counts came in time.
  func expire(at moment: Moment) throws(Ending) -> Bool {
    guard let deadline, deadline <= moment else { return false }
    let isOver = limits.run == deadline
    guard !isOver || options.once else { return true }
    let words = diagnosis.noFix(within: isOver ? options.duration : options.timeout)
    guard diagnosis.isAnswered || options.isReplay else {
      throw .failed(LocationError(.silent), words)
    }
    throw .timedOut(words)
  }

  /// Why the run ends with its provider.
  func ending(_ error: LocationError) -> Ending { .failed(error, diagnosis.words(for: error)) }

  /// Writes what can be written where so much is pending that it is worth it.
  mutating func flushIfWorthwhile(at moment: Moment) throws(Ending) {
    if output.isWorthFlushing { try flush(at: moment) }
  }

  /// Writes what can be written.
  mutating func flush(at moment: Moment) throws(Ending) {
    do throws(OutputError) {
      try output.flush(at: moment)
      try recorder?.flush()
    } catch {
      throw .output(error)
    }
  }

  /// Writes what is left.
  ///
  /// - Parameter waitsForReader: Whether a slow reader gets all the time that it takes.
  mutating func finish(waitsForReader: Bool) throws(OutputError) {
    try output.finish(waitsForReader: waitsForReader)
    try recorder?.finish()
  }

  private mutating func takeFix(
    _ fix: LocationFix, _ update: LocationUpdate, at moment: Moment
  ) -> Bool {
    let verdict = filter.judge(fix, at: moment)
    guard verdict != .tooWeak, fix.isCurrent || !options.once else { return false }
    if fix.isCurrent { restartTimeout(at: moment) }
    guard verdict == .wanted, present(update, at: moment) else { return false }
    filter.noteWritten(fix, at: moment)
    guard fix.isCurrent else { return false }
    counts.fixes += 1
    return counts.fixes == options.count
  }

  /// Returns whether it could; what cannot be shown is counted.
  @discardableResult
  private mutating func present(_ update: LocationUpdate, at moment: Moment) -> Bool {
    guard output.hasRoom(for: update) else {
      counts.drops += 1
      return false
    }
    output.present(update, at: moment)
    return true
  }

  private mutating func restartTimeout(at moment: Moment) {
    limits.fix = options.timeout.map { moment.advanced(by: $0) }
    deadline = limits.run?.orEarlier(limits.fix) ?? limits.fix
  }
}

extension Options {
  /// Whether it is said what to try while the run goes on. One that gives up soon says it at its end.
  fileprivate var givesAdvice: Bool {
    guard !once, !isReplay else { return false }
    return timeout.map { $0 > Advisor.longestPatience } ?? true
  }
}
