/// A provider that reports the events of an `AsyncSequence`.
///
/// ```swift
/// let provider = EventSequenceProvider { myEvents() }
/// ```
///
/// A sequence cannot be polled, so each connection iterates over its sequence in a separate task, which takes the next
/// event once the last one was polled.
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
    SequenceConnection(EventPump(clock: clock, makeEvents))
  }

  /// A connection that iterates the sequence once.
  struct SequenceConnection: LocationConnection {
    private let pump: EventPump
    private var isRequested = false
    private var isOver = false
    /// The moment of the latest result. An event may have come between the current moment and the poll.
    private var latest = Moment.past

    fileprivate init(_ pump: EventPump) { self.pump = pump }

    /// Returns the sequence's next event.
    ///
    /// - Throws: ``LocationError`` once, if the sequence throws it.
    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      guard !isOver else { return .ended }
      if !isRequested { pump.demand.send(()) }
      isRequested = true
      guard let answer = pump.answers.poll() else {
        latest = now
        return .quiet(at: now)
      }
      isRequested = false
      latest = max(latest, answer.moment)
      if case .success(let event?) = answer.result { return .event(event, at: latest) }
      isOver = true
      _ = try answer.result.get()
      return .ended
    }

    mutating func wait() -> Wait { Wait(for: pump.bell) }

    /// Cancels the iteration.
    mutating func close() {
      isOver = true
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
  /// Rung when there is an answer.
  let bell = Bell()
  let demand = Mailbox<Void>()
  private let task: Task<Void, Never>

  init<Events: AsyncSequence<LocationEvent, LocationError> & SendableMetatype>(
    clock: LocationClock, _ makeEvents: @escaping @Sendable () -> Events
  ) where Events.AsyncIterator: SendableMetatype {
    task = Task { [answers, bell, demand] in
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
        bell.ring()
        guard case .value = await demand.take() else { return }
      }
    }
  }

  deinit { stop() }

  func stop() { task.cancel() }
}
