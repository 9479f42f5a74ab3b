/// A provider that reports the events of an `AsyncSequence`.
///
/// ```swift
/// let provider = EventSequenceProvider { myEvents() }
/// ```
///
/// A sequence cannot stop waiting at a deadline, so each connection iterates over its sequence in a separate task. An
/// event that arrives after a deadline is returned by the next read.
public struct EventSequenceProvider<Events>: LocationProvider
where
  Events: AsyncSequence<LocationEvent, LocationError> & SendableMetatype,
  Events.AsyncIterator: SendableMetatype
{
  /// The clock of the provider's events and deadlines.
  public let clock: LocationClock
  /// Whether the times of fixes are of the ``clock``.
  public let receiversShareClock: Bool
  private let makeEvents: @Sendable () -> Events

  /// Creates a provider.
  ///
  /// - Parameters:
  ///   - clock: The clock of the provider's events and deadlines.
  ///   - receiversShareClock: Whether the times of fixes are of this clock, as those of Core Location are, so that an
  ///     old fix is not current. Pass `false` if they are of the clock of a receiver.
  ///   - makeEvents: Returns the events of one connection; called at the first read of each connection.
  public init(
    clock: LocationClock = .live, receiversShareClock: Bool = true,
    _ makeEvents: @escaping @Sendable () -> Events
  ) {
    self.clock = clock
    self.receiversShareClock = receiversShareClock
    self.makeEvents = makeEvents
  }

  /// Returns a connection that iterates over a new sequence. It ignores the request.
  public func connection(for request: LocationRequest) -> some LocationConnection {
    SequenceConnection(clock: clock, EventPump(clock: clock, makeEvents))
  }

  /// A connection that iterates the sequence once.
  struct SequenceConnection: LocationConnection {
    private let clock: LocationClock
    private let pump: EventPump
    private var isRequested = false
    private var isClosed = false
    /// The moment of the latest result. An event may have arrived while a wait for it was being given up.
    private var latest = Moment.past

    fileprivate init(clock: LocationClock, _ pump: EventPump) {
      self.clock = clock
      self.pump = pump
    }

    /// Waits for the sequence's next event.
    ///
    /// - Parameter deadline: When to stop waiting; `nil` waits without a limit.
    /// - Returns: One event; ``TimedRead/timedOut(at:)`` if none arrived by the deadline;
    ///   ``TimedRead/ended`` when the sequence has ended or the task is cancelled.
    /// - Throws: ``LocationError`` once, if the sequence throws it.
    mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      while !isClosed, !Task.isCancelled {
        if !isRequested { pump.demand.send(()) }
        isRequested = true
        switch await pump.answers.take(until: deadline, by: clock) {
        case .value(let answer):
          isRequested = false
          guard let event = try answer.result.get() else { return .ended }
          latest = max(latest, answer.moment)
          return .event(event, at: latest)
        case .gaveUp:
          guard !Task.isCancelled else { continue }
          latest = max(latest, clock.now)
          return .timedOut(at: latest)
        }
      }
      return .ended
    }

    /// Cancels the iteration.
    mutating func close() async {
      isClosed = true
      pump.stop()
    }
  }
}

/// Takes one event from a sequence for each demand.
///
/// Deinitialization stops it too, because a loop that is left early does not call `close()`.
private final class EventPump: Sendable {
  /// What the sequence returned, and when.
  struct Answer: Sendable {
    var result: Result<LocationEvent?, LocationError>
    var moment: Moment
  }

  let answers = Mailbox<Answer>()
  let demand = Mailbox<Void>()
  private let task: Task<Void, Never>

  init<Events: AsyncSequence<LocationEvent, LocationError> & SendableMetatype>(
    clock: LocationClock, _ makeEvents: @escaping @Sendable () -> Events
  ) where Events.AsyncIterator: SendableMetatype {
    task = Task { [answers, demand] in
      guard case .value = await demand.take() else { return }
      var iterator = makeEvents().makeAsyncIterator()
      while true {
        let result: Result<LocationEvent?, LocationError>
        do throws(LocationError) {
          result = .success(try await iterator.next(isolation: nil))
        } catch {
          result = .failure(error)
        }
        answers.send(Answer(result: result, moment: clock.now))
        guard case .value = await demand.take() else { return }
      }
    }
  }

  deinit { stop() }

  func stop() { task.cancel() }
}
