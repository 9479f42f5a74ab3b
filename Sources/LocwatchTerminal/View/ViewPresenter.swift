package import LocationCore
package import LocwatchSystem

/// Shows updates in a ``View``, which draws itself.
package struct ViewPresenter: Presenter {
  let view: View

  package init(view: View) { self.view = view }

  package var status: OutputStatus {
    let isDue = !view.isBegun || view.failure != nil
    return OutputStatus(hasPending: isDue, isWorthFlushing: isDue)
  }

  package var showsWaiting: Bool { true }

  package mutating func add(_ style: OutputStyle, as source: Int) {
    view.add(style.member, as: source)
  }

  package mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment) {
    view.record(update, of: source, at: moment)
  }

  package mutating func flush(at now: Moment) throws(OutputError) {
    if let failure = view.failure { throw failure }
    view.begin()
  }

  /// The view stays until its user quits.
  package mutating func finish(waitsForReader: Bool) throws(OutputError) { try flush(at: .past) }
}
