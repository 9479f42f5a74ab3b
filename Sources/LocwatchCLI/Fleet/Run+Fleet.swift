import EventLoop
import GPSDLocation
package import LocationCore
import Synchronization

extension Run {
  /// Watches several sources until each has ended.
  func watchFleet() async throws(Failure) -> ExitStatus {
    Descriptor.raiseLimit()
    let targets = try targets()
    let recorder = try await recorder()
    let sources = liveSources
    let updates = FleetUpdates(on: loop)
    let changes = FleetChanges(of: updates)
    let member: @Sendable (NamedTarget) -> FleetSource = { [self] target in
      sources.member(options(of: target), recorder: recorder, log: log.named(target.name))
    }
    changes.request(targets.map { .add(member($0)) })
    reload(targets, at: targetsSignal, changes, member)
    let clock = sources.clock(isRecorded: recorder != nil)
    return await follow(updates, changes, recorder: recorder, clock: clock)
  }

  /// Watches several sources as one, the best of them.
  func watchBest() async throws(Failure) -> ExitStatus {
    Descriptor.raiseLimit()
    let targets = try targets()
    let recorder = try await recorder()
    let sources = liveSources
    let members = targets.map { target in
      sources.member(options(of: target), recorder: recorder, log: log.named(target.name))
    }
    defer { for member in members { member.didEnd() } }
    let clock = sources.clock(isRecorded: recorder != nil)
    let best = BestLocationProvider(
      of: members.map { ($0.name, $0.updates) }, clock: clock, on: loop)
    return report(await follow(best, recorder: recorder))
  }

  /// Reads the file of targets again at each signal. What is wrong with it is said, and changes nothing.
  private func reload(
    _ targets: [NamedTarget], at signal: RequestSignal?, _ changes: FleetChanges,
    _ member: @escaping @Sendable (NamedTarget) -> FleetSource
  ) {
    let running = Mutex(targets)
    signal?.watch { [self] in
      do throws(Failure) {
        let wanted = try self.targets()
        let change = running.withLock { running in
          defer { running = wanted }
          return TargetList.changes(from: running, to: wanted)
        }
        log.note(
          "\(wanted.count) targets: \(change.added.count) new, \(change.gone.count) gone")
        changes.request(change, member)
      } catch {
        log.say(error.message)
      }
    }
  }

  /// Returns the targets of the command line and of the file.
  private func targets() throws(Failure) -> [NamedTarget] {
    guard let path = options.targetsFile else { return options.fleet }
    return try TargetList(options.fleet, contentsOf: path).targets
  }

  /// Returns whether any of the files to replay names the sources of its lines.
  func nameSources(_ files: [RecordingFile]) async throws(Failure) -> Bool {
    do throws(GPSDError) {
      for (index, file) in files.enumerated() {
        // Only the first stream can be read before its turn, and a view shows that it waits for it.
        if file.size == nil, index > 0 || options.view { continue }
        if try await file.namesSource() { return true }
      }
    } catch {
      throw Failure(.noInput, error.detail)
    }
    return false
  }

  /// Replays a recording of several sources. What runs of a single source recorded is one more, without a
  /// name.
  func replayFleet(_ files: [RecordingFile]) async throws(Failure) -> ExitStatus {
    if let option = options.optionForOneSource {
      throw Failure(
        .usage, "\(option) needs a recording of a single source, and this one names several")
    }
    let speed: Double? = if case .times(let speed) = options.speed { speed } else { nil }
    let updates = FleetUpdates(on: loop)
    let changes = FleetChanges(of: updates)
    let recording = FleetRecording(files, speed: speed, realClock: loop.clock) {
      [self] recording, name in
      var options = options
      options.isOfFleet = true
      options.source = name ?? options.source
      let source = GPSDLocationSource(
        device: options.device, kinds: options.classes, satellites: options.listsSatellites,
        statistics: statistics, clock: recording.clock(of: name),
        makeSession: { recording.session(of: name) })
      let updates = options.updates(of: source)
      changes.request([
        .add(FleetSource(options: options, updates: updates, clock: source.clock))
      ])
    }
    do throws(GPSDError) {
      try await recording.begin()
    } catch {
      throw Failure(.noInput, error.detail)
    }
    let search = Task(executorPreference: loop) {
      await recording.run()
      // The last source may have ended before the recording did.
      updates.interrupt()
    }
    defer { search.cancel() }
    let status = await follow(
      updates, changes, recorder: nil, clock: recording.clock, replaying: recording)
    if let failure = recording.failure { throw Failure(.noInput, failure.detail) }
    guard status == .success || status == .timedOut, recording.isOver else { return status }
    if let message = recording.contents.whyNoReplay { throw Failure(.badData, message) }
    if let message = lackOfReceiver(in: files) { throw Failure(.unavailable, message) }
    return status
  }

  /// Follows sources that were made elsewhere, until each has ended.
  ///
  /// - Parameter clock: The clock of all sources.
  package func follow(_ sources: [FleetSource], clock: LocationClock) async -> ExitStatus {
    let updates = FleetUpdates(on: loop)
    let changes = FleetChanges(of: updates)
    changes.request(sources.map { .add($0) })
    return await follow(updates, changes, recorder: nil, clock: clock)
  }

  private func follow(
    _ updates: FleetUpdates, _ changes: FleetChanges, recorder: Recorder?, clock: LocationClock,
    replaying recording: FleetRecording? = nil,
    isolation actor: isolated (any Actor)? = #isolation
  ) async -> ExitStatus {
    let presenter: any FleetPresenter
    do throws(OutputError) {
      presenter = try await fleetPresenter()
    } catch {
      return report(.output(error))
    }
    let follower = FleetFollower(
      updates, changes: changes, output: FleetOutput(presenter), recorder: recorder,
      log: log, options: options, mayGrow: { recording?.isOver == false }, on: actor
    ) { [environment] source, output, log in
      Follower(
        output: output, options: source.options, recorder: nil, log: log,
        isGPSDInstalled: { (try? GPSDProgram.find(environment)) != nil })
    }
    var watch = WatchLoop(
      feed: FleetFeed(updates: updates, clock: clock), clock: clock, follower: follower,
      options: options, on: loop)
    let ending = await watch.run()
    let linesLeftOut = recording?.linesLeftOut ?? 0
    if linesLeftOut > 0 {
      log.say(
        "\(linesLeftOut) lines are left out: the recording has more than "
          + "\(FleetRecording.maximumSources) sources")
    }
    if options.stats {
      if let recording { statistics.count(badLines: recording.strayLines) }
      let (counts, sources) = (watch.follower.counts, watch.follower.sourceCount)
      say(
        counts, ofSources: sources, lostLines: recorder?.drops ?? 0, linesLeftOut: linesLeftOut)
    }
    if case .done = ending { return watch.follower.status }
    return report(ending)
  }

  /// Returns the options of one source.
  private func options(of target: NamedTarget) -> Options {
    var options = options.member(target)
    // The table shows the strength of the signals.
    if !options.recordsToOutput, options.outputFile == nil, redraws(on: .standardOutput) {
      options.satellites = true
    }
    return options
  }

  private func fleetPresenter() async throws(OutputError) -> any FleetPresenter {
    if options.recordsToOutput { return NoPresenter() }
    let output = try await output()
    let isTerminal = output.kind == .terminal
    let style = TerminalStyle(options: options, environment: environment, isTerminal: isTerminal)
    if redraws(on: output) { return FleetTable(output, style: style, options) }
    return StreamPresenter(
      to: OutputSink(output, waitsForReader: options.isReplay), usesColor: style.usesColor)
  }
}

extension Options {
  /// The option that needs a single source; `nil` if there is none.
  fileprivate var optionForOneSource: String? {
    if view { return "--view" }
    if report != nil { return "--report" }
    return format == .prometheus ? "--format prometheus" : nil
  }
}

extension FleetChanges {
  /// Asks for what makes one list of targets into another, and for another look for receivers that could
  /// not be opened.
  func request(_ changes: TargetList.Changes, _ member: (NamedTarget) -> FleetSource) {
    request(
      changes.gone.map { .remove($0.name) } + [.retry] + changes.added.map { .add(member($0)) })
  }
}

extension LiveSources {
  /// Returns the source of a fleet that reads the target of its options.
  func member(_ options: Options, recorder: Recorder?, log: Log) -> FleetSource {
    let (provider, search) = provider(ofMember: options, recorder: recorder, log: log)
    return FleetSource(
      options: options, updates: options.updates(of: provider), clock: provider.clock,
      retry: { search?.retry() }, didEnd: { search?.end() })
  }
}
