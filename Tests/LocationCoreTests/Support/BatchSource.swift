import LocationCore

/// Its events come in batches, each at the moment of its first event.
struct BatchSource: LocationProvider {
  let batches: [[(Double, LocationEvent)]]

  var clock = LocationClock(now: { Reports.moment(0) }, sleepUntil: { _ in })
  func connection(for request: LocationRequest) -> Connection { Connection(batches: batches[...]) }

  struct Connection: LocationConnection {
    var batches: ArraySlice<[(Double, LocationEvent)]>

    mutating func next(until deadline: Moment?) -> TimedRead<[TimedEvent]> {
      let events = (batches.popFirst() ?? []).map {
        TimedEvent($0.1, at: Reports.moment($0.0))
      }
      guard let first = events.first else { return .ended }
      return .value(events, at: first.moment)
    }

    func close() {}
  }
}
