import Synchronization

/// A gate that a test opens to let a script continue.
package final class Gate: Sendable {
  private let state = Mutex(false)

  package init() {}

  package var isOpen: Bool { state.withLock(\.self) }

  package func open() { state.withLock { $0 = true } }
}
