import EventLoop
import GPSDLocation
import LocationCore
import LocwatchReceivers
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal
import Synchronization

extension Run {
  var liveSources: LiveSources {
    LiveSources(
      environment: environment, loop: loop, statistics: statistics, makeSession: makeSession)
  }

  /// Watches a single source.
  func watchTarget() async throws(Failure) -> ExitStatus {
    let sources = liveSources
    let target = try await sources.resolve(plan.source, log: log)
    defer { target.end() }
    let recorder = try await recorder()
    watchHangUps()
    let source = sources.provider(for: target, plan.source, recorder: recorder)
    return report(await watch(only: source, recorder: recorder, corrections: target.corrections))
  }

  /// Watches several sources until each has ended.
  func watch(_ fleet: TargetPlan) async throws(Failure) -> ExitStatus {
    Descriptor.raiseLimit()
    let targets = try fleet.targets()
    let recorder = try await recorder()
    let sources = liveSources
    let changes = SourceChanges(of: FleetUpdates(on: loop))
    let source: @Sendable (NamedTarget) -> WatchedSource = { [self] target in
      sources.source(
        member(target, of: fleet), recorder: recorder, log: log.named(target.name))
    }
    changes.request(targets.map { .add(source($0)) })
    reload(fleet, targets, changes, source)
    let clock = sources.clock(isRecorded: recorder != nil)
    return report(await watch(changes, clock: clock, recorder: recorder))
  }

  /// Watches the best of several sources as a single source.
  func watchBest(of fleet: TargetPlan) async throws(Failure) -> ExitStatus {
    Descriptor.raiseLimit()
    let targets = try fleet.targets()
    let recorder = try await recorder()
    let sources = liveSources
    let members = targets.map { target in
      sources.source(
        member(target, of: fleet), recorder: recorder, log: log.named(target.name))
    }
    defer { for member in members { member.didEnd() } }
    watchHangUps { [log, reopening] in
      // A signal for the output says nothing about the targets.
      guard let file = fleet.file, reopening == nil else { return }
      log.advise("with --best, \(file) is read only at the start")
    }
    let clock = sources.clock(isRecorded: recorder != nil)
    var observers = BestLocationProvider.Observers()
    // The records do not show which members are missing.
    observers.didChange = { [log] change, name in
      guard [.noService, .noDevice].contains(change.state) else { return }
      let why = [change.device, change.reason].compactMap(\.self).joined(separator: " ")
      log.named(name).advise(why.isEmpty ? "\(change.state)" : "\(change.state): \(why)")
    }
    if let recorder {
      observers.timePassed = { recorder.recordTime($0, of: $1) }
      observers.linkFailed = { recorder.recordFailure($0, of: $1) }
    }
    let best = BestLocationProvider(
      of: members.map { ($0.name, $0.updates) }, clock: clock, on: loop, observers: observers)
    return report(await watch(only: best, of: members.map(\.name), recorder: recorder))
  }

  /// Reopens the output at each signal.
  ///
  /// - Parameter next: Called after the output is reopened.
  private func watchHangUps(_ next: @escaping @Sendable () -> Void = {}) {
    hangUpSignal?.watch { [reopening] in
      reopening?.request()
      next()
    }
  }

  /// Reads the file of targets again at each signal. An error in the file is reported, and the targets stay
  /// the same.
  private func reload(
    _ fleet: TargetPlan, _ targets: [NamedTarget], _ changes: SourceChanges,
    _ source: @escaping @Sendable (NamedTarget) -> WatchedSource
  ) {
    let running = Mutex(targets)
    watchHangUps { [self] in
      guard fleet.file != nil else { return }
      do throws(Failure) {
        let wanted = try fleet.targets()
        let change = running.withLock { running in
          defer { running = wanted }
          return TargetList.changes(from: running, to: wanted)
        }
        log.detail(
          "\(wanted.count) targets: \(change.added.count) new, \(change.gone.count) gone")
        changes.request(change, source)
      } catch {
        log.error(error.message)
      }
    }
  }

  /// Returns the plan of one of several sources.
  func member(_ target: NamedTarget, of fleet: TargetPlan) -> SourcePlan {
    var member = fleet.member.member(target)
    // The table shows the strength of the signals.
    if plan.output.file == nil, redrawnLines(on: standardOutput) != nil {
      member.reading.satellites = true
    }
    return member
  }
}
