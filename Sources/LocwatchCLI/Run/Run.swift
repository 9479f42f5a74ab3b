import GPSDLocation
import LocationCore

/// One run with a given command line: finds the source and the output, and follows the one into the
/// other.
struct Run<Session: GPSDSession>: Sendable {
  let options: Options
  let environment: Environment
  let executor: MainThreadExecutor
  let log: Log
  let makeSession: @Sendable () -> Session

  let tally = GPSDTally()

  init(
    options: Options, environment: Environment, executor: MainThreadExecutor,
    makeSession: @escaping @Sendable () -> Session
  ) {
    self.options = options
    self.environment = environment
    self.executor = executor
    self.makeSession = makeSession
    log = Log(options)
  }

  func exitStatus() async -> ExitStatus {
    do throws(Failure) {
      if options.isReplay { return try await replay() }
      switch options.target {
      case .gpsd(let endpoint, let device):
        log.note("asking gpsd at \(endpoint)")
        return try await watch(endpoint, device: device, session: makeSession)
      case .tty(let path):
        return try await watch(terminal: path)
      }
    } catch {
      log.complain(error.words)
      return error.status
    }
  }

  private func watch(terminal path: String) async throws(Failure) -> ExitStatus {
    let terminal = try SerialDevice(path: path)
    if let shared = await SystemDaemon(session: makeSession()).device(like: terminal) {
      log.note("the system's gpsd has \(shared) already, and is asked for it")
      return try await watch(GPSDEndpoint(), device: shared, session: makeSession)
    }
    log.note("starting a gpsd for \(path)")
    let daemon = try PrivateDaemon(for: terminal, environment: environment)
    defer { daemon.stop() }
    if !daemon.bringsReceiverBack {
      log.complain(
        "a receiver that is unplugged will not come back: that takes /proc, and a plain path")
    }
    // The daemon looks after its receiver's device itself.
    return try await watch(GPSDEndpoint(), device: nil, lookup: DeviceNode.elsewhere) {
      PrivateDaemonSession(makeSession(), daemon: daemon)
    }
  }

  private func watch<Live: GPSDSession>(
    _ endpoint: GPSDEndpoint, device: String?,
    lookup: @escaping DeviceNode.Lookup = DeviceNode.onThisMachine,
    session: @escaping @Sendable () -> Live
  ) async throws(Failure) -> ExitStatus {
    guard let path = options.record else {
      let source = GPSDLocationSource(
        endpoint: endpoint, device: device, satellites: options.satellites, tally: tally,
        lookup: lookup, session: session())
      return report(await follow(source, recorder: nil))
    }
    let recorder: Recorder
    do throws(OutputError) {
      recorder = path == "-" ? Recorder(.standardOutput) : try Recorder(appendingTo: path)
    } catch {
      throw Failure(.cannotCreate, error.description)
    }
    let time = RecordableTime()
    let source = GPSDLocationSource(
      endpoint: endpoint, device: device, satellites: options.satellites, tally: tally,
      lookup: lookup,
      session: RecordingSession(session(), time: time) { recorder.keep($0) })
    return report(await follow(source, recorder: recorder))
  }

  /// - Parameter isWorthless: Whether a replay was of something that is no recording, so that nothing
  ///   is to be written; `nil` for no replay.
  func follow(
    _ source: some LocationProvider, recorder: Recorder?,
    unless isWorthless: (@Sendable () -> Bool)? = nil
  ) async -> Ending {
    let output = presenter()
    return await follow(
      source, into: isWorthless.map { output.held(unless: $0) } ?? output, recorder)
  }

  private func presenter() -> any Presenter {
    let output = Descriptor.standardOutput
    if options.record == "-" { return NoPresenter() }
    let isTerminal = output.kind == .terminal
    let style = TerminalStyle(options: options, environment: environment, isTerminal: isTerminal)
    if options.redraws, isTerminal, environment["TERM", default: "dumb"] != "dumb" {
      return ScreenPresenter(output, style: style, options)
    }
    let sink = OutputSink(output, waitsForReader: options.isReplay)
    let renderer = options.makeRenderer(usesColor: style.usesColor)
    return renderer.presented(on: sink, stale: options.stale)
  }

  private func follow(
    _ source: some LocationProvider, into output: any Presenter, _ recorder: Recorder?
  ) async -> Ending {
    let follower = Follower(
      output: output, options: options, recorder: recorder, log: log,
      isGPSDInstalled: { [environment] in (try? GPSDProgram.find(environment)) != nil })
    let loop = WatchLoop(
      source: source, follower: follower, options: options, executor: executor)
    let (ending, counts) = await loop.run()
    if options.stats {
      let statistics = Statistics(
        counts: tally.counts, fixes: counts.fixes, drops: counts.drops + (recorder?.drops ?? 0))
      log.say(statistics.words)
    }
    return ending
  }

  func report(_ ending: Ending) -> ExitStatus {
    if let words = ending.words { log.complain(words) }
    return ending.exitStatus
  }
}
