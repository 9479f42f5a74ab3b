import LocationCore

/// Shows updates in a ``View``, which draws itself.
struct ViewPresenter: Presenter {
  let view: View

  var hasPending: Bool { !view.isBegun || view.failure != nil }
  var isWorthFlushing: Bool { hasPending }
  var nextTick: Moment? { nil }
  var showsWaiting: Bool { true }

  func hasRoom(for update: LocationUpdate) -> Bool { true }

  mutating func begin(at now: Moment) {}

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    view.note(update, at: moment)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    if let failure = view.failure { throw failure }
    view.begin()
  }

  /// The view goes on until its user leaves.
  mutating func finish(waitsForReader: Bool) throws(OutputError) { try flush(at: .past) }
}
