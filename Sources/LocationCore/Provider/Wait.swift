import Synchronization

/// What a reader waits for before it polls again: for something that comes, or for a moment, whichever is first.
public struct Wait: Sendable {
  /// What may come; `nil` if only the passing of time matters.
  package var arrival: (any Arrival)?
  /// When to poll in any case, by the provider's clock; `nil` for never.
  public var deadline: Moment?
  /// Moves the time of a connection that has a time of its own, as ``LocationClock/move`` does; `nil` for other
  /// connections.
  package var move: (@Sendable (Moment, Listener) async -> Void)?

  /// Creates a wait.
  ///
  /// - Parameters:
  ///   - bell: Rung when there is something to poll; `nil` if only the passing of time matters.
  ///   - deadline: When to poll in any case, by the provider's clock; `nil` for never.
  public init(for bell: Bell? = nil, until deadline: Moment? = nil) {
    arrival = bell
    self.deadline = deadline
  }

  package init(at arrival: any Arrival, until deadline: Moment? = nil) {
    self.arrival = arrival
    self.deadline = deadline
  }

  /// Moves the deadline to an earlier moment; `nil` leaves it.
  package mutating func end(by moment: Moment?) {
    if let moment { deadline = moment.earlier(of: deadline) }
  }
}

/// Where something may come that a reader waits for: at a descriptor, or from another task or thread.
package protocol Arrival: AnyObject, Sendable {
  /// Tells a listener once that something has come: at once if something has come since the last call. Another listener
  /// replaces one that was not told yet.
  func tell(_ listener: Listener, as number: Int)

  /// Tells the listener now, or the next one at once. It may be called from any thread.
  func signal()
}

/// Ends the wait of a reader when another task or thread has something for it.
///
/// A provider that receives events in callbacks keeps them for ``Pollable/poll(at:)``, rings its bell after each, and
/// returns a wait for that bell.
public final class Bell: Arrival {
  private struct State {
    var isRung = false
    var listener: (listener: Listener, number: Int)?
  }

  private let state = Mutex(State())

  /// Creates a bell that was not rung.
  public init() {}

  /// Ends the wait of the reader, or its next one if it does not wait. It may be called from any thread.
  public func ring() {
    let told = state.withLock { state in
      state.isRung = state.listener == nil
      return state.listener.take()
    }
    told?.listener.hear(told?.number ?? 0)
  }

  package func signal() { ring() }

  package func tell(_ listener: Listener, as number: Int) {
    let wasRung = state.withLock { state in
      defer { state.isRung = false }
      state.listener = state.isRung ? nil : (listener, number)
      return state.isRung
    }
    if wasRung { listener.hear(number) }
  }
}
