import EventLoop
import GPSDLocation
import LocationCore
import LocationReports

/// One run of the command: finds the source and the output, and passes updates from one to the
/// other.
struct Run<Session: GPSDSession>: Sendable {
  let options: Options
  let environment: Environment
  let loop: EventLoop
  let log: Log
  /// Asks for a report while the run goes on; `nil` if nobody can.
  let reportSignal: ReportSignal?
  let makeSession: @Sendable () -> Session

  let statistics = GPSDStatistics()
  /// Ends the run when its user leaves.
  let cancellation = RunCancellation()
  /// When the run began. `--timeout` and `--duration` of a live run count from here.
  private let start = LocationClock.live.now

  init(
    options: Options, environment: Environment, loop: EventLoop,
    reportSignal: ReportSignal? = nil,
    makeSession: @escaping @Sendable () -> Session
  ) {
    self.options = options
    self.environment = environment
    self.loop = loop
    self.reportSignal = reportSignal
    self.makeSession = makeSession
    log = Log(options)
  }

  func run() async -> ExitStatus {
    do throws(Failure) {
      if options.isReplay { return try await replay() }
      switch options.target {
      case .gpsd(let endpoint, let device):
        log.note("connecting to gpsd at \(endpoint)")
        return try await watchGPSD(at: endpoint, device: device, session: makeSession)
      case .tty(let path):
        return try await watchSerialDevice(at: path)
      }
    } catch {
      log.say(error.message)
      return error.status
    }
  }

  private func watchSerialDevice(at path: String) async throws(Failure) -> ExitStatus {
    let terminal = try SerialDevice(path: path)
    if let shared = await sharedDevice(like: terminal) {
      log.note("the system's gpsd already serves \(shared): connecting to it")
      return try await watchGPSD(at: GPSDEndpoint(), device: shared, session: makeSession)
    }
    log.note("starting a gpsd for \(path)")
    let daemon = try PrivateDaemon(for: terminal, environment: environment)
    defer { daemon.stop() }
    if !daemon.bringsReceiverBack {
      log.say(
        "cannot recover an unplugged receiver: that needs /proc and a short path without spaces")
    }
    // PrivateDaemonSession already watches the receiver's device.
    let clock = loop.clock
    return try await watchGPSD(at: GPSDEndpoint(), device: nil, lookup: DeviceNode.elsewhere) {
      PrivateDaemonSession(makeSession(), daemon: daemon, clock: clock)
    }
  }

  /// Returns the path by which the system's gpsd serves the device; `nil` if there is none to trust.
  private func sharedDevice(like terminal: SerialDevice) async -> String? {
    let owners = PortOwners(of: GPSDEndpoint.defaultPort)
    guard let users = owners.users else {
      log.advise("cannot look for the system's gpsd: that needs /proc")
      return nil
    }
    guard owners.strangers.isEmpty else {
      let names = owners.strangers.map(String.init).joined(separator: ", ")
      log.advise(
        "the gpsd on port \(GPSDEndpoint.defaultPort) is not used: "
          + "its socket belongs to user \(names)")
      return nil
    }
    guard !users.isEmpty else { return nil }
    // A private gpsd must run within 2 s, whatever answers or does not.
    let patience = min(
      .milliseconds(1500), options.timeout ?? .seconds(2), options.duration ?? .seconds(2))
    return await SystemDaemon(session: makeSession(), clock: loop.clock, executor: loop)
      .device(like: terminal, until: start.advanced(by: patience))
  }

  private func watchGPSD<Live: GPSDSession>(
    at endpoint: GPSDEndpoint, device: String?,
    lookup: @escaping DeviceNode.Lookup = DeviceNode.onThisMachine,
    session: @escaping @Sendable () -> Live
  ) async throws(Failure) -> ExitStatus {
    guard let path = options.record else {
      let source = GPSDLocationSource(
        endpoint: endpoint, device: device, kinds: options.classes,
        satellites: options.listsSatellites, statistics: statistics,
        clock: loop.clock, lookup: lookup, executor: loop, makeSession: session)
      return report(await follow(source, recorder: nil))
    }
    let recorder = try await recorder(at: path)
    let time = RecordableTime()
    let source = GPSDLocationSource(
      endpoint: endpoint, device: device, kinds: options.classes,
      satellites: options.listsSatellites, statistics: statistics,
      clock: time.clock(loop.clock), lookup: lookup, executor: loop,
      makeSession: { RecordingSession(session(), time: time) { recorder.keep($0) } })
    return report(await follow(source, recorder: recorder))
  }

  /// Opens the recording.
  private func recorder(at path: FilePath) async throws(Failure) -> Recorder {
    if path.isStandardStream { return Recorder(.standardOutput) }
    do throws(OutputError) {
      if path.isFolder {
        let folder = try RecordingFolder(path, rotation: options.rotation ?? .daily)
        return Recorder(folder) { [log] in log.say($0) }
      }
      return try await open { () throws(OutputError) in try Recorder(appendingTo: path) }
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
      loop: loop
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
    if options.redraws, isTerminal, environment["TERM", default: "dumb"] != "dumb" {
      return ScreenPresenter(output, style: style, options)
    }
    let sink = OutputSink(output, waitsForReader: options.isReplay)
    let renderer = options.makeRenderer(usesColor: style.usesColor)
    return StreamPresenter(renderer, to: sink, stale: options.stale)
  }

  /// Opens the output.
  private func output() async throws(OutputError) -> Descriptor {
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
      source: source, neverWaits: neverWaits, follower: follower, options: options, on: loop)
    var ending = await watch.run()
    do throws(OutputError) {
      // What is no recording is not reported on.
      if Task.isCancelled || isWorthless?() != true { try report?.write(isLast: true) }
    } catch {
      ending = ending.unfinished(error)
    }
    await atEnd(ending)
    if options.stats {
      let counts = watch.follower.counts
      let summary = Statistics(
        counts: statistics.counts, fixes: counts.fixes, drops: counts.drops + (recorder?.drops ?? 0)
      )
      log.say(summary.message)
    }
    return ending
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
    let logs = try openReplays()
    defer { for case .raw(let log) in logs { log.stop() } }
    var files: [RecordingFile] = []
    for log in logs { files.append(try await log.file(by: loop.clock)) }
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
      session.contents.whyNoReplay != nil
    }
    progress?.end()
    if case .failed(let error, _) = ending, error.code == .disconnected {
      throw Failure(.noInput, error.description)
    }
    switch ending {
    case .ended, .timedOut:
      if let message = session.contents.whyNoReplay { throw Failure(.badData, message) }
      if session.isOver, let message = lackOfReceiver(in: files) {
        throw Failure(.unavailable, message)
      }
    case .done, .cancelled, .failed, .output:
      break
    }
    return report(ending)
  }

  /// The message for a recording without the requested receiver; `nil` if it has that receiver.
  private func lackOfReceiver(in files: [RecordingFile]) -> String? {
    guard let device = options.device else { return nil }
    let receivers = statistics.receivers
    guard !receivers.contains(where: { isSamePath($0, device) || $0.isEmpty }) else { return nil }
    let (subject, pronoun) =
      files.count == 1 ? ("\(files[0].name) has", "it has") : ("the recordings have", "they have")
    let others =
      receivers.isEmpty ? ", nor any other" : ": \(pronoun) \(receivers.joined(separator: ", "))"
    return "\(subject) no receiver \(device)\(others)"
  }

  /// Opens all files first, so that nothing is written if one of them is missing.
  private func openReplays() throws(Failure) -> [Replay] {
    var replays: [Replay] = []
    for path in options.replays {
      let paths = path.isFolder ? try RecordingFolder.files(in: path) : [path]
      for path in paths { replays.append(try Replay(path, environment: environment)) }
    }
    return replays
  }
}

/// A file to replay.
private enum Replay {
  case recording(RecordingFile)
  case raw(RawLog)

  init(_ path: FilePath, environment: Environment) throws(Failure) {
    let file: RecordingFile
    do throws(GPSDError) {
      file = path.isStandardStream ? .standardInput : try RecordingFile(path: path)
    } catch {
      throw Failure(.noInput, error.detail)
    }
    if file.isCompressed {
      let command = path.isStandardStream ? "gzip -dc" : "gzip -dc \(path)"
      throw Failure(.badData, "\(file.name) is compressed: \(command) | locwatch --replay -")
    }
    self = RawLog.isRaw(file) ? .raw(try RawLog(file, environment: environment)) : .recording(file)
  }

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
  fileprivate var whyNoReplay: String? {
    for contents in self {
      guard let foreign = contents.foreign, !contents.isOfReceivers else { continue }
      let file = ForeignFile(foreign)
      // A recording may end within the first report after gpsd's greeting.
      if contents.hasReports, foreign.first == UInt8(ascii: "{"), file == .unknown { continue }
      let lack = contents.hasReports ? "no report of a receiver" : "no gpsd report"
      // NMEA after gpsd's greeting cannot be fed to another gpsd.
      let hint = contents.hasReports ? ForeignFile.unknown.hint : file.hint
      return "\(contents.name) has \(lack): \(file.message)\n\(hint)"
    }
    guard let last, !contains(where: \.hasReports) else { return nil }
    return last.isEmpty ? "\(last.name) is empty" : "\(last.name) has no gpsd report"
  }
}
