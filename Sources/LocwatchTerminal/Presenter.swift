package import LocationCore
package import LocwatchSystem

/// The state of an output, for the main loop.
package struct OutputStatus {
  /// Whether some output is still unwritten.
  package var hasPending = false
  /// The descriptor that did not accept all of the last flush; `nil` if there is none.
  package var blocked: Descriptor?
  /// Whether so much is pending that it should be written before more is read.
  package var isWorthFlushing = false
  /// When the presenter needs to redraw, even without an update; `nil` if it does not.
  package var nextTick: Moment?

  package init(
    hasPending: Bool = false, blocked: Descriptor? = nil, isWorthFlushing: Bool = false,
    nextTick: Moment? = nil
  ) {
    self.hasPending = hasPending
    self.blocked = blocked
    self.isWorthFlushing = isWorthFlushing
    self.nextTick = nextTick
  }
}

/// Shows the updates of one or several sources, as a stream of records or on a screen. Each source has a
/// number.
package protocol Presenter: Sendable {
  var status: OutputStatus { get }
  /// The number of records that have not been written and would be lost at the end of the run.
  var unwrittenRecords: Int { get }
  /// Whether the presenter shows something before the first report.
  var showsWaiting: Bool { get }

  /// Adds a source with the next number, or with the number of a source that has ended.
  mutating func add(_ style: OutputStyle, as source: Int)
  /// Records that a source has ended, so that no position of it is current.
  mutating func recordEnd(of source: Int)
  mutating func begin(at now: Moment)
  /// Whether there is room for another update. This limits memory while the reader is blocked.
  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool
  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment)
  /// Shows the mean of a receiver's positions.
  mutating func present(_ mean: MeanPosition, of source: Int)
  /// Shows advice for a source without a fix, until it has a fix or searches again.
  mutating func advise(_ advice: Message, of source: Int)
  /// Writes as much as possible without waiting.
  mutating func flush(at now: Moment) throws(OutputError)
  /// Writes the rest and closes the document.
  ///
  /// - Parameter waitsForReader: Whether to wait for a slow reader without a limit.
  mutating func finish(waitsForReader: Bool) throws(OutputError)
}

extension Presenter {
  package var unwrittenRecords: Int { 0 }
  package var showsWaiting: Bool { false }

  package mutating func add(_ style: OutputStyle, as source: Int) {}
  package mutating func recordEnd(of source: Int) {}
  package mutating func begin(at now: Moment) {}
  package func hasRoom(for update: LocationUpdate, of source: Int) -> Bool { true }
  package mutating func present(_ mean: MeanPosition, of source: Int) {}
  package mutating func advise(_ advice: Message, of source: Int) {}
}

/// Shows nothing, because the recording or a report replaces the output.
package struct NoPresenter: Presenter {
  package init() {}

  package var status: OutputStatus { OutputStatus() }

  package mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {}
  package mutating func flush(at now: Moment) throws(OutputError) {}
  package mutating func finish(waitsForReader: Bool) throws(OutputError) {}
}
