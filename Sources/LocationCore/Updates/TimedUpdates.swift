/// An update, and the moment at which it arrived.
public struct TimedUpdate: Hashable, Sendable {
  /// The update.
  public var update: LocationUpdate
  /// When the update arrived, by the provider's clock. In a replay, that clock may already show a later moment.
  public var moment: Moment

  /// Creates an update that arrived at `moment`.
  public init(_ update: LocationUpdate, at moment: Moment) {
    self.update = update
    self.moment = moment
  }
}

extension TimedUpdate: CustomStringConvertible {
  /// A text for logs and test failures, such as `fix 3D 48.14997, 11.58477 at 3.0 seconds`. Its format
  /// may change.
  public var description: String { "\(update) at \(moment)" }
}

/// An asynchronous sequence of updates with the moments at which they arrived.
///
/// ``LocationUpdates/timed`` returns one:
///
/// ```swift
/// for try await timed in provider.updates().timed {
///   print(timed.moment, timed.update)
/// }
/// ```
public struct TimedUpdates: AsyncSequence, Sendable {
  let updates: LocationUpdates

  /// Returns an iterator that connects on its first `next()`.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(updates: updates.makeAsyncIterator())
  }

  /// An iterator over updates and their moments, with its own connections.
  public struct AsyncIterator: AsyncIteratorProtocol {
    var updates: LocationUpdates.AsyncIterator

    /// Returns the next update, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next() async throws(LocationError) -> TimedUpdate? {
      try await next(isolation: #isolation)
    }

    /// Returns the next update, or `nil` when the provider has nothing more to report or the task is cancelled.
    ///
    /// - Throws: ``LocationError`` if the provider failed and the retry policy gives up.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LocationError) -> TimedUpdate? {
      while true {
        switch try await updates.next(until: nil) {
        case .value(let update, let moment): return TimedUpdate(update, at: moment)
        case .timedOut: continue
        case .ended: return nil
        }
      }
    }
  }
}

extension LocationUpdates {
  /// The updates with the moments at which they arrived.
  public var timed: TimedUpdates { TimedUpdates(updates: self) }
}
