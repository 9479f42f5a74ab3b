import LocationCore

/// Where updates become visible: a stream of records, or a screen.
protocol Presenter: Sendable {
  /// Whether there is something that was not written yet.
  var hasPending: Bool { get }
  /// Whether so much is pending that it is worth writing before more is read.
  var isWorthFlushing: Bool { get }
  /// Whether there is room for another update. Without, it could only make the command grow.
  func hasRoom(for update: LocationUpdate) -> Bool
  /// When the presenter has something to do even where nothing comes.
  var nextTick: Moment? { get }

  mutating func begin(at now: Moment)
  mutating func present(_ update: LocationUpdate, at moment: Moment)
  /// Writes what can be written at `now`.
  mutating func flush(at now: Moment) throws(OutputError)
  /// Leaves the cursor where others can write a line.
  mutating func makeRoom()
  /// Writes what is left, and leaves everything as it was found.
  ///
  /// - Parameter waitsForReader: Whether a slow reader gets all the time that it takes.
  mutating func finish(waitsForReader: Bool) throws(OutputError)
}

extension Presenter {
  mutating func makeRoom() {}
}
