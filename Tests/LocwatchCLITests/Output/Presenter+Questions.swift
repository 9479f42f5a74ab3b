import LocationCore

@testable import LocationFormats
@testable import LocwatchCLI
@testable import LocwatchSystem
@testable import LocwatchTerminal

extension Presenter {
  var hasPending: Bool { status.hasPending }
  var blockedOutput: Descriptor? { status.blocked }
  var isWorthFlushing: Bool { status.isWorthFlushing }
  var nextTick: Moment? { status.nextTick }

  func hasRoom(for update: LocationUpdate) -> Bool { hasRoom(for: update, of: 0) }

  mutating func present(_ update: LocationUpdate, at moment: Moment) {
    present(update, of: 0, at: moment)
  }
}

extension StreamPresenter {
  /// Creates a stream of one source.
  init(_ renderer: any Renderer, to sink: OutputSink, stale: Duration?) {
    self.init(to: sink)
    add(as: 0, stale: stale) { renderer }
  }
}
