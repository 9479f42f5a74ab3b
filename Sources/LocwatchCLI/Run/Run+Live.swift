import EventLoop
import GPSDLocation
import LocationCore
import LocwatchReceivers
import LocwatchRecordings
import LocwatchSystem
import LocwatchTerminal

extension Run {
  var liveSources: LiveSources {
    LiveSources(
      environment: environment, loop: loop, statistics: statistics, retries: retries,
      machine: machine, makeSession: makeSession)
  }

  /// Follows a single source.
  func followTarget() async throws(Failure) -> ExitStatus {
    let sources = liveSources
    let target = try await sources.resolve(options, log: log)
    defer { target.end() }
    let recorder = try await recorder()
    reopenOnHangUp()
    let source = sources.provider(for: target, options, recorder: recorder)
    return report(await follow(only: source, recorder: recorder, corrections: target.corrections))
  }

  /// Follows several sources until each has ended.
  func followFleet() async throws(Failure) -> ExitStatus {
    Descriptor.raiseLimit()
    let recorder = try await recorder()
    let sources = liveSources
    let newSources = NewSources(for: wakeups)
    newSources.add(self.sources(from: sources, recorder))
    reopenOnHangUp()
    let clock = sources.clock(isRecorded: recorder != nil)
    return report(await follow(newSources, clock: clock, recorder: recorder))
  }

  /// Follows the best of several sources as a single source.
  func followBest() async throws(Failure) -> ExitStatus {
    Descriptor.raiseLimit()
    let recorder = try await recorder()
    let sources = liveSources
    let members = self.sources(from: sources, recorder)
    defer { for member in members { member.didEnd() } }
    reopenOnHangUp()
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
      of: members.map { ($0.name, $0.updates) }, clock: clock, observers: observers)
    return report(await follow(only: best, of: members.map(\.name), recorder: recorder))
  }

  /// Reopens the output at each signal.
  private func reopenOnHangUp() { hangUpSignal?.observe { [reopening] in reopening?.request() } }

  private func sources(
    from sources: LiveSources, _ recorder: Recorder?
  ) -> [RunSource] {
    options.fleet.map { target in
      sources.source(
        options(of: target), recorder: recorder, log: log.named(target.name))
    }
  }

  /// Returns the options of one of several sources.
  private func options(of target: NamedTarget) -> Options {
    var member = options.member(target)
    // The table shows the strength of the signals.
    if options.display.file == nil, redrawnLines(on: standardOutput) != nil {
      member.needsSatellites = true
    }
    return member
  }
}
