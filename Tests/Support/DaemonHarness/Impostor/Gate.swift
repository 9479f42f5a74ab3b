import Synchronization

/// What a test opens, for a script to go on.
package final class Gate: Sendable {
  private let state = Mutex(false)

  package init() {}

  package var isOpen: Bool { state.withLock(\.self) }

  package func open() { state.withLock { $0 = true } }
}
