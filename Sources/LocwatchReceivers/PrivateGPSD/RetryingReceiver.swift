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
  private let executor: (any TaskExecutor)?

  /// - Parameter executor: Where it is looked for by preference; `nil` for the shared thread pool.
  package init(
    search: ReceiverSearch, clock: LocationClock, retries: RetryPolicy = RetryPolicy(),
    on executor: (any TaskExecutor)? = nil,
    provider: @escaping @Sendable (LiveTarget) -> any LocationProvider
  ) {
    self.search = search
    self.clock = clock
    self.retries = retries
    self.executor = executor
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
    /// The search that continues; `nil` for none.
    private var looking: PolledTask<LiveTarget?, Failure>?
    /// The connection to the receiver that was found.
    private var found: (any LocationConnection)?
    private var isOver = false

    fileprivate init(receiver: RetryingReceiver, request: LocationRequest) {
      self.receiver = receiver
      self.request = request
      backoff = Backoff(receiver.retries)
    }

    package mutating func poll(at now: Moment) throws(LocationError) -> Polled<[TimedEvent]> {
      while !isOver {
        if found != nil { return try found?.poll(at: now) ?? .ended }
        if let due, now < due { return .quiet(at: now) }
        due = nil
        let looking = looking ?? receiver.look()
        self.looking = looking
        guard let result = looking.result else { return .quiet(at: now) }
        self.looking = nil
        switch result {
        case .success(let target?): found = receiver.provider(target).connection(for: request)
        case .success(nil): isOver = true
        case .failure(let failure): return .event(try event(of: failure, at: now), at: now)
        }
      }
      return .ended
    }

    package mutating func wait() -> Wait {
      if let looking { return Wait(for: looking.end) }
      return found?.wait() ?? Wait(until: due)
    }

    package mutating func close() {
      isOver = true
      looking?.cancel()
      found?.close()
    }

    /// Returns the event that there is no receiver, and decides when to look again.
    private mutating func event(
      of failure: Failure, at now: Moment
    ) throws(LocationError) -> LocationEvent {
      let isMissing = failure.status == .noInput
      guard isMissing, let delay = backoff.nextDelay() else {
        isOver = true
        if !receiver.retries.delays.isEmpty { receiver.search.report(failure.message) }
        throw LocationError(isMissing ? .cannotOpen : .unreachable, failure.message.text)
      }
      receiver.search.report(failure.message)
      due = now.advanced(by: delay)
      return .receivers([])
    }
  }

  private func look() -> PolledTask<LiveTarget?, Failure> {
    PolledTask(on: executor) { [search] () throws(Failure) in try await search.target() }
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
