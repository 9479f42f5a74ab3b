import LocationCore

/// A provider as a third party writes it, by the public API.
struct OwnProvider: LocationProvider {
  var reported: [LocationEvent]
  var failure: LocationError?
  /// What it does wrong, if anything.
  var flaw: Flaw?

  enum Flaw: CaseIterable {
    case throwsWhenCancelled, goesOnWhenCancelled, reportsAfterEnd, failsTwice, dropsAnEvent,
      waitsForEver
  }

  func connection(for request: LocationRequest) -> Connection {
    Connection(
      rest: reported.dropFirst(flaw == .dropsAnEvent ? 1 : 0), failure: failure, flaw: flaw)
  }

  struct Connection: LocationConnection {
    var rest: ArraySlice<LocationEvent>
    var failure: LocationError?
    var flaw: Flaw?
    var hasEnded = false

    mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      if flaw == .waitsForEver {
        await Task { try? await Task.sleep(for: .seconds(3600)) }.value
      }
      if Task.isCancelled, flaw != .goesOnWhenCancelled {
        await close()
        if flaw == .throwsWhenCancelled { throw LocationError(.cancelled) }
      }
      let now = LocationClock.live.now
      if let event = rest.popFirst() { return .event(event, at: now) }
      defer { hasEnded = true }
      if hasEnded, flaw == .reportsAfterEnd { return .event(.notice("still here"), at: now) }
      guard let failure else { return .ended }
      if flaw != .failsTwice { self.failure = nil }
      throw failure
    }

    mutating func close() async {
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
