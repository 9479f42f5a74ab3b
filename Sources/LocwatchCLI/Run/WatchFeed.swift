import LocationCore

/// The source of the main loop's news: one source of updates, or several.
protocol WatchFeed {
  /// Returns the next news that arrives by a deadline; ``TimedRead/ended`` if the task is cancelled.
  mutating func next(until deadline: Moment?) async -> TimedRead<FleetNews>
  /// Returns news without waiting; `nil` if ``next(until:)`` has to be called, or if a wait comes first.
  mutating func poll(until deadline: Moment?) -> TimedRead<FleetNews>?
  /// Returns what to wait for before the next ``poll(until:)``; `nil` if ``next(until:)`` has to be called.
  mutating func arrival(before deadline: Moment?) -> ArrivalWait?
  /// Ends the connections.
  mutating func close() async
}

/// The news of a single source, which needs neither a task nor a queue.
struct SourceFeed: WatchFeed {
  private var updates: LocationUpdates.AsyncIterator
  private let clock: LocationClock

  /// - Parameter clock: The clock of the updates.
  init(_ updates: LocationUpdates, clock: LocationClock) {
    self.updates = updates.makeAsyncIterator()
    self.clock = clock
  }

  mutating func next(until deadline: Moment?) async -> TimedRead<FleetNews> {
    do throws(LocationError) {
      return Self.news(of: try await updates.next(until: deadline), clock)
    } catch {
      return .value(.ended(error, of: 0), at: clock.now)
    }
  }

  mutating func poll(until deadline: Moment?) -> TimedRead<FleetNews>? {
    guard let read = updates.poll(until: deadline) else { return nil }
    return Self.news(of: read, clock)
  }

  mutating func arrival(before deadline: Moment?) -> ArrivalWait? {
    updates.arrival(before: deadline)
  }

  mutating func close() async { await updates.close() }

  // A static function, because a method would receive a copy of the iterator.
  private static func news(
    of read: TimedRead<LocationUpdate>, _ clock: LocationClock
  ) -> TimedRead<FleetNews> {
    switch read {
    case .value(let update, let moment): .value(.update(update, of: 0), at: moment)
    case .timedOut(let moment): .timedOut(at: moment)
    case .ended: Task.isCancelled ? .ended : .value(.ended(nil, of: 0), at: clock.now)
    }
  }
}

/// The news of several sources.
struct FleetFeed: WatchFeed {
  let updates: FleetUpdates
  let clock: LocationClock

  mutating func next(until deadline: Moment?) async -> TimedRead<FleetNews> {
    await updates.next(until: deadline, by: clock)
  }

  mutating func poll(until deadline: Moment?) -> TimedRead<FleetNews>? { updates.nextQueued() }

  mutating func arrival(before deadline: Moment?) -> ArrivalWait? { nil }

  mutating func close() async { await updates.close() }
}
