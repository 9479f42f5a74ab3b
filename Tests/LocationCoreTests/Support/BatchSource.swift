import LocationCore

/// Its events come in batches, whose moments may be ahead of the clock, as in a replay.
struct BatchSource: LocationProvider {
  let batches: [[(Double, LocationEvent)]]

  var clock = LocationClock(now: { Reports.moment(0) }, sleepUntil: { _ in })
  func connection(for request: LocationRequest) -> Connection { Connection(batches: batches[...]) }

  struct Connection: LocationConnection {
    var batches: ArraySlice<[(Double, LocationEvent)]>

    mutating func poll(at now: Moment) -> Polled<[TimedEvent]> {
      guard let batch = batches.popFirst() else { return .ended }
      return .received(batch.map { TimedEvent($0.1, at: Reports.moment($0.0)) })
    }

    func wait() -> Wait { Wait() }
    mutating func close() { batches = [] }
  }
}
