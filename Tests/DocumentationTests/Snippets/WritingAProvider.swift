// snippet: connection
import LocationCore

/// A provider that reports the position of a buoy once.
struct Buoy: LocationProvider {
  let fix: LocationFix

  func connection(for request: LocationRequest) -> Mooring { Mooring(fix: fix) }

  struct Mooring: LocationConnection {
    var fix: LocationFix?

    mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      guard let fix = fix.take() else { return .ended }
      return .event(.fix(fix), at: now)
    }

    func wait() -> Wait { Wait() }  // Not called, because no poll is quiet.

    mutating func close() { fix = nil }
  }
}
// end

// snippet: sequence
/// The position of a lighthouse, reported with each flash.
nonisolated struct Flashes: AsyncSequence, AsyncIteratorProtocol {
  let fix: LocationFix
  let interval: Duration

  func makeAsyncIterator() -> Flashes { self }

  mutating func next(
    isolation actor: isolated (any Actor)?
  ) async throws(LocationError) -> LocationEvent? {
    guard (try? await Task.sleep(for: interval)) != nil else { return nil }  // Cancelled.
    return .fix(fix)
  }
}
// end
