import Synchronization

/// The part of a hub that its task may hold: it does not keep the hub alive.
final class HubCore: Sendable {
  private struct State {
    var task: Task<Void, Never>?
    /// The latest run, which may still have to close its connection; `nil` before the first one.
    var latestRun: Task<Void, Never>?
    /// Counts starts and stops: a task that was stopped must not change anything.
    var run = 0
    var states = CurrentStates()
    /// Whether the service has reported anything since the link's last change.
    var isConnected = false
    var fixes = ReceiverTable<TimedFix>()
    var known: LastKnownLocation
    /// In the order in which they joined, which is that in which they are woken.
    var readers: [HubReader] = []

    /// The latest states and fixes.
    var latest: [(LocationUpdate, Moment)] {
      // Once the service has answered, the link is neither connecting nor failed.
      let link = states.link.flatMap { isConnected && $0.state != .noDevice ? nil : $0 }
      let changes = [link].compactMap(\.self) + states.receivers.values
      return changes.map { (.state($0), $0.moment) }
        + fixes.values.map { (.fix($0.fix), $0.moment) }
    }
  }

  private struct TimedFix {
    var fix: LocationFix
    var moment: Moment
  }

  private let updates: LocationUpdates
  private let shared: Mutex<State>

  init(_ updates: LocationUpdates) {
    self.updates = updates
    shared = Mutex(State(known: LastKnownLocation(sharesClock: updates.sharesClock)))
  }

  var location: LocationFix? {
    shared.withLock { $0.fixes.values.max { $0.moment < $1.moment }?.fix }
  }

  var lastKnownLocation: KnownLocation? { shared.withLock(\.known.location) }

  var state: LocationState? { shared.withLock(\.states.state) }

  var isConnected: Bool { shared.withLock(\.isConnected) }

  func start() { shared.withLock { start(&$0) } }

  func stop() {
    let readers = shared.withLock { state in
      state.task?.cancel()
      return end(&state)
    }
    for reader in readers { reader.stop() }
  }

  /// Adds a reader, who receives the latest states and fixes first.
  func join(asConnection: Bool) -> HubReader {
    let reader = HubReader(keepsAllFixes: asConnection)
    shared.withLock { state in
      start(&state)
      for (latest, moment) in state.latest {
        guard let update = asConnection ? latest.forNewConnection : latest else { continue }
        reader.add(update, at: moment)
      }
      state.readers.append(reader)
    }
    return reader
  }

  func leave(_ reader: HubReader) {
    shared.withLock { $0.readers.removeAll { $0 === reader } }
  }

  private func start(_ state: inout State) {
    guard state.task == nil else { return }
    state.run += 1
    let run = state.run
    state.task = Task { [updates, latestRun = state.latestRun] in
      // A receiver may have room for one connection only.
      await latestRun?.value
      var iterator = updates.makeAsyncIterator()
      var failure: LocationError?
      do throws(LocationError) {
        while case .value(let update, let moment) = try await iterator.next(until: nil),
          publish(update, at: moment, in: run)
        {}
      } catch {
        failure = error
      }
      iterator.close()
      let readers = shared.withLock { $0.run == run ? end(&$0) : [] }
      for reader in readers { reader.finish(failure) }
    }
    state.latestRun = state.task
  }

  /// Returns whether the run continues.
  private func publish(_ update: LocationUpdate, at moment: Moment, in run: Int) -> Bool {
    shared.withLock { state in
      guard run == state.run else { return false }
      if case .fix(let fix) = update { state.known.record(fix, at: moment) }
      switch update {
      case .state(let change): record(change, in: &state)
      case .fix(let fix) where fix.isCurrent:
        state.fixes[fix.device] = TimedFix(fix: fix, moment: moment)
        state.isConnected = true
      case .fix, .change, .event: state.isConnected = true
      case .retry: break
      }
      // Under the lock, so that all readers receive updates in one order.
      for reader in state.readers { reader.add(update, at: moment) }
      return true
    }
  }

  private func record(_ change: StateChange, in state: inout State) {
    state.states.record(change)
    switch change.subject {
    case .link:
      state.isConnected = change.state == .noDevice
      state.fixes.removeAll()
    case .receiver(let path):
      state.isConnected = true
      if !change.state.hasFix { state.fixes[path] = nil }
    }
  }

  /// Forgets everything but the last known location, and returns the readers to finish.
  private func end(_ state: inout State) -> [HubReader] {
    let ended = state
    state = State(known: ended.known)
    state.run = ended.run + 1
    state.latestRun = ended.latestRun
    return ended.readers
  }
}
