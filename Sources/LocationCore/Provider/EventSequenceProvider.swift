/// A provider that reports the events of an `AsyncSequence`.
///
/// ```swift
/// let provider = EventSequenceProvider { myEvents() }
/// ```
///
/// A sequence cannot stop waiting at a deadline, so each connection iterates it in a task of its
/// own. An event that arrives after a deadline is returned by the next read.
public struct EventSequenceProvider<Events>: LocationProvider
where
  Events: AsyncSequence<LocationEvent, LocationError> & SendableMetatype,
  Events.AsyncIterator: SendableMetatype
{
  /// The clock of the provider's events and deadlines.
  public let clock: LocationClock
  private let makeEvents: @Sendable () -> Events

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - clock: The clock of the provider's events and deadlines.
  ///   - makeEvents: Returns the events of one connection; called once for each connection.
  public init(
    clock: LocationClock = .live, _ makeEvents: @escaping @Sendable () -> Events
  ) {
    self.clock = clock
    self.makeEvents = makeEvents
  }

  /// Returns a connection that iterates a new sequence.
  public func connection() -> Connection { Connection(clock: clock, EventPump(makeEvents)) }

  /// A connection that iterates the sequence once.
  public struct Connection: LocationConnection {
    private let clock: LocationClock
    private let pump: EventPump
    private var isRequested = false
    private var isClosed = false

    fileprivate init(clock: LocationClock, _ pump: EventPump) {
      self.clock = clock
      self.pump = pump
    }

    /// Waits for the sequence's next event.
    ///
    /// - Parameter deadline: When to stop waiting; `nil` waits without a limit.
    /// - Returns: One event; ``TimedRead/timedOut(at:)`` if none arrived before the deadline;
    ///   ``TimedRead/ended`` when the sequence has ended or the task is cancelled.
    /// - Throws: ``LocationError`` once, if the sequence throws it.
    public mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      while !isClosed, !Task.isCancelled {
        if !isRequested { pump.demand.send(()) }
        isRequested = true
        switch await pump.answers.take(until: deadline, by: clock) {
        case .value(let answer):
          isRequested = false
          guard let event = try answer.get() else { return .ended }
          return .event(event, at: clock.now)
        case .gaveUp:
          if !Task.isCancelled { return .timedOut(at: clock.now) }
        }
      }
      return .ended
    }

    /// Cancels the iteration.
    public mutating func close() async {
      isClosed = true
      pump.stop()
    }
  }
}

/// Takes one event from a sequence for each demand.
///
/// Deinitialization stops it too, because a loop that is left early does not call `close()`.
private final class EventPump: Sendable {
  let answers = Mailbox<Result<LocationEvent?, LocationError>>()
  let demand = Mailbox<Void>()
  private let task: Task<Void, Never>

  init<Events: AsyncSequence<LocationEvent, LocationError> & SendableMetatype>(
    _ makeEvents: @escaping @Sendable () -> Events
  ) where Events.AsyncIterator: SendableMetatype {
    task = Task { [answers, demand] in
      var iterator = makeEvents().makeAsyncIterator()
      while case .value = await demand.take() {
        do throws(LocationError) {
          answers.send(.success(try await iterator.next(isolation: nil)))
        } catch {
          answers.send(.failure(error))
        }
      }
    }
  }

  deinit { stop() }

  func stop() { task.cancel() }
}
