// snippet: sequence
import LocationCore

/// Says where a lighthouse is, again and again.
struct Lighthouse: LocationProvider {
  let fix: LocationFix
  let flashes: Int

  func events() -> Flashes { Flashes(lighthouse: self) }

  struct Flashes: AsyncSequence, AsyncIteratorProtocol {
    typealias Element = LocationEvent
    typealias Failure = LocationError

    let lighthouse: Lighthouse
    var count = 0

    func makeAsyncIterator() -> Flashes { self }

    mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> LocationEvent? {
      guard !Task.isCancelled, count < lighthouse.flashes else { return nil }
      count += 1
      return .fix(lighthouse.fix)
    }
  }
}
// end

// snippet: connection
/// Says once where a buoy is, and can be asked with a deadline.
struct Buoy: LocationProvider {
  let fix: LocationFix

  func events() -> LocationEvents<Mooring> { LocationEvents { connection() } }

  func connection() -> Mooring { Mooring(fix: fix) }

  struct Mooring: LocationConnection {
    var fix: LocationFix?

    mutating func next(until deadline: Moment?) async throws(LocationError) -> LocationRead {
      guard !Task.isCancelled, let fix = fix.take() else { return .ended }
      return .event(.fix(fix), at: LocationClock.live.now)
    }

    mutating func close() async { fix = nil }
  }
}
// end
