import EventLoop
import GPSDLocation
package import LocationCore
import Synchronization

extension Run {
  /// Watches several sources until each has ended.
  func watchFleet() async throws(Failure) -> ExitStatus {
    let sources = liveSources
    let named = try targets()
    let targets = try await resolve(named, sources)
    let recorder = try await recorder()
    let updates = FleetUpdates(on: loop)
    let changes = FleetChanges(of: updates)
    changes.request(
      targets.map { .add(sources.member(for: $0.target, $0.options, recorder: recorder)) })
    watchTargets(named, sources, changes, recorder: recorder)
    let clock = sources.clock(isRecorded: recorder != nil)
    return await follow(updates, changes, recorder: recorder, clock: clock)
  }

  /// Watches several sources as one, the best of them.
  func watchBest() async throws(Failure) -> ExitStatus {
    let sources = liveSources
    let targets = try await resolve(try targets(), sources)
    defer { for (_, target) in targets { target.end() } }
    let recorder = try await recorder()
    let members = targets.map { options, target in
      let provider = sources.provider(for: target, options, recorder: recorder)
      return (name: options.source ?? "", updates: options.updates(of: provider))
    }
    let clock = sources.clock(isRecorded: recorder != nil)
    let best = BestLocationProvider(of: members, clock: clock, on: loop)
    return report(await follow(best, recorder: recorder))
  }

  private func resolve(
    _ targets: [NamedTarget], _ sources: LiveSources<Session>
  ) async throws(Failure) -> [(options: Options, target: LiveTarget)] {
    Descriptor.raiseLimit()
    var resolved: [(Options, LiveTarget)] = []
    for target in targets {
      let options = options(of: target)
      resolved.append((options, try await sources.resolve(options, log: log.named(target.name))))
    }
    return resolved
  }

  /// Reads the file of targets again at each signal. What is wrong with it changes nothing.
  private func watchTargets(
    _ targets: [NamedTarget], _ sources: LiveSources<Session>, _ changes: FleetChanges,
    recorder: Recorder?
  ) {
    guard let targetsSignal else { return }
    let known = Mutex(targets)
    targetsSignal.watch { [self] in
      do throws(Failure) {
        let new = try self.targets()
        let old = known.withLock { known in
          defer { known = new }
          return known
        }
        let gone = old.filter { !new.contains($0) }
        let added = new.filter { !old.contains($0) }
        log.note("\(new.count) targets: \(added.count) new, \(gone.count) gone")
        Task(executorPreference: loop) {
          do throws(Failure) {
            let targets = try await resolve(added, sources)
            changes.request(
              gone.map { .remove($0.name) }
                + targets.map {
                  .add(sources.member(for: $0.target, $0.options, recorder: recorder))
                })
          } catch {
            log.say(error.message)
          }
        }
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

  /// Replays a recording of several sources.
  func replayFleet(_ files: [RecordingFile]) async throws(Failure) -> ExitStatus {
    let speed: Double? = if case .times(let speed) = options.speed { speed } else { nil }
    let updates = FleetUpdates(on: loop)
    let changes = FleetChanges(of: updates)
    let recording = FleetRecording(files, speed: speed, realClock: loop.clock) {
      [self] recording, name in
      var options = options
      options.source = name
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
    return await follow(updates, changes, recorder: nil, clock: recording.clock)
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
      log: log, options: options, on: actor
    ) { [environment] source, output, log in
      Follower(
        output: output, options: source.options, recorder: nil, log: log,
        isGPSDInstalled: { (try? GPSDProgram.find(environment)) != nil })
    }
    var watch = WatchLoop(
      feed: FleetFeed(updates: updates, clock: clock), clock: clock, follower: follower,
      options: options, on: loop)
    let ending = await watch.run()
    if options.stats {
      let (counts, sources) = (watch.follower.counts, watch.follower.sourceCount)
      say(counts, ofSources: sources, lostLines: recorder?.drops ?? 0)
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

extension LiveSources {
  /// Returns the source of a fleet that reads a target.
  func member(for target: LiveTarget, _ options: Options, recorder: Recorder?) -> FleetSource {
    let provider = provider(for: target, options, recorder: recorder)
    return FleetSource(
      options: options, updates: options.updates(of: provider), clock: provider.clock
    ) { target.end() }
  }
}
