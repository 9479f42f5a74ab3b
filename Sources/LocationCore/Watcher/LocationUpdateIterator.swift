/// The updates of a ``LocationWatcher``, one after the other.
///
/// It is the same for every provider: what it holds of one is a connection behind a protocol, which
/// costs one dynamic call an event and spares a copy of all this for each kind of provider.
public struct LocationUpdateIterator: AsyncIteratorProtocol {
  private enum Phase {
    case idle
    case starting
    case connected
    case waiting(until: Moment)
    case failed(LocationError)
    case finished
  }

  private let connect: @Sendable () -> any LocationConnection
  private let clock: LocationClock
  private var machine: WatchMachine
  private var backoff: Backoff
  private var gate: FixGate
  private var output = Output()
  private var connection: (any LocationConnection)?
  private var phase = Phase.idle
  private var held: (event: LocationEvent, moment: Moment)?
  /// When something came last. A replay's time is that of its reports, and its clock may not know
  /// it.
  private var latest = Moment.past

  init(_ watcher: LocationWatcher<some LocationProvider>) {
    let provider = watcher.provider
    connect = { provider.connection() }
    clock = provider.clock
    machine = WatchMachine(
      stale: watcher.stale,
      needs: FixNeeds(accuracy: watcher.needsAccuracy, time: provider.receiversReportTime))
    backoff = Backoff(watcher.retries)
    gate = watcher.gate
  }

  /// The next update; `nil` when the provider has no more to report, or the task is cancelled.
  ///
  /// - Throws: ``LocationError`` where nothing is tried again.
  public mutating func next() async throws(LocationError) -> LocationUpdate? {
    try await next(isolation: #isolation)
  }

  /// The next update; `nil` when the provider has no more to report, or the task is cancelled.
  ///
  /// - Throws: ``LocationError`` where nothing is tried again.
  public mutating func next(
    isolation actor: isolated (any Actor)?
  ) async throws(LocationError) -> LocationUpdate? {
    while true {
      let read = if let read = nextBuffered(until: nil) { read } else { try await next(until: nil) }
      switch read {
      case .update(let update, _): return update
      case .timedOut: continue
      case .ended: return nil
      }
    }
  }

  /// The next update, or what there was instead of one. A cancelled task gets ``WatchRead/ended``,
  /// whatever is here already.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever. What came at the deadline or
  ///   after it comes with the next call, in a replay too.
  /// - Throws: ``LocationError`` where nothing is tried again.
  public mutating func next(until deadline: Moment?) async throws(LocationError) -> WatchRead {
    while true {
      if Task.isCancelled {
        await close()
        return .ended
      }
      if let read = takeHeld(until: deadline) { return read }
      guard case .connected = phase else {
        if let end = try await advance(until: deadline) { return end }
        continue
      }
      // What follows is not a function of its own: each one that waits costs at each report.
      do throws(LocationError) {
        let wake = wake(until: deadline)
        switch try await connection?.next(until: wake) {
        case .ended, nil:
          machine.finish(at: max(clock.now, latest), into: &output)
          phase = .finished
          await disconnect()
        case let read?:
          if let end = handle(read, until: deadline) { return end }
        }
      } catch {
        await fail(error)
      }
    }
  }

  /// The next update of what is here already, without a wait; `nil` where ``next(until:)`` has to be
  /// asked.
  ///
  /// - Parameter deadline: The same as that of ``next(until:)``.
  public mutating func nextBuffered(until deadline: Moment?) -> WatchRead? {
    // Once, for it takes a while; what is waited for asks again.
    guard !Task.isCancelled else { return nil }
    while true {
      if let read = takeHeld(until: deadline) { return read }
      guard case .connected = phase else { return nil }
      let wake = wake(until: deadline)
      switch connection?.nextBuffered(until: wake) {
      case .ended, nil: return nil
      case let read?: if let end = handle(read, until: deadline) { return end }
      }
    }
  }

  /// When to be asked again, although nothing came.
  private func wake(until deadline: Moment?) -> Moment? {
    machine.deadline?.orEarlier(deadline) ?? deadline
  }

  /// What was told, or came, before.
  private mutating func takeHeld(until deadline: Moment?) -> WatchRead? {
    while true {
      while let (update, moment) = output.take() {
        switch update {
        case .fix(let fix): if !gate.admits(fix) { continue }
        case .state(let change): gate.note(change)
        case .retry, .report: break
        }
        return .update(update, at: moment)
      }
      guard let (event, moment) = held else { return nil }
      if let end = handle(event, at: moment, until: deadline) { return end }
    }
  }

  /// Takes one step towards a connection. Returns what ends the wait for an update, where something
  /// does.
  private mutating func advance(
    until deadline: Moment?
  ) async throws(LocationError) -> WatchRead? {
    switch phase {
    case .idle:
      machine.start(at: clock.now, into: &output)
      phase = .starting
    case .starting:
      open()
    case .waiting(let moment):
      let wake = moment.orEarlier(deadline)
      guard await clock.sleep(until: wake) else {
        phase = .finished
        return .ended
      }
      if wake < moment { return .timedOut(at: clock.now) }
      open()
    case .failed(let error):
      phase = .finished
      throw error
    case .finished:
      return .ended
    case .connected:
      break
    }
    return nil
  }

  /// Hangs up. There are no more updates after it.
  public mutating func close() async {
    phase = .finished
    output = Output()
    await disconnect()
  }

  private mutating func open() {
    connection = connect()
    phase = .connected
  }

  private mutating func disconnect() async {
    held = nil
    await connection?.close()
    connection = nil
  }

  /// Returns what ends the wait for an update, where something does.
  private mutating func handle(_ read: LocationRead, until deadline: Moment?) -> WatchRead? {
    switch read {
    case .event(let event, let moment):
      return handle(event, at: moment, until: deadline)
    case .timedOut(let moment):
      machine.expire(at: moment, into: &output)
      let isOver = deadline.map { $0 <= moment } ?? false
      return isOver && output.isEmpty ? .timedOut(at: moment) : nil
    case .ended:
      return nil
    }
  }

  /// An event that came at the deadline or after it is held until what was due before is told.
  private mutating func handle(
    _ event: LocationEvent, at moment: Moment, until deadline: Moment?
  ) -> WatchRead? {
    if let deadline, deadline <= moment {
      held = (event, moment)
      machine.expire(at: deadline, into: &output)
      return output.isEmpty ? .timedOut(at: deadline) : nil
    }
    held = nil
    latest = moment
    backoff.noteReport(at: moment)
    machine.handle(event, at: moment, into: &output)
    return nil
  }

  private mutating func fail(_ error: LocationError) async {
    await disconnect()
    let now = max(clock.now, latest)
    guard error.code != .cancelled else {
      machine.finish(at: now, into: &output)
      phase = .finished
      return
    }
    let delay = backoff.nextDelay()
    machine.fail(error, retryIn: delay, at: now, into: &output)
    phase = delay.map { .waiting(until: now.advanced(by: $0)) } ?? .failed(error)
  }
}
