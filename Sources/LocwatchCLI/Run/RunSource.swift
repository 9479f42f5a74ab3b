package import LocationCore
import LocationFormats
import LocwatchTerminal
import Synchronization

/// A source of a run: its options and its updates.
package struct RunSource: Sendable {
  let options: Options
  let updates: LocationUpdates
  /// The clock of the updates.
  let clock: LocationClock
  /// Called with each fix of the source, whether or not the fix counts; `nil` for nothing.
  let didFix: (@Sendable (LocationFix) -> Void)?
  /// Called when the source has ended.
  let didEnd: @Sendable () -> Void
  /// Returns when the replayed part of a recording begins, or `nil` while this is not known; `nil` for a source
  /// without such a part.
  let beginning: (@Sendable () -> Moment?)?

  package init(
    _ options: Options, updates: LocationUpdates, clock: LocationClock,
    beginning: (@Sendable () -> Moment?)? = nil,
    didFix: (@Sendable (LocationFix) -> Void)? = nil,
    didEnd: @escaping @Sendable () -> Void = {}
  ) {
    self.options = options
    self.updates = updates
    self.clock = clock
    self.beginning = beginning
    self.didFix = didFix
    self.didEnd = didEnd
  }

  var name: String { options.source ?? "" }
}

/// Sources that are added to a run, at its beginning or while it continues.
final class NewSources: Sendable {
  private struct State {
    var sources: [RunSource] = []
    var haveChanged = false
  }

  private let listener: Listener
  private let state = Mutex(State())

  /// - Parameter listener: Where the loop of the run waits.
  init(for listener: Listener) { self.listener = listener }

  /// Adds sources, which begin together. It can be called from any thread.
  func add(_ sources: [RunSource]) {
    state.withLock { $0.sources += sources }
    recordChange()
  }

  /// Makes the loop look whether sources may still appear.
  func recordChange() {
    state.withLock { $0.haveChanged = true }
    listener.interrupt()
  }

  /// Whether there was a change since the sources were taken.
  var haveChanged: Bool { state.withLock(\.haveChanged) }

  func takeAll() -> [RunSource] {
    state.withLock { state in
      defer { state = State() }
      return state.sources
    }
  }
}
