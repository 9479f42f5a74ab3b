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
    machine = WatchMachine(stale: watcher.stale)
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
      switch try await next(until: nil) {
      case .update(let update, _): return update
      case .timedOut: continue
      case .ended: return nil
      }
    }
  }

  /// The next update, or what there was instead of one.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting; `nil` waits for ever. What came at the deadline or after
  ///     it comes with the next call, in a replay too.
  ///   - waits: Whether to wait at all. Without, only what is there already is taken.
  /// - Throws: ``LocationError`` where nothing is tried again.
  public mutating func next(
    until deadline: Moment?, waits: Bool = true
  ) async throws(LocationError) -> WatchRead {
    while true {
      if let (update, moment) = output.take() {
        if case .fix(let fix) = update, !gate.admits(fix) { continue }
        return .update(update, at: moment)
      }
      guard case .connected = phase else {
        if let end = try await advance(until: deadline, waits: waits) { return end }
        continue
      }
      if let held, let end = handle(held.event, at: held.moment, until: deadline) { return end }
      guard output.isEmpty else { continue }
      // What follows is not a function of its own: each one that waits costs at each report.
      do throws(LocationError) {
        let wake = waits ? machine.deadline?.orEarlier(deadline) ?? deadline : .past
        switch try await connection?.next(until: wake) {
        case .event(let event, let moment):
          if let end = handle(event, at: moment, until: deadline) { return end }
        case .timedOut(let moment):
          machine.expire(at: moment, into: &output)
          let isOver = deadline.map { $0 <= moment } ?? false
          if isOver || !waits, output.isEmpty { return .timedOut(at: moment) }
        case .ended, nil:
          machine.finish(at: max(clock.now, latest), into: &output)
          phase = .finished
          await disconnect()
        }
      } catch {
        await fail(error)
      }
    }
  }

  /// Takes one step towards a connection. Returns what ends the wait for an update, where something
  /// does.
  private mutating func advance(
    until deadline: Moment?, waits: Bool
  ) async throws(LocationError) -> WatchRead? {
    switch phase {
    case .idle:
      machine.start(at: clock.now, into: &output)
      phase = .starting
    case .starting:
      open()
      // Connecting may take long, and what there is already is not to wait for it.
      if !waits { return .timedOut(at: clock.now) }
    case .waiting(let moment):
      let wake = waits ? deadline?.orEarlier(moment) ?? moment : .past
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
