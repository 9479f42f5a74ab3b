package import LocationCore
import LocationFormats
import LocwatchTerminal
import Synchronization

/// A source of a run: its plan and its updates.
package struct WatchedSource: Sendable {
  let plan: SourcePlan
  let updates: LocationUpdates
  /// The clock of the updates.
  let clock: LocationClock
  /// Called with each fix of the source, whether or not the fix counts.
  let didFix: @Sendable (LocationFix) -> Void
  /// Called when the source has ended.
  let didEnd: @Sendable () -> Void
  /// Returns when the replayed part of a recording begins, or `nil` while this is not known; `nil` for a source
  /// without such a part.
  let beginning: (@Sendable () -> Moment?)?

  package init(
    _ plan: SourcePlan, updates: LocationUpdates, clock: LocationClock,
    beginning: (@Sendable () -> Moment?)? = nil,
    didFix: @escaping @Sendable (LocationFix) -> Void = { _ in },
    didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.plan = plan
    self.updates = updates
    self.clock = clock
    self.beginning = beginning
    self.didFix = didFix
    self.didEnd = didEnd
  }

  var name: String { plan.style.records.source ?? "" }
}

/// Sources that are added to a run, at its beginning or while it continues.
final class NewSources: Sendable {
  /// The updates of the sources that were added.
  let updates: FleetUpdates
  private let sources = Mutex<[WatchedSource]>([])

  init(of updates: FleetUpdates) { self.updates = updates }

  /// Adds sources, which begin together. It can be called from any thread.
  func add(_ sources: [WatchedSource]) {
    self.sources.withLock { $0 += sources }
    updates.interrupt()
  }

  var isEmpty: Bool { sources.withLock(\.isEmpty) }

  func takeAll() -> [WatchedSource] {
    sources.withLock { sources in
      defer { sources = [] }
      return sources
    }
  }
}
