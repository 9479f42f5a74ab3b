package import LocationCore
package import LocwatchSystem
import Synchronization

/// A serial receiver that is one of several sources. While it cannot be opened, the source has no device.
///
/// The reason is reported when it changes. The receiver is looked for again after 1, 2, 4, 8 and 16 s, then every
/// 30 s, each time ±20 %.
package struct RetryingReceiver: LocationProvider {
  let search: ReceiverSearch
  package let clock: LocationClock
  /// When a receiver that cannot be opened is looked for again.
  let retries: RetryPolicy
  /// Returns the provider that reads a receiver that was found.
  let provider: @Sendable (LiveTarget) -> any LocationProvider

  package init(
    search: ReceiverSearch, clock: LocationClock, retries: RetryPolicy = RetryPolicy(),
    provider: @escaping @Sendable (LiveTarget) -> any LocationProvider
  ) {
    self.search = search
    self.clock = clock
    self.retries = retries
    self.provider = provider
  }

  package var receiversReportTime: Bool { true }

  package func connection(for request: LocationRequest) -> Connection {
    Connection(receiver: self, request: request)
  }

  /// A connection that looks for the receiver first.
  package struct Connection: LocationConnection {
    private let receiver: RetryingReceiver
    private let request: LocationRequest
    private var backoff: Backoff
    /// When to look again; `nil` to look at once.
    private var due: Moment?
    /// The connection to the receiver that was found.
    private var found: (any LocationConnection)?
    private var isOver = false

    fileprivate init(receiver: RetryingReceiver, request: LocationRequest) {
      self.receiver = receiver
      self.request = request
      backoff = Backoff(receiver.retries)
    }

    /// Waits for the next events of the receiver. Looking for it may take longer than the deadline
    /// allows, by the 1.5 s of ``SystemDaemon``.
    package mutating func next(
      until deadline: Moment?
    ) async throws(LocationError) -> TimedRead<[TimedEvent]> {
      while !isOver, !Task.isCancelled {
        if found != nil { return try await found?.next(until: deadline) ?? .ended }
        if let due {
          let wake = due.earlier(of: deadline)
          guard await receiver.clock.sleep(until: wake) else { break }
          if wake < due { return .timedOut(at: receiver.clock.now) }
        }
        if let event = try await look() { return .event(event, at: receiver.clock.now) }
      }
      isOver = true
      return .ended
    }

    package mutating func poll() -> [TimedEvent]? { isOver ? nil : found?.poll() }

    package mutating func arrival(before deadline: Moment?) -> ArrivalWait? {
      isOver ? nil : found?.arrival(before: deadline)
    }

    package mutating func close() async {
      isOver = true
      await found?.close()
    }

    /// Looks for the receiver.
    ///
    /// - Returns: That there is none; `nil` if it was found, or the search has ended.
    private mutating func look() async throws(LocationError) -> LocationEvent? {
      do throws(Failure) {
        if let target = try await receiver.search.target() {
          found = receiver.provider(target).connection(for: request)
        } else {
          isOver = true
        }
        return nil
      } catch {
        let isMissing = error.status == .noInput
        guard isMissing, let delay = backoff.nextDelay() else {
          isOver = true
          if !receiver.retries.delays.isEmpty { receiver.search.report(error.message) }
          throw LocationError(isMissing ? .cannotOpen : .unreachable, error.message.text)
        }
        receiver.search.report(error.message)
        due = receiver.clock.now.advanced(by: delay)
        return .receivers([])
      }
    }
  }
}

/// The search for the receiver of a target, over all connections to it.
package final class ReceiverSearch: Sendable {
  private struct State {
    var target: LiveTarget?
    var isOver = false
    /// The last reported message.
    var message: Message?
  }

  private let state = Mutex(State())
  private let resolve: @Sendable () async throws(Failure) -> LiveTarget
  private let say: @Sendable (Message) -> Void

  /// - Parameters:
  ///   - say: Reports why the receiver cannot be opened.
  ///   - resolve: Returns the gpsd of the receiver, which may be one that is started for it.
  package init(
    say: @escaping @Sendable (Message) -> Void,
    resolve: @escaping @Sendable () async throws(Failure) -> LiveTarget
  ) {
    self.say = say
    self.resolve = resolve
  }

  /// Ends the search, and stops a gpsd that was started for the receiver.
  package func end() {
    let target = state.withLock { state in
      state.isOver = true
      return state.target.take()
    }
    target?.end()
  }

  /// Returns the gpsd of the receiver, which it looks for until it has found one; `nil` after ``end()``, or if the
  /// task is cancelled.
  fileprivate func target() async throws(Failure) -> LiveTarget? {
    if let target = state.withLock(\.target) { return target }
    let target = try await resolve()
    let isWanted = state.withLock { state in
      guard !state.isOver, !Task.isCancelled else { return false }
      state.target = target
      state.message = nil
      return true
    }
    if !isWanted { target.end() }
    return isWanted ? target : nil
  }

  /// Reports why the receiver cannot be opened, unless the last report was the same.
  fileprivate func report(_ message: Message) {
    let isNew = state.withLock { state in
      defer { state.message = message }
      return !state.isOver && state.message != message
    }
    if isNew { say(message) }
  }
}

extension LocationError.Code {
  /// The serial receiver does not exist, or may not be opened.
  package static let cannotOpen = LocationError.Code(rawValue: "cannotOpen")
}
