/// A connection to a provider that cannot itself stop waiting: each wait races the provider's next
/// event against the clock. An event that comes after its wait is over answers the next one.
public struct RacedConnection<Provider: LocationProvider>: LocationConnection {
  private typealias Answer = Result<LocationEvent?, LocationError>

  private let clock: LocationClock
  private let answers = Rendezvous<Answer>()
  private let demand = Rendezvous<Void>()
  private let pump: Task<Void, Never>
  private var isAsked = false

  init(provider: Provider) {
    clock = provider.clock
    pump = Task { [answers, demand] in
      var iterator = provider.events().makeAsyncIterator()
      while case .value = await demand.take() {
        let answer: Answer
        do throws(LocationError) {
          answer = .success(try await iterator.next(isolation: nil))
        } catch {
          answer = .failure(error)
        }
        answers.bring(answer)
      }
    }
  }

  public mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
    if !isAsked { demand.bring(()) }
    isAsked = true
    let outcome = await answers.take(until: deadline, by: clock)
    guard case .value(let answer) = outcome else {
      return Task.isCancelled ? .ended : .timedOut(at: clock.now)
    }
    isAsked = false
    guard let event = try answer.get() else { return .ended }
    return .event(event, at: clock.now)
  }

  public mutating func close() async { pump.cancel() }
}
