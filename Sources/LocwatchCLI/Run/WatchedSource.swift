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
  /// Called when the user asks for another attempt.
  let retry: @Sendable () -> Void
  /// Called with each fix of the source, whether or not the fix counts.
  let didFix: @Sendable (LocationFix) -> Void
  /// Called when the source has ended.
  let didEnd: @Sendable () -> Void
  /// Returns when the replayed part of a recording begins, or `nil` while this is not known; `nil` for a source
  /// without such a part.
  let beginning: (@Sendable () -> Moment?)?

  package init(
    _ plan: SourcePlan, updates: LocationUpdates, clock: LocationClock,
    beginning: (@Sendable () -> Moment?)? = nil, retry: @escaping @Sendable () -> Void = {},
    didFix: @escaping @Sendable (LocationFix) -> Void = { _ in },
    didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.plan = plan
    self.updates = updates
    self.clock = clock
    self.beginning = beginning
    self.retry = retry
    self.didFix = didFix
    self.didEnd = didEnd
  }

  var name: String { plan.style.records.source ?? "" }
}

/// Sources that are added to a run, or removed from it, while it continues.
final class SourceChanges: Sendable {
  enum Change: Sendable {
    case add(WatchedSource)
    case remove(String)
    /// Makes sources that wait for their receivers look for them now.
    case retry
  }

  /// The updates of the sources that were added.
  let updates: FleetUpdates
  private let changes = Mutex<[Change]>([])

  init(of updates: FleetUpdates) { self.updates = updates }

  /// Requests changes, which are made together. It can be called from any thread.
  func request(_ changes: [Change]) {
    self.changes.withLock { $0 += changes }
    updates.interrupt()
  }

  /// Requests the changes from one list of targets to another, and another attempt to open receivers that
  /// could not be opened.
  func request(_ changes: TargetList.Changes, _ source: (NamedTarget) -> WatchedSource) {
    request(
      changes.gone.map { .remove($0.name) } + [.retry] + changes.added.map { .add(source($0)) })
  }

  var isEmpty: Bool { changes.withLock(\.isEmpty) }

  func takeAll() -> [Change] {
    changes.withLock { changes in
      defer { changes = [] }
      return changes
    }
  }
}
