import LocationCore

/// Shows nothing: the recording takes the place of the output.
struct NoPresenter: Presenter {
  var hasPending: Bool { false }
  var isWorthFlushing: Bool { false }

  func hasRoom(for update: LocationUpdate) -> Bool { true }
  var nextTick: Moment? { nil }
  mutating func begin(at now: Moment) {}
  mutating func present(_ update: LocationUpdate, at moment: Moment) {}
  mutating func flush(at now: Moment) throws(OutputError) {}
  mutating func finish(waitsForReader: Bool) throws(OutputError) {}
}
