package import EventLoop
package import GPSDLocation
import LocationCore
import LocationFormats
import LocationReports

/// One run of the command: finds the source and the output, and passes updates from one to the
/// other.
package struct Run<Session: GPSDSession>: Sendable {
  let options: Options
  let environment: Environment
  let loop: EventLoop
  let log: Log
  /// Asks for a report while the run goes on; `nil` if nobody can.
  let reportSignal: RequestSignal?
  /// Asks for the file of targets to be read again; `nil` if nobody can.
  let targetsSignal: RequestSignal?
  let makeSession: @Sendable () -> Session

  let statistics = GPSDStatistics()
  /// Ends the run when its user leaves.
  let cancellation = RunCancellation()
  /// When the run began. `--timeout` and `--duration` of a live run count from here.
  let start = LocationClock.live.now

  package init(
    options: Options, environment: Environment, loop: EventLoop,
    reportSignal: RequestSignal? = nil, targetsSignal: RequestSignal? = nil,
    makeSession: @escaping @Sendable () -> Session
  ) {
    self.options = options
    self.environment = environment
    self.loop = loop
    self.reportSignal = reportSignal
    self.targetsSignal = targetsSignal
    self.makeSession = makeSession
    log = Log(options)
  }

  package func run() async -> ExitStatus {
    do throws(Failure) {
      if let obstacle = options.outputObstacle {
        throw Failure(obstacle.exitStatus, obstacle.description)
      }
      if let warning = OptionValues.warning(ofClassesIn: options.classes) { log.advise(warning) }
      if options.isReplay { return try await replay() }
      if options.hasFleet {
        return try await options.takesBest ? watchBest() : watchFleet()
      }
      let sources = liveSources
      let target = try await sources.resolve(options, log: log)
      defer { target.end() }
      let recorder = try await recorder()
      let source = sources.provider(for: target, options, recorder: recorder)
      return report(await follow(source, recorder: recorder))
    } catch {
      log.say(error.message)
      return error.status
    }
  }

  var liveSources: LiveSources<Session> {
    LiveSources(
      environment: environment, loop: loop, statistics: statistics, makeSession: makeSession)
  }

  /// Opens the recording.
  func recorder() async throws(Failure) -> Recorder? {
    guard let path = options.record else { return nil }
    if path.isStandardStream { return Recorder(.standardOutput) }
    do throws(OutputError) {
      if path.isFolder {
        let folder = try RecordingFolder(path, rotation: options.rotation ?? .daily)
        return Recorder(folder) { [log] in log.say($0) }
      }
      return try await open { () throws(OutputError) in
        try Recorder(appendingTo: path) { [log] in log.say($0) }
      }
    } catch {
      throw Failure(error.exitStatus, error.description)
    }
  }

  /// Opens an output. A named pipe is waited for until it has a reader, as a shell does.
  private func open<Output>(
    _ make: () throws(OutputError) -> Output
  ) async throws(OutputError) -> Output {
    let limit = [options.timeout, options.duration].compactMap(\.self).min().map(start.advanced)
    while true {
      do throws(OutputError) {
        return try make()
      } catch {
        let now = loop.clock.now
        let isOver = limit.map { $0 <= now } ?? false
        guard case .noReader = error, !isOver,
          await loop.clock.sleep(until: now.advanced(by: .milliseconds(50)).earlier(of: limit))
        else { throw error }
      }
    }
  }

  /// Follows the source until the run ends.
  ///
  /// - Parameters:
  ///   - neverWaits: Whether the source never waits for a report.
  ///   - isWorthless: Whether a replayed file turned out to be no recording, so that nothing may be
  ///     written; `nil` for live use.
  func follow(
    _ source: some LocationProvider, recorder: Recorder?, neverWaits: Bool = false,
    unless isWorthless: (@Sendable () -> Bool)? = nil
  ) async -> Ending {
    guard options.view else {
      do throws(OutputError) {
        let output = try await presenter()
        return await runLoop(over: source, into: output, recorder, neverWaits, isWorthless)
      } catch {
        return .output(error)
      }
    }
    let view = makeView()
    log.show { view.show($0) }
    let viewing = Task(executorPreference: loop) { await view.run() }
    var ending = await runLoop(
      over: source, into: ViewPresenter(view: view), recorder, neverWaits, isWorthless
    ) { ending in
      if case .ended = ending { await view.linger() }
      view.end()
    }
    viewing.cancel()
    await viewing.value
    if case .cancelled = ending, view.hasQuit { ending = .done }
    return ending
  }

  private func makeView() -> View {
    let screen = FullScreen(on: .standardOutput)
    var style = TerminalStyle(options: options, environment: environment, isTerminal: true)
    // The fonts of the Linux console have neither braille nor all blocks.
    if environment["TERM"] == "linux" { style.showsUTF8 = false }
    let speed: Double =
      switch (options.isReplay, options.speed) {
      case (false, _): 1
      case (true, .times(let speed)): speed
      case (true, .max): 0
      }
    return View(
      on: screen, style: style, colors: FrameWriter.Colors(style, environment), speed: speed,
      loop: loop, clock: loop.clock
    ) { [cancellation] in cancellation.cancel() }
  }

  private func presenter() async throws(OutputError) -> any Presenter {
    if options.recordsToOutput || options.printsReport { return NoPresenter() }
    if options.format == .prometheus, let path = options.outputFile {
      let renderer = options.makeRenderer(statistics: statistics)
      return SnapshotPresenter(renderer, to: path, isReplay: options.isReplay)
    }
    let output = try await output()
    let isTerminal = output.kind == .terminal
    let style = TerminalStyle(options: options, environment: environment, isTerminal: isTerminal)
    if redraws(on: output) {
      return ScreenPresenter(output, style: style, options)
    }
    let sink = OutputSink(output, waitsForReader: options.isReplay)
    let renderer = options.makeRenderer(usesColor: style.usesColor)
    return StreamPresenter(renderer, to: sink, stale: options.stale)
  }

  /// Whether an output is a terminal on which lines are redrawn in place.
  func redraws(on output: Descriptor) -> Bool {
    options.redraws && output.kind == .terminal
      && environment["TERM", default: "dumb"] != "dumb"
  }

  /// Opens the output.
  func output() async throws(OutputError) -> Descriptor {
    guard let path = options.outputFile else { return .standardOutput }
    return try await open { () throws(OutputError) in try Descriptor(writingTo: path) }
  }

  private func runLoop(
    over source: some LocationProvider, into output: any Presenter, _ recorder: Recorder?,
    _ neverWaits: Bool, _ isWorthless: (@Sendable () -> Bool)?,
    atEnd: (Ending) async -> Void = { _ in }
  ) async -> Ending {
    let output = isWorthless.map { output.held(unless: $0) } ?? output
    let report = options.report.map { RunReport($0, options, clock: source.clock) }
    if let report { writeOnSignal(report) }
    let follower = Follower(
      output: output, options: options, recorder: recorder, log: log, report: report,
      startedAt: options.isReplay ? nil : start,
      isGPSDInstalled: { [environment] in (try? GPSDProgram.find(environment)) != nil })
    var watch = WatchLoop(
      feed: options.updates(of: source).makeAsyncIterator(), clock: source.clock,
      neverWaits: neverWaits, follower: follower, options: options, on: loop)
    var ending = await watch.run()
    do throws(OutputError) {
      // What is no recording is not reported on.
      if Task.isCancelled || isWorthless?() != true {
        try report?.write(isLast: true, at: watch.end)
      }
    } catch {
      ending = ending.unfinished(error)
    }
    await atEnd(ending)
    if options.stats { say(watch.follower.counts, lostLines: recorder?.drops ?? 0) }
    return ending
  }

  /// Logs the counts of `--stats`.
  ///
  /// - Parameters:
  ///   - lostLines: How many lines the recording lacks.
  ///   - linesLeftOut: How many lines of a recording were not replayed.
  func say(
    _ counts: Follower.Counts, ofSources sources: Int = 1, lostLines: Int, linesLeftOut: Int = 0
  ) {
    let summary = Statistics(
      reports: statistics.counts, sources: sources, output: counts, lostLines: lostLines,
      linesLeftOut: linesLeftOut)
    log.say(summary.message)
  }

  private func writeOnSignal(_ report: RunReport) {
    reportSignal?.watch { [log] in
      do throws(OutputError) {
        try report.write(isLast: false)
      } catch {
        log.say(error.description)
      }
    }
  }

  func report(_ ending: Ending) -> ExitStatus {
    if let message = ending.message { log.say(message) }
    return ending.exitStatus
  }
}

extension Run {
  func replay() async throws(Failure) -> ExitStatus {
    let logs = try await openReplays()
    defer { for case .raw(let log) in logs { log.stop() } }
    var files: [RecordingFile] = []
    for log in logs { files.append(try await log.file(by: loop.clock)) }
    if try await nameSources(files) {
      let status = try await replayFleet(files)
      if let failure = logs.lazy.compactMap(\.failure).first { throw failure }
      return status
    }
    let pace: RecordedSession.Pace =
      switch options.speed {
      case .max: .asFastAsPossible
      case .times(let speed): .recorded(speed: speed)
      }
    let session = RecordedSession(files, pace: pace, realClock: loop.clock)
    let source = GPSDLocationSource(
      replaying: session, device: options.device, kinds: options.classes,
      satellites: options.listsSatellites,
      statistics: statistics)
    let progress = ReplayProgress(of: session, options, environment)
    let ending = await follow(
      source, recorder: nil, neverWaits: pace == .asFastAsPossible && session.size != nil
    ) {
      session.contents.whyNoReplay != nil || session.hasOtherSource
        || logs.contains(where: \.isWorthless)
    }
    progress?.end()
    if session.hasOtherSource, case .failed(let error, _) = ending {
      throw Failure(.badData, "\(error), but does not begin with one that is named: \(Self.remedy)")
    }
    if case .failed(let error, _) = ending, error.code == .disconnected {
      throw Failure(.noInput, error.description)
    }
    switch ending {
    case .ended, .timedOut:
      if let failure = logs.lazy.compactMap(\.failure).first { throw failure }
      if let message = session.contents.whyNoReplay { throw Failure(.badData, message) }
      if session.isOver, let message = lackOfReceiver(in: files) {
        throw Failure(.unavailable, message)
      }
    case .done, .cancelled, .failed, .output:
      break
    }
    return report(ending)
  }

  private static var remedy: String { "save it as a file, and replay that" }

  /// The message for a recording without the requested receiver; `nil` if it has that receiver.
  func lackOfReceiver(in files: [RecordingFile]) -> String? {
    // As reports name it.
    guard let device = options.device?.withoutUserInfo else { return nil }
    let receivers = statistics.receivers
    guard !receivers.contains(where: { isSamePath($0, device) || $0.isEmpty }) else { return nil }
    let (subject, pronoun) =
      files.count == 1 ? ("\(files[0].name) has", "it has") : ("the recordings have", "they have")
    let others =
      receivers.isEmpty ? ", nor any other" : ": \(pronoun) \(receivers.joined(separator: ", "))"
    return "\(subject) no receiver \(device)\(others)"
  }

  /// Opens all files first, so that nothing is written if one of them is missing. They are closed until
  /// their turn comes, because there may be more than a process can have open.
  private func openReplays() async throws(Failure) -> [Replay] {
    var replays: [Replay] = []
    for path in options.replays {
      for path in try files(of: path) {
        // Only the first stream can be read before its turn, and a view shows that it waits for it.
        let isInspected = replays.isEmpty && !options.view
        replays.append(
          try await Replay(path, inspectsStream: isInspected, environment: environment))
      }
    }
    return replays
  }

  /// Returns the files of an argument, and says which files of a folder are left out.
  private func files(of path: FilePath) throws(Failure) -> [FilePath] {
    guard path.isFolder else { return [path] }
    for message in RecordingFolder.omissions(in: path) { log.say(message) }
    return try RecordingFolder.files(in: path)
  }
}

/// A file to replay.
private enum Replay {
  case recording(RecordingFile)
  case raw(RawLog)

  /// - Parameter inspectsStream: Whether the first lines of a stream are waited for, to know what it is.
  init(
    _ path: FilePath, inspectsStream: Bool, environment: Environment
  ) async throws(Failure) {
    let file: RecordingFile
    do throws(GPSDError) {
      file = path.isStandardStream ? .standardInput : try RecordingFile(path: path)
      if inspectsStream, file.size == nil {
        try await file.firstLines { LogHead(Array($0)).isEnough }
      }
    } catch {
      throw Failure(.noInput, error.detail)
    }
    if file.isCompressed {
      let command = path.isStandardStream ? "gzip -dc" : "gzip -dc \(path)"
      throw Failure(.badData, "\(file.name) is compressed: \(command) | locwatch --replay -")
    }
    self = RawLog.isRaw(file) ? .raw(try RawLog(file, environment: environment)) : .recording(file)
    file.release()
  }

  /// Why gpsd's reports are not those of the whole file; known when they have ended.
  var failure: Failure? {
    switch self {
    case .recording: nil
    case .raw(let log): log.failure
    }
  }

  /// Whether gpsd has found nothing of a receiver in the file.
  var isWorthless: Bool { failure?.status == .badData }

  /// Returns the file with gpsd's reports.
  func file(by clock: LocationClock) async throws(Failure) -> RecordingFile {
    switch self {
    case .recording(let file): file
    case .raw(let log): try await log.open(by: clock)
    }
  }
}

extension [RecordingContents] {
  /// Why one of these files is not a recording; `nil` if all are. An empty file is accepted if
  /// another one has reports.
  var whyNoReplay: String? {
    for contents in self {
      guard let foreign = contents.foreign, !contents.isOfReceivers else { continue }
      let file = ForeignFile(foreign)
      // A recording may end within the first report after gpsd's greeting.
      if contents.hasReports, foreign.first == UInt8(ascii: "{"), file == .unknown { continue }
      let lack = contents.hasReports ? "no report of a receiver" : "no gpsd report"
      // What is not at the beginning is not recognised as a receiver's.
      let hint = contents.hasReports ? ForeignFile.unknown.hint : file.hint
      return "\(contents.name) has \(lack): \(file.message)\n\(hint)"
    }
    guard let last, !contains(where: \.hasReports) else { return nil }
    return last.isEmpty ? "\(last.name) is empty" : "\(last.name) has no gpsd report"
  }
}
