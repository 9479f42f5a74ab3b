/// An asynchronous sequence of the updates of several providers, each with its provider's name.
///
/// ```swift
/// let fleet = LocationFleet([
///   ("bow", GPSDLocationSource(endpoint: GPSDEndpoint(host: "bow.local"))),
///   ("stern", GPSDLocationSource(endpoint: GPSDEndpoint(host: "stern.local"))),
/// ])
/// for await (name, update) in fleet {
///   if case .fix(let fix) = update { print(name, fix.coordinate) }
/// }
/// ```
///
/// Each provider has its own connections, states and retries: a failure of one neither delays nor ends the others.
/// The updates of one provider keep their order. Updates of different providers are returned in the order in which
/// they arrived. While 64 updates of a provider are waiting to be read, the provider itself is not read.
///
/// The sequence throws no error. If the retry policy gives up on a provider, its last update is a change to
/// ``LocationState/noService`` or a ``LocationUpdate/retry(_:)``, whose `retryIn` is `nil`; the others continue. The
/// sequence ends when every provider has ended, or the iterating task is cancelled. Each iteration opens its own
/// connections.
public struct LocationFleet: AsyncSequence, Sendable {
  /// The name of a provider, and its update.
  public typealias Element = (name: String, update: LocationUpdate)
  /// The sequence throws no error.
  public typealias Failure = Never

  /// A provider's updates, under a name.
  struct Member: Sendable {
    let name: String
    let updates: LocationUpdates
  }

  private let members: [Member]

  /// Creates a sequence of the updates of several providers.
  ///
  /// - Parameters:
  ///   - providers: The providers, under names that may repeat.
  ///   - request: Which fixes to report.
  ///   - staleAfter: The silence after which a fix is no longer current. `nil` means 5 s or three of
  ///     the receiver's own intervals, whichever is longer, and 65 s until its second report.
  ///   - retries: When to connect again after a failure.
  public init(
    _ providers: [(name: String, provider: any LocationProvider)],
    _ request: LocationRequest = LocationRequest(), staleAfter: Duration? = nil,
    retries: RetryPolicy = RetryPolicy()
  ) {
    members = providers.map { name, provider in
      Member(
        name: name, updates: provider.updates(request, staleAfter: staleAfter, retries: retries))
    }
  }

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(members) }

  /// An iterator over the updates of all providers, with its own connections.
  public struct AsyncIterator: AsyncIteratorProtocol {
    /// The members that are not iterated yet.
    private var unstarted: [Member]
    private var names: [String] = []
    /// How many members have not ended.
    private var live: Int
    private var updates = FleetUpdates()

    fileprivate init(_ members: [Member]) {
      unstarted = members
      live = members.count
    }

    /// Returns the next update and the name of its provider; `nil` when all providers have ended or
    /// the task is cancelled.
    public mutating func next() async -> Element? { await next(isolation: #isolation) }

    /// Returns the next update and the name of its provider; `nil` when all providers have ended or
    /// the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await nextTimed(isolation: actor).map { ($0.name, $0.update.update) }
    }

    fileprivate mutating func nextTimed(
      isolation actor: isolated (any Actor)?
    ) async -> (name: String, update: TimedUpdate)? {
      for member in unstarted {
        updates.add(member.updates, on: actor)
        names.append(member.name)
      }
      unstarted = []
      while live > 0, case .value(let news, let moment) = await updates.next(until: nil, by: .live)
      {
        switch news {
        case .update(let update, let member):
          return (names[member], TimedUpdate(update, at: moment))
        case .ended: live -= 1
        case .interrupted: break
        }
      }
      live = 0
      await updates.close()
      return nil
    }
  }
}

extension LocationFleet {
  /// The updates with the moments at which they arrived, by the clocks of their providers. A ``LocationMonitor``
  /// needs these moments.
  ///
  /// A loop over this sequence cannot wake a monitor at its ``LocationMonitor/deadline`` while nothing arrives. If
  /// this matters, use ``LocationProvider/events(of:for:staleAfter:retries:)`` of each provider.
  public var timed: some AsyncSequence<(name: String, update: TimedUpdate), Never> & Sendable {
    TimedFleet(fleet: self)
  }
}

/// The updates of a fleet with their moments.
private struct TimedFleet: AsyncSequence, Sendable {
  typealias Element = (name: String, update: TimedUpdate)
  typealias Failure = Never

  let fleet: LocationFleet

  func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: fleet.makeAsyncIterator()) }

  struct AsyncIterator: AsyncIteratorProtocol {
    var updates: LocationFleet.AsyncIterator

    mutating func next() async -> Element? { await next(isolation: #isolation) }

    mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
      await updates.nextTimed(isolation: actor)
    }
  }
}
