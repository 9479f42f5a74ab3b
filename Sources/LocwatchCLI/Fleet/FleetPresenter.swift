import LocationCore
import Synchronization

/// Shows the updates of several sources, each by its number.
protocol FleetPresenter: RunOutput {
  /// Adds a source with the next number, or one that was removed.
  mutating func add(_ options: Options, as source: Int)
  mutating func remove(_ source: Int)
  /// Whether there is room for another update of a source.
  func hasRoom(for update: LocationUpdate, of source: Int) -> Bool
  mutating func present(_ update: LocationUpdate, of source: Int, at moment: Moment)
}

/// The output that the sources of a fleet share.
final class FleetOutput: RunOutput {
  private let presenter: Mutex<any FleetPresenter>

  init(_ presenter: any FleetPresenter) { self.presenter = Mutex(presenter) }

  func add(_ options: Options, as source: Int) {
    presenter.withLock { $0.add(options, as: source) }
  }

  func remove(_ source: Int) { presenter.withLock { $0.remove(source) } }

  func begin(at now: Moment) { presenter.withLock { $0.begin(at: now) } }

  /// Returns the part of the output for one source.
  func part(of source: Int) -> some Presenter { Part(output: self, source: source) }

  var hasPending: Bool { presenter.withLock(\.hasPending) }
  var blockedOutput: Descriptor? { presenter.withLock(\.blockedOutput) }
  var isWorthFlushing: Bool { presenter.withLock(\.isWorthFlushing) }
  var unwrittenRecords: Int { presenter.withLock(\.unwrittenRecords) }
  var nextTick: Moment? { presenter.withLock(\.nextTick) }

  func flush(at now: Moment) throws(OutputError) {
    try presenter.withLock { presenter throws(OutputError) in try presenter.flush(at: now) }
  }

  func clearLiveLines() { presenter.withLock { $0.clearLiveLines() } }

  func finish(waitsForReader: Bool) throws(OutputError) {
    try presenter.withLock { presenter throws(OutputError) in
      try presenter.finish(waitsForReader: waitsForReader)
    }
  }

  /// What one source shows. The whole output is begun and finished elsewhere.
  private struct Part: Presenter {
    let output: FleetOutput
    let source: Int

    var hasPending: Bool { output.hasPending }
    var blockedOutput: Descriptor? { output.blockedOutput }
    var isWorthFlushing: Bool { output.isWorthFlushing }
    var nextTick: Moment? { nil }

    func hasRoom(for update: LocationUpdate) -> Bool {
      output.presenter.withLock { $0.hasRoom(for: update, of: source) }
    }

    mutating func begin(at now: Moment) {}

    mutating func present(_ update: LocationUpdate, at moment: Moment) {
      output.presenter.withLock { $0.present(update, of: source, at: moment) }
    }

    mutating func flush(at now: Moment) throws(OutputError) { try output.flush(at: now) }

    mutating func clearLiveLines() { output.clearLiveLines() }

    mutating func finish(waitsForReader: Bool) throws(OutputError) {}
  }
}
