import LocationCore

/// A provider as a third party writes it, by the public API.
struct OwnProvider: LocationProvider {
  var reported: [LocationEvent]
  var failure: LocationError?
  /// What it does wrong, if anything.
  var flaw: Flaw?

  enum Flaw { case dropsAnEvent, neverBegins }

  func connection(for request: LocationRequest) -> Connection {
    Connection(
      rest: reported.dropFirst(flaw == .dropsAnEvent ? 1 : 0), failure: failure, flaw: flaw)
  }

  struct Connection: LocationConnection {
    var rest: ArraySlice<LocationEvent>
    var failure: LocationError?
    var flaw: Flaw?

    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      if flaw == .neverBegins { return .quiet(at: now) }
      if let event = rest.popFirst() { return .event(event, at: now) }
      if let failure = failure.take() { throw failure }
      return .ended
    }

    func wait() -> Wait { Wait() }

    mutating func close() {
      rest = []
      failure = nil
    }
  }
}

/// Events as a third party has them: an `AsyncSequence`.
struct OwnEvents: AsyncSequence, AsyncIteratorProtocol {
  var rest: ArraySlice<LocationEvent>
  var failure: LocationError?

  func makeAsyncIterator() -> OwnEvents { self }

  mutating func next(
    isolation actor: isolated (any Actor)?
  ) async throws(LocationError) -> LocationEvent? {
    if let event = rest.popFirst() { return event }
    if let failure = failure.take() { throw failure }
    return nil
  }
}
