import LocationCore
import LocwatchSystem

/// Shows updates in a ``View``, which draws itself.
struct ViewPresenter: Presenter {
  let view: View

  var status: OutputStatus {
    let isDue = !view.isBegun || view.failure != nil
    return OutputStatus(hasPending: isDue, isWorthFlushing: isDue)
  }

  var showsWaiting: Bool { true }

  mutating func add(_ style: OutputStyle, as source: Int) { view.add(style.member, as: source) }
  mutating func remove(_ source: Int) { view.remove(source) }

  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    view.record(update, of: source, at: moment)
  }

  mutating func flush(at now: Moment) throws(OutputError) {
    if let failure = view.failure { throw failure }
    view.begin()
  }

  /// The view goes on until its user leaves.
  mutating func finish(waitsForReader: Bool) throws(OutputError) { try flush(at: .past) }
}
