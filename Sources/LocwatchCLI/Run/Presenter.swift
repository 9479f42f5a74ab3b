import LocationCore

/// Where updates become visible: a stream of records, or a screen.
protocol Presenter: Sendable {
  /// Whether there is something that was not written yet.
  var hasPending: Bool { get }
  /// Whether a further fix could only be lost.
  var isFull: Bool { get }
  /// Whether so much is pending that it is worth writing before more is read.
  var isWorthFlushing: Bool { get }
  /// When the presenter has something to do even where nothing comes.
  func nextTick(after now: Moment) -> Moment?

  mutating func begin(at now: Moment)
  mutating func present(_ update: LocationUpdate, at moment: Moment)
  /// Writes what can be written at `now`.
  mutating func flush(at now: Moment) throws(OutputError)
  /// Writes what is left, and leaves everything as it was found.
  mutating func finish() throws(OutputError)
}
