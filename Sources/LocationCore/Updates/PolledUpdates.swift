/// An update, and when it came.
package typealias TimedUpdate = (update: LocationUpdate, moment: Moment)

/// The updates of a provider, polled: what every loop over updates stands on.
package struct PolledUpdates: Pollable {
  private enum Phase {
    case idle
    case connected
    case waiting(until: Moment)
    case failed(LocationError)
    case finished
  }

  private let connect: @Sendable () -> any LocationConnection
  /// Whether the clock stands still between events, which tell how much time has passed.
  private let standsStill: Bool
  /// Events after this moment are left for later polls, even if a replay has them before; `nil` for none.
  var limit: Moment?
  /// Up to when a replay at full speed reads on although nothing comes: its reader has something else to do then.
  var horizon: Moment? = .past
  private var machine: LinkMachine
  private var backoff: Backoff
  private var filter: UpdateFilter
  private var queue = UpdateQueue()
  /// Events that came together and are not handled yet, in reverse order.
  private var pending: [TimedEvent] = []
  private var connection: (any LocationConnection)?
  private var phase = Phase.idle
  /// Up to when nothing had come, if only the passing of time caused the last updates; `nil` if events caused them.
  private(set) var expiry: Moment?
  /// When the last event came, or the connection ended or failed. The clock of a replay may be behind its events.
  private(set) var latest = Moment.past

  init(_ updates: LocationUpdates) {
    connect = updates.connect
    standsStill = updates.clock.standsStill
    machine = LinkMachine(
      staleAfter: updates.staleAfter, needs: updates.needs, clockError: updates.clock.wallError,
      dates: updates.dates, sharesClock: updates.sharesClock)
    backoff = Backoff(updates.retries)
    filter = updates.filter
  }

  /// Returns the next update.
  ///
  /// - Throws: ``LocationError`` once, if the provider failed and the retry policy gives up.
  package mutating func poll(at now: Moment) throws(LocationError) -> Polled<TimedUpdate> {
    var now = now
    while true {
      while let next = queue.take() { if passes(next.update) { return .received(next) } }
      if let moment = pending.last?.moment, let limit, limit < moment {
        // Changes that are due at the limit are still returned.
        machine.expire(at: limit, into: &queue)
        if queue.isEmpty { return .quiet(at: limit) }
      } else if let event = pending.popLast() {
        latest = event.moment
        backoff.recordReport(at: event.moment)
        machine.handle(event.event, at: event.moment, into: &queue)
      } else if let result = try advance(at: now) {
        guard case .quiet(let moment) = result, now < moment, horizon.map({ moment < $0 }) ?? true
        else { return result }
        now = moment
      }
    }
  }

  private mutating func passes(_ update: LocationUpdate) -> Bool {
    switch update {
    case .fix(let fix): return filter.admits(fix)
    case .state(let change): filter.record(change)
    case .change, .retry, .event: break
    }
    return true
  }

  /// Takes a step that may lead to updates. Returns `nil` if it may have.
  @inline(never)
  private mutating func advance(at now: Moment) throws(LocationError) -> Polled<TimedUpdate>? {
    switch phase {
    case .idle:
      makeConnection()
      machine.start(at: now, into: &queue)
      phase = .connected
    case .connected:
      do throws(LocationError) {
        return handle(try connection?.poll(at: now) ?? .ended, at: now)
      } catch {
        fail(error, at: now)
      }
    case .waiting(let moment):
      guard moment <= now else { return .quiet(at: now) }
      makeConnection()
      phase = .connected
    case .failed(let error):
      phase = .finished
      throw error
    case .finished:
      return .ended
    }
    return nil
  }

  private mutating func handle(
    _ polled: consuming Polled<[TimedEvent]>, at now: Moment
  ) -> Polled<TimedUpdate>? {
    switch consume polled {
    case .received(let events):
      expiry = nil
      pending = events
      if pending.count > 1 { pending.reverse() }
    case .quiet(let moment):
      machine.expire(at: moment, into: &queue)
      if queue.isEmpty { return .quiet(at: moment) }
      expiry = moment
    case .ended:
      latest = max(now, latest, expiry ?? latest)
      machine.finish(at: latest, into: &queue)
      phase = .finished
      disconnect()
    }
    return nil
  }

  package mutating func wait() -> Wait {
    switch phase {
    case .connected:
      guard var wait = connection?.wait() else { break }
      if !standsStill { wait.end(by: machine.deadline) }
      return wait
    case .waiting(let moment): return Wait(until: moment)
    case .idle, .failed, .finished: break
    }
    return Wait()
  }

  /// Ends the connection and the updates. Queued ones are dropped.
  package mutating func close() {
    phase = .finished
    queue = UpdateQueue()
    pending = []
    disconnect()
  }

  /// Makes the connection that the first poll opens. In a replay, this resets the clock to the beginning.
  mutating func makeConnection() { connection = connection ?? connect() }

  private mutating func disconnect() {
    connection?.close()
    connection = nil
  }

  @inline(never)
  private mutating func fail(_ error: LocationError, at now: Moment) {
    // A new connection to a hub waits until the hub has connected again.
    let hubRetryIn = (connection as? HubConnection)?.retryIn
    latest = max(now, latest)
    disconnect()
    guard error.code != .cancelled else {
      machine.finish(at: latest, into: &queue)
      phase = .finished
      return
    }
    guard let delay = backoff.nextDelay() else {
      machine.fail(error, retryIn: nil, at: latest, into: &queue)
      phase = .failed(error)
      return
    }
    machine.fail(error, retryIn: hubRetryIn ?? delay, at: latest, into: &queue)
    phase = .waiting(until: hubRetryIn == nil ? latest.advanced(by: delay) : latest)
  }
}
