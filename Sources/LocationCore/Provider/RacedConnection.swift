/// A connection to a provider that cannot itself stop waiting: each wait races the provider's next
/// event against the clock. An event that comes after its wait is over answers the next one.
public struct RacedConnection<Provider: LocationProvider>: LocationConnection {
  private let clock: LocationClock
  private let pump: EventPump
  private var isAsked = false
  private var isClosed = false

  init(provider: Provider) {
    clock = provider.clock
    pump = EventPump(provider)
  }

  /// The provider's next event, or what there was instead of one.
  ///
  /// - Parameter deadline: When to stop waiting; `nil` waits for ever.
  /// - Throws: ``LocationError`` once, when the provider fails.
  public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
    while !isClosed, !Task.isCancelled {
      if !isAsked { pump.demand.bring(()) }
      isAsked = true
      switch await pump.answers.take(until: deadline, by: clock) {
      case .value(let answer):
        isAsked = false
        guard let event = try answer.get() else { return .ended }
        return .event(event, at: clock.now)
      case .gaveUp:
        if !Task.isCancelled { return .timedOut(at: clock.now) }
      }
    }
    return .ended
  }

  /// Cancels the iteration of the provider.
  public mutating func close() async {
    isClosed = true
    pump.stop()
  }
}

/// Takes one event from a provider for each demand. It stops when nobody has it any more: a reader
/// that leaves its loop early closes nothing.
private final class EventPump: Sendable {
  let answers = Rendezvous<Result<LocationEvent?, LocationError>>()
  let demand = Rendezvous<Void>()
  private let task: Task<Void, Never>

  init(_ provider: some LocationProvider) {
    task = Task { [answers, demand] in
      var iterator = provider.events().makeAsyncIterator()
      while case .value = await demand.take() {
        do throws(LocationError) {
          answers.bring(.success(try await iterator.next(isolation: nil)))
        } catch {
          answers.bring(.failure(error))
        }
      }
    }
  }

  deinit { stop() }

  func stop() { task.cancel() }
}
