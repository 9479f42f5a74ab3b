extension LocationUpdates {
  // Functions that wait are separate from those that do not, which are never inlined: all variables of a function
  // that waits are in the frame of its task, and a fleet has a thousand tasks.
  /// An iterator over a provider's updates, with its own connections.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private enum Phase {
      case idle
      /// The connection exists. It is opened after the first update was returned.
      case starting
      case connected
      case waiting(until: Moment)
      case failed(LocationError)
      case finished
    }

    private let connect: @Sendable () -> any LocationConnection
    let clock: LocationClock
    private var machine: WatchMachine
    private var backoff: Backoff
    private var filter: UpdateFilter
    private var queue = UpdateQueue()
    /// Events that arrived together and are not handled yet, in reverse order.
    private var pending: [TimedEvent] = []
    private var connection: (any LocationConnection)?
    /// Whether the connection is closed as soon as it has ended. If not, ``close()`` does it.
    var closesAtEnd = true
    private var phase = Phase.idle
    /// The end of the last wait for the provider, if only the passing of time caused the last updates; `nil` if
    /// events caused them.
    package private(set) var expiry: Moment?
    /// When the last event arrived, the connection ended or failed. The clock of a replay may be behind its events.
    private(set) var latest = Moment.past

    init(_ updates: LocationUpdates) {
      connect = updates.connect
      clock = updates.clock
      machine = WatchMachine(
        staleAfter: updates.staleAfter, needs: updates.needs, clockError: updates.clock.wallError,
        dates: updates.dates, sharesClock: updates.sharesClock)
      backoff = Backoff(updates.retries)
      filter = updates.filter
    }

    /// Returns the next update, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next() async throws(LocationError) -> LocationUpdate? {
      try await next(isolation: #isolation)
    }

    /// Returns the next update, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationUpdate? {
      while true {
        switch try await next(until: nil) {
        case .value(let update, _): return update
        case .timedOut: continue
        case .ended: return nil
        }
      }
    }

    /// Returns the next update that arrives by a deadline.
    ///
    /// - Parameter deadline: When to stop waiting; `nil` waits without a limit. An event that arrives at the deadline
    ///   is in time; a later one is left for the next call, in a replay too.
    /// - Returns: The update; ``TimedRead/timedOut(at:)`` if there was none by the deadline; ``TimedRead/ended``
    ///   when the provider has nothing more to report. If the task is cancelled, ``TimedRead/ended`` is returned at
    ///   once, and queued updates are dropped.
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<LocationUpdate> {
      while true {
        if Task.isCancelled {
          await close()
          return .ended
        }
        if let read = poll(until: deadline) { return read }
        guard case .connected = phase else {
          if let end = try await advance(until: deadline) { return end }
          continue
        }
        if let wait = arrival(before: deadline), await wait.hasCome() { continue }
        do throws(LocationError) {
          let wake = wake(before: deadline)
          let read = try await connection?.next(until: wake) ?? .ended
          if let moment = handle(consume read, until: deadline) { return .timedOut(at: moment) }
          if case .finished = phase, closesAtEnd { await disconnect() }
        } catch {
          await fail(error)
        }
      }
    }

    /// Returns the next update without waiting; `nil` if ``next(until:)`` has to be called, or a wait comes first.
    ///
    /// - Parameter deadline: An event that arrived after the deadline is left for the next call; `nil` means no
    ///   limit.
    /// - Returns: The update; ``TimedRead/timedOut(at:)`` if the next event arrived after the deadline.
    package mutating func poll(until deadline: Moment?) -> TimedRead<LocationUpdate>? {
      while !Task.isCancelled {
        if let read = takeQueued(until: deadline) { return read }
        guard case .connected = phase, let events = connection?.poll() else { return nil }
        take(events)
      }
      return nil
    }

    /// Returns what to wait for before the next ``poll(until:)``; `nil` if ``next(until:)`` has to be called.
    package mutating func arrival(before deadline: Moment?) -> ArrivalWait? {
      guard case .connected = phase else { return nil }
      let wake = wake(before: deadline)
      return connection?.arrival(before: wake)
    }

    /// Ends the connection and the iteration. Queued updates are dropped.
    package mutating func close() async {
      phase = .finished
      queue = UpdateQueue()
      pending = []
      await disconnect()
    }

    @inline(never)
    private mutating func wake(before deadline: Moment?) -> Moment? {
      machine.deadline?.earlier(of: deadline) ?? deadline
    }

    /// Handles what the connection returned.
    ///
    /// - Returns: The current moment if the deadline has passed without an update.
    @inline(never)
    private mutating func handle(
      _ read: consuming TimedRead<[TimedEvent]>, until deadline: Moment?
    ) -> Moment? {
      switch consume read {
      case .value(let events, _):
        take(events)
      case .timedOut(let moment):
        expiry = moment
        machine.expire(at: moment, into: &queue)
        if let deadline, deadline <= moment, queue.isEmpty { return moment }
      case .ended:
        passToNow()
        machine.finish(at: latest, into: &queue)
        phase = .finished
      }
      return nil
    }

    private mutating func take(_ events: consuming [TimedEvent]) {
      expiry = nil
      pending = events
      if pending.count > 1 { pending.reverse() }
    }

    @inline(never)
    private mutating func takeQueued(until deadline: Moment?) -> TimedRead<LocationUpdate>? {
      while true {
        while let (update, moment) = queue.take() {
          switch update {
          case .fix(let fix): if !filter.admits(fix) { continue }
          case .state(let change): filter.record(change)
          case .change, .retry, .event: break
          }
          return .value(update, at: moment)
        }
        guard let moment = pending.last?.moment else { return nil }
        if let deadline, deadline < moment {
          // Changes that are due at the deadline are still returned.
          machine.expire(at: deadline, into: &queue)
          if queue.isEmpty { return .timedOut(at: deadline) }
        } else if let event = pending.popLast() {
          latest = moment
          backoff.recordReport(at: moment)
          machine.handle(event.event, at: moment, into: &queue)
        }
      }
    }

    /// Takes one step towards a connection.
    ///
    /// - Returns: The result that ends the wait for an update; `nil` to continue waiting.
    @inline(never)
    private mutating func advance(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<LocationUpdate>? {
      switch phase {
      case .idle:
        makeConnection()
        machine.start(at: clock.now, into: &queue)
        phase = .starting
      case .starting:
        phase = .connected
      case .waiting(let moment):
        let wake = moment.earlier(of: deadline)
        guard await clock.sleep(until: wake) else {
          phase = .finished
          return .ended
        }
        if wake < moment { return .timedOut(at: clock.now) }
        makeConnection()
        phase = .connected
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

    /// Makes the connection that the next read opens. In a replay, this resets the clock to the beginning.
    mutating func makeConnection() { connection = connection ?? connect() }

    private mutating func passToNow() { latest = Swift.max(clock.now, latest) }

    private mutating func disconnect() async {
      await connection?.close()
      connection = nil
    }

    @inline(never)
    private mutating func fail(_ error: LocationError) async {
      // A new connection to a hub waits until the hub has connected again.
      let hubRetryIn = (connection as? HubConnection)?.retryIn
      passToNow()
      let now = latest
      await disconnect()
      guard error.code != .cancelled else {
        machine.finish(at: now, into: &queue)
        phase = .finished
        return
      }
      guard let delay = backoff.nextDelay() else {
        machine.fail(error, retryIn: nil, at: now, into: &queue)
        phase = .failed(error)
        return
      }
      machine.fail(error, retryIn: hubRetryIn ?? delay, at: now, into: &queue)
      phase = .waiting(until: hubRetryIn == nil ? now.advanced(by: delay) : now)
    }
  }
}
