package import EventLoop
package import GPSDLocation
package import LocationCore
import LocationFormats
import LocwatchReceivers
import LocwatchRecordings
package import LocwatchSystem
import LocwatchTerminal

/// One run of the command. It finds the sources and the output, and passes updates from the sources to
/// the output.
package struct Run: Sendable {
  let options: Options
  let environment: Environment
  let loop: EventLoop
  /// On standard error, except in tests.
  var log: Log
  /// Where records without a file are written. Tests replace it.
  var standardOutput = Descriptor.standardOutput
  /// Where browsers connect; `nil` if nothing is served.
  var listener: Socket?
  /// The machine that the program runs on. Tests replace it.
  var machine = Machine.this
  /// When a source is tried again that failed. Tests replace its random numbers.
  var retries = RetryPolicy()
  /// Starts slow work; `nil` for threads. Tests replace it.
  var startThread: (@Sendable (@escaping @Sendable () -> Void) -> Bool)?
  /// Returns the size of the terminal that the output counts as, whatever it is. Tests set it.
  var terminalSize: (@Sendable () -> (columns: Int, rows: Int))?
  /// Makes the screen of a view. Tests replace it.
  var makeScreen: @Sendable () -> any ViewScreen = { FullScreen(on: .standardOutput) }
  /// Requests a report during the run; `nil` if that is not possible.
  private let reportSignal: RequestSignal?
  /// Requests that the file of the output is reopened; `nil` if that is not possible.
  let hangUpSignal: RequestSignal?
  /// Reopens the output file; `nil` if it is never reopened.
  let reopening: OutputReopening?
  let makeSession: @Sendable () -> any GPSDSession

  let statistics = RunStatistics()
  /// Ends the run when its user leaves.
  let cancellation = RunCancellation()
  /// Where the loop of the run waits.
  let wakeups: Listener
  /// When the run began. `--timeout` and `--duration` of a live run of one source count from here.
  let start: Moment

  /// - Parameter log: Where messages for people go.
  package init(
    _ options: Options, log: Log, environment: Environment, loop: EventLoop,
    reportSignal: RequestSignal? = nil, hangUpSignal: RequestSignal? = nil,
    makeSession: @escaping @Sendable () -> any GPSDSession
  ) {
    self.options = options
    self.log = log
    self.environment = environment
    self.loop = loop
    wakeups = Listener(at: loop.clock.semaphore)
    self.reportSignal = reportSignal
    self.hangUpSignal = hangUpSignal
    self.makeSession = makeSession
    start = loop.clock.now
    reopening = options.reopenedOutput.map { path in
      OutputReopening(of: path) { log.error("\($0)") }
    }
  }

  package func perform() async -> ExitStatus {
    do throws(Failure) {
      if let obstacle = options.outputObstacle {
        throw Failure(obstacle.exitStatus, "\(obstacle)")
      }
      var run = self
      run.listener = try listenForBrowsers()
      if let warning = OptionValues.warning(ofClassesIn: options.view ? [] : Array(options.classes))
      {
        log.advise("\(warning)")
      }
      if options.examines { return try await run.examine() }
      if options.isReplay { return try await run.replay() }
      guard options.hasFleet else { return try await run.followTarget() }
      return options.takesBest ? try await run.followBest() : try await run.followFleet()
    } catch {
      log.error(error.message)
      return error.status
    }
  }

  /// Follows sources that the caller has made, until each has ended.
  ///
  /// - Parameter clock: The clock of all sources.
  package func follow(_ sources: [RunSource], clock: LocationClock) async -> ExitStatus {
    let newSources = NewSources(for: wakeups)
    newSources.add(sources)
    return report(await follow(newSources, clock: clock))
  }
}

// MARK: - Following sources

/// How a run ended.
struct RunOutcome {
  /// How its last source ended.
  var result: RunResult
  /// The status of the run, which may come from another source.
  var status: ExitStatus
  /// Where the message of the result belongs.
  var log: Log
}

extension Run {
  /// Follows a single source until it ends.
  ///
  /// - Parameters:
  ///   - candidates: The names of the sources of which it is the best.
  ///   - corrections: The corrections of its receiver, which may depend on its position; `nil` for none.
  ///   - neverWaits: Whether the source never waits for a report.
  ///   - control: Controls the replay; `nil` if nobody does.
  ///   - rewind: Returns to the beginning of a recording.
  ///   - beginning: Returns when the replayed part of a recording begins; see ``RunSource``.
  ///   - isWorthless: Whether a replayed file turned out to be no recording, so that nothing may be
  ///     written; `nil` for live use.
  func follow(
    only source: some LocationProvider, of candidates: [String] = [], recorder: Recorder? = nil,
    corrections: CorrectionsLink? = nil, neverWaits: Bool = false,
    control: ReplayClock? = nil, rewind: () async throws(LocationError) -> Void = {},
    beginning: (@Sendable () -> Moment?)? = nil, unless isWorthless: (@Sendable () -> Bool)? = nil
  ) async -> RunOutcome {
    let didFix: (@Sendable (LocationFix) -> Void)? =
      if let corrections { { corrections.record($0) } } else { nil }
    let source = RunSource(
      options, updates: options.updates(of: source, retries: retries), clock: source.clock,
      beginning: beginning, didFix: didFix)
    let report = makeReport(by: source.clock)
    let page = makePage(report, by: source.clock)
    let serving = page.flatMap(serve)
    defer { serving?.cancel() }
    return await show(isOfSeveral: false, by: control) { display in
      let presenter =
        isWorthless.map { HeldPresenter(display.presenter, isWorthless: $0) } ?? display.presenter
      return await runPasses(
        on: display, report, recorder, page, unless: { isWorthless?() == true }, rewind: rewind
      ) {
        let sources = RunSources(
          output: SharedOutput(presenter: presenter, recorder: recorder, page: page),
          candidates: candidates, isTimed: options.isTimed,
          makeSource: makeSource(report, startedAt: options.isReplay ? nil : start))
        var runLoop = RunLoop(
          sources, hearing: wakeups, clock: source.clock, neverWaits: neverWaits,
          control: control, stale: options.stale, on: loop)
        runLoop.add(source)
        return runLoop
      }
    }
  }

  /// Follows sources, which may be added while the run continues, until the last one has ended.
  ///
  /// - Parameters:
  ///   - clock: The clock of all sources.
  ///   - recording: What the sources replay; `nil` for live use.
  ///   - control: Controls the replay; `nil` if nobody does.
  ///   - rewind: Returns to the beginning of a recording. Throws if it cannot be read.
  func follow(
    _ newSources: NewSources, clock: LocationClock, recorder: Recorder? = nil,
    replaying recording: Replay? = nil, control: ReplayClock? = nil,
    rewind: () async throws(LocationError) -> Void = {}
  ) async -> RunOutcome {
    let report = makeReport(by: clock)
    let page = makePage(report, by: clock)
    let serving = page.flatMap(serve)
    defer { serving?.cancel() }
    let mayGrow: (@Sendable () -> Bool)? =
      if let recording { { !recording.isOver } } else { nil }
    return await show(isOfSeveral: true, by: control) { display in
      return await runPasses(
        on: display, report, recorder, page, replaying: recording, rewind: rewind
      ) {
        let sources = RunSources(
          isOfSeveral: true,
          output: SharedOutput(presenter: display.presenter, recorder: recorder, page: page),
          isTimed: options.isTimed, mayGrow: mayGrow,
          makeSource: makeSource(report, startedAt: nil))
        return RunLoop(
          sources, newSources: newSources, isTimedByLines: recording != nil, hearing: wakeups,
          clock: clock, control: control, stale: options.stale, on: loop)
      }
    }
  }

  /// Makes the report of the run, which can be requested during the run; `nil` if none is wanted.
  private func makeReport(by clock: LocationClock) -> RunReport? {
    guard let report = RunReport(options, clock: clock) else { return nil }
    writeOnSignal(report)
    return report
  }

  private func makeSource(
    _ report: RunReport?, startedAt start: Moment?
  ) -> @Sendable (RunSource, Int) -> SourceParts {
    let now = options.isReplay ? loop.clock.now.wall : nil
    return { [log, machine] source, number in
      SourceParts(
        number, source.options, log: source.options.memberName.map(log.named) ?? log,
        report: report?.part(source.options.source, as: number), startedAt: start,
        now: now, didFix: source.didFix,
        on: machine)
    }
  }

  /// Runs a body with the presenter of its records, or in a view.
  ///
  /// - Parameter control: Controls the replay that a view shows; `nil` for none.
  private func show(
    isOfSeveral: Bool, by control: ReplayClock?,
    isolation actor: isolated (any Actor)? = #isolation,
    _ body: (RunDisplay) async -> RunOutcome
  ) async -> RunOutcome {
    guard options.view else {
      let reader = watchReader()
      defer { reader?.cancel() }
      do throws(OutputError) {
        let outcome = await body(
          RunDisplay(presenter: try await presenter(isOfSeveral: isOfSeveral)))
        // The reader left before a write could fail.
        if case .cancelled = outcome.result, reader != nil, standardOutput.isAbandoned {
          throw .closed
        }
        return outcome
      } catch {
        return RunOutcome(result: .output(error), status: error.exitStatus, log: log)
      }
    }
    let view = makeView(control)
    log.show { view.show($0) }
    let viewing = Task(executorPreference: loop) { await view.run() }
    var outcome = await body(
      RunDisplay(presenter: ViewPresenter(view: view), view: view, control: control))
    viewing.cancel()
    await viewing.value
    if case .cancelled = outcome.result, view.hasQuit {
      outcome = RunOutcome(result: .done, status: .success, log: log)
    }
    return outcome
  }

  /// Runs to the end, and again from the beginning whenever the user of a view goes back.
  ///
  /// - Parameters:
  ///   - rewind: Returns to the beginning of a recording. Throws if it cannot be read.
  ///   - makeLoop: Makes the loop that runs from the beginning.
  private func runPasses(
    on display: RunDisplay, _ report: RunReport?, _ recorder: Recorder?, _ page: LivePage?,
    replaying recording: Replay? = nil, unless isWorthless: () -> Bool = { false },
    isolation actor: isolated (any Actor)? = #isolation,
    rewind: () async throws(LocationError) -> Void, _ makeLoop: () -> RunLoop
  ) async -> RunOutcome {
    let periodic = report.flatMap(writePeriodically)
    var runLoop = makeLoop()
    var result: RunResult
    while true {
      result = await runLoop.run()
      periodic?.cancel()
      if !display.goesBack(after: result) {
        await recorder?.waitForDisk(on: loop)
        do throws(OutputError) {
          // There is no report on a file that is not a recording.
          if Task.isCancelled || !isWorthless() {
            try report?.write(
              isLast: true, at: runLoop.end, asSeen: Task.isCancelled && display.isBehind,
              counts: counts(of: runLoop.sources, recorder, recording).json)
          }
        } catch {
          result = result.unfinished(error)
        }
        await display.waitForUser(after: result)
      }
      guard display.goesBack(after: result) else { break }
      if !display.isBehind { report?.recordSeen(at: runLoop.end) }
      statistics.reset()
      display.view?.restart()
      report?.restart()
      page?.restart()
      guard (try? await rewind()) != nil else { break }
      runLoop = makeLoop()
    }
    display.view?.end()
    let sources = runLoop.sources
    printCounts(counts(of: sources, recorder, recording))
    let isOwn = if case .cancelled = result { true } else { result.isOfOutput }
    return RunOutcome(
      result: result, status: isOwn ? result.exitStatus : sources.status,
      log: sources.lastLog ?? log)
  }

  private func counts(
    of sources: RunSources, _ recorder: Recorder?, _ recording: Replay?
  ) -> RunCounts {
    var gaps = statistics.gaps
    if let recorder { gaps.lostLines = recorder.drops }
    return RunCounts(
      reports: statistics.counts, sources: max(sources.sourceCount, statistics.sourceCount),
      output: sources.counts, gaps: gaps, strayLines: recording?.strayLines ?? 0,
      linesLeftOut: recording?.linesLeftOut ?? 0)
  }

  /// Prints how many lines and positions were left out and, with `--verbose`, all counts.
  private func printCounts(_ counts: RunCounts) {
    if counts.gaps.unreadLines > 0 {
      log.error(
        "times may be wrong: lines of class LOCWATCH in the recording that are not understood: "
          + "\(counts.gaps.unreadLines)")
    }
    if counts.linesLeftOut > 0 {
      log.error(
        "\(counts.linesLeftOut) lines are left out: the recording has more than "
          + "\(Replay.maximumSources) sources")
    }
    let positionsLeftOut = counts.reports.leftOutPositions
    if positionsLeftOut > 0 {
      log.error(
        "positions that are left out because they have the time of another one: \(positionsLeftOut)"
      )
    }
    // Unlike other details, these are worth waiting for the reader.
    if log.isVerbose { log.error(counts.message) }
  }

  private func writeOnSignal(_ report: RunReport) {
    reportSignal?.observe { [log] in
      do throws(OutputError) {
        try report.write(isLast: false)
      } catch {
        log.error("\(error)")
      }
    }
  }

  private func writePeriodically(_ report: RunReport) -> Task<Void, Never>? {
    guard options.writesReportDuringRun else { return nil }
    let periodic = PeriodicReport(
      clock: loop.clock, log: log, startThread: startThread ?? BlockingThread.start
    ) { () throws(OutputError) in try report.write(isLast: false) }
    return Task(executorPreference: loop) { await periodic.run() }
  }

  /// Prints how a run ended, and returns its status.
  func report(_ outcome: RunOutcome) -> ExitStatus {
    if let message = outcome.result.message { outcome.log.error(message) }
    return outcome.status
  }
}
