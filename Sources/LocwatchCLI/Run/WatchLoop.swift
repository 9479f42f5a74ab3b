import LocationCore

/// The run of the command: from updates to records, until what was asked for is done.
///
/// It runs on the executor that it is given, with the session on the same one.
actor WatchLoop {
  /// How long a reader that does not read is left alone.
  private static let retryWrite = Duration.milliseconds(50)
  /// How long a line waits to be recorded at the most.
  private static let recordWithin = Duration.seconds(1)

  private let executor: any SerialExecutor
  private let options: Options
  private let recorder: Recorder?
  private let log: Log
  private var filter: FixFilter
  private var diagnosis: Diagnosis
  private var narrator = Narrator()
  private(set) var fixes = 0
  private(set) var drops = 0
  private var deadline: Moment?
  private let clock: LocationClock
  private let makeUpdates: @Sendable () -> LocationUpdateIterator
  private var output: any Presenter

  init(
    source: some LocationProvider, output: any Presenter, options: Options, recorder: Recorder?,
    log: Log, executor: any SerialExecutor
  ) {
    // A recording is the same at the second try.
    let retries = options.reconnects && options.replay == nil ? RetryPolicy() : .never
    let watcher = LocationWatcher(source, stale: options.stale, retries: retries)
    makeUpdates = { watcher.makeAsyncIterator() }
    clock = source.clock
    self.output = output
    self.options = options
    self.recorder = recorder
    self.log = log
    self.executor = executor
    filter = FixFilter(options)
    diagnosis = Diagnosis(options)
  }

  nonisolated var unownedExecutor: UnownedSerialExecutor {
    unsafe executor.asUnownedSerialExecutor()
  }

  func run() async -> Ending {
    var updates = makeUpdates()
    output.begin(at: clock.now)
    restartTimeout(at: clock.now)
    var ending: Ending
    do throws(Ending) {
      // A document is valid from its beginning on.
      try flush(at: clock.now)
      ending = try await follow(&updates)
    } catch {
      ending = error
    }
    await updates.close()
    do throws(OutputError) {
      try output.finish(waitsForReader: ending.isGood)
      try recorder?.finish()
    } catch {
      if ending.isGood { ending = .output(error) }
    }
    return ending
  }

  /// Returns how it ended well, throws how it did not.
  private func follow(
    _ updates: inout LocationUpdateIterator
  ) async throws(Ending) -> Ending {
    while true {
      switch try await read(&updates) {
      case .update(let update, let moment):
        if try take(update, at: moment) { return .done }
        if output.isWorthFlushing { try flush(at: moment) }
      case .timedOut(let moment):
        try flush(at: moment)
        if let deadline, deadline <= moment {
          throw .timedOut(diagnosis.noFix(within: options.timeout))
        }
      case .ended:
        if Task.isCancelled { return .cancelled }
        if options.count == nil { return .ended }
        throw .timedOut(diagnosis.recordingEnds(after: fixes))
      }
    }
  }

  /// Takes what is there as long as there is something to write, and waits only when that is out.
  private func read(
    _ updates: inout LocationUpdateIterator
  ) async throws(Ending) -> WatchRead {
    let waits = !hasPending
    var wake = deadline
    let read: WatchRead
    do throws(LocationError) {
      // Reports that change nothing may come without a pause, and are recorded all the same.
      if recorder != nil { wake = clock.now.advanced(by: Self.recordWithin).orEarlier(wake) }
      if waits, let tick = output.nextTick(after: clock.now) { wake = tick.orEarlier(wake) }
      read = try await updates.next(until: wake, waits: waits)
    } catch {
      throw .failed(error, diagnosis.words(for: error))
    }
    guard !waits, case .timedOut(let moment) = read else { return read }
    try flush(at: moment)
    guard hasPending else { return read }
    // The reader does not read. gpsd is read on.
    do throws(LocationError) {
      let retry = clock.now.advanced(by: Self.retryWrite).orEarlier(deadline)
      return try await updates.next(until: retry)
    } catch {
      throw .failed(error, diagnosis.words(for: error))
    }
  }

  private var hasPending: Bool { output.hasPending || recorder?.hasPending == true }

  /// Returns whether that was all that was asked for.
  private func take(_ update: LocationUpdate, at moment: Moment) throws(Ending) -> Bool {
    diagnosis.note(update)
    if log.isVerbose { try narrate(update, at: moment) }
    switch update {
    case .fix(let fix):
      return takeFix(fix, at: moment)
    case .report(.refused(let path, let reason)) where !options.reconnects:
      throw .failed(
        LocationError(.noSuchReceiver, reason), diagnosis.refusal(of: path, because: reason))
    case .report, .state:
      break
    }
    present(update, at: moment)
    return false
  }

  /// Says what goes on, behind what was written before and without spoiling the line on a screen.
  private func narrate(_ update: LocationUpdate, at moment: Moment) throws(Ending) {
    let sentences = narrator.sentences(for: update, at: moment)
    guard !sentences.isEmpty else { return }
    try flush(at: moment)
    output.makeRoom()
    for sentence in sentences { log.note(sentence) }
  }

  private func takeFix(_ fix: LocationFix, at moment: Moment) -> Bool {
    guard filter.counts(fix), fix.isCurrent || !options.once else { return false }
    if fix.isCurrent { restartTimeout(at: moment) }
    guard filter.takes(fix, at: moment) else { return false }
    guard present(.fix(fix), at: moment), fix.isCurrent else { return false }
    fixes += 1
    return fixes == options.count
  }

  /// Returns whether it could; what cannot be shown is counted.
  @discardableResult
  private func present(_ update: LocationUpdate, at moment: Moment) -> Bool {
    guard output.hasRoom(for: update) else {
      drops += 1
      return false
    }
    output.present(update, at: moment)
    return true
  }

  private func restartTimeout(at moment: Moment) {
    deadline = options.timeout.map { moment.advanced(by: $0) }
  }

  private func flush(at moment: Moment) throws(Ending) {
    do throws(OutputError) {
      try output.flush(at: moment)
      try recorder?.flush()
    } catch {
      throw .output(error)
    }
  }
}
