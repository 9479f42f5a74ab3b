import LocationCore

/// A provider as a third party writes it: a sequence alone, by the public API.
struct OwnProvider: LocationProvider {
  var reported: [LocationEvent]
  var failure: LocationError?
  /// What it does wrong, if anything.
  var flaw: Flaw?

  enum Flaw: CaseIterable {
    case throwsWhenCancelled, goesOnWhenCancelled, reportsAfterEnd, failsTwice, dropsAnEvent,
      waitsForEver
  }

  func events() -> Events { Events(provider: self) }

  struct Events: AsyncSequence {
    typealias Element = LocationEvent
    typealias Failure = LocationError

    let provider: OwnProvider

    func makeAsyncIterator() -> AsyncIterator {
      AsyncIterator(
        rest: provider.reported.dropFirst(provider.flaw == .dropsAnEvent ? 1 : 0),
        failure: provider.failure, flaw: provider.flaw)
    }
  }

  struct AsyncIterator: AsyncIteratorProtocol {
    var rest: ArraySlice<LocationEvent>
    var failure: LocationError?
    var flaw: Flaw?
    var hasEnded = false

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      if flaw == .waitsForEver {
        await Task { try? await Task.sleep(for: .seconds(3600)) }.value
      }
      if Task.isCancelled, flaw != .goesOnWhenCancelled {
        rest = []
        failure = nil
        if flaw == .throwsWhenCancelled { throw LocationError(.cancelled) }
      }
      if let event = rest.popFirst() { return event }
      defer { hasEnded = true }
      if hasEnded, flaw == .reportsAfterEnd { return .notice("still here") }
      guard let failure else { return nil }
      if flaw != .failsTwice { self.failure = nil }
      throw failure
    }
  }
}
