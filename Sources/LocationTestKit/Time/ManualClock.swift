public import LocationCore
import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await source.currentLocation(timeout: .seconds(5)) }
/// await clock.waitForSleepers()
/// clock.advance(by: .seconds(5))
/// ```
public final class ManualClock: Clock {
  /// A point on the clock, by its distance from the beginning.
  public struct Instant: InstantProtocol {
    fileprivate var offset: Swift.Duration

    /// Beyond it there are no moments.
    private static let limit = Swift.Duration.nanoseconds(Int64.max)

    /// The instant so much later, up to 292 years from the beginning.
    public func advanced(by duration: Swift.Duration) -> Instant {
      let sum = offset + min(max(duration, .zero - Self.limit), Self.limit)
      return Instant(offset: min(max(sum, .zero - Self.limit), Self.limit))
    }

    /// How much later `other` is; negative when it is earlier.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    /// Whether `lhs` is earlier.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  fileprivate struct Sleeper {
    var deadline: Instant
    var continuation: CheckedContinuation<Bool, Never>
  }

  fileprivate struct Watcher {
    var count: Int
    var continuation: CheckedContinuation<Bool, Never>
  }

  fileprivate struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Those that were cancelled before they slept.
    var cancelled: Set<Int> = []
    /// Those that wait for sleepers, by numbers of the same kind.
    var watchers: [Int: Watcher] = [:]
  }

  private let start: Timestamp
  private let state = Mutex(State())

  /// - Parameter start: The time of day at which it stands.
  public init(start: Timestamp = Timestamp(secondsSince1970: 1_800_000_000)) {
    self.start = start
  }

  /// Where it stands.
  public var now: Instant { state.withLock { $0.now } }
  /// Zero: it can be moved by as little as a test likes.
  public var minimumResolution: Swift.Duration { .zero }

  /// The same time for everything that takes a `LocationClock`.
  public var locationClock: LocationClock {
    LocationClock(
      now: { [self] in
        let offset = now.offset
        return Moment(uptime: offset, wall: start.advanced(by: offset))
      },
      sleepUntil: { [self] in try await sleep(until: Instant(offset: $0.uptime)) })
  }

  /// Waits until the clock was moved to `deadline`; not at all where that has passed.
  ///
  /// - Throws: `CancellationError` where the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let id = state.withLock { $0.makeID() }
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let result: Bool? = state.withLock { state in
          if state.cancelled.remove(id) != nil { return false }
          if deadline <= state.now { return true }
          state.sleepers[id] = Sleeper(deadline: deadline, continuation: continuation)
          state.resumeWatchers()
          return nil
        }
        if let result { continuation.resume(returning: result) }
      }
    } onCancel: {
      let sleeper = state.withLock { state in
        let sleeper = state.sleepers.removeValue(forKey: id)
        if sleeper == nil { state.cancelled.insert(id) }
        return sleeper
      }
      sleeper?.continuation.resume(returning: false)
    }
    if !isOver { throw CancellationError() }
  }

  /// Moves time on, and wakes in order those whose time has come.
  ///
  /// It does not wait for what they do then. Time does not go back: a negative duration moves nothing.
  public func advance(by duration: Swift.Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: max(.zero, duration))
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Waits until so many tasks sleep on this clock: time is worth moving only when somebody notices.
  ///
  /// It ends when its task is cancelled, as it is when the time limit of a test is over.
  ///
  /// - Parameter count: How many, at the least.
  /// - Returns: Whether so many sleep; `false` where the task was cancelled before.
  @discardableResult
  public func waitForSleepers(_ count: Int = 1) async -> Bool {
    let id = state.withLock { $0.makeID() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        state.withLock { state in
          state.watchers[id] = ManualClock.Watcher(count: count, continuation: continuation)
          state.resumeWatchers()
          if Task.isCancelled { state.giveUpWatcher(id) }
        }
      }
    } onCancel: {
      state.withLock { $0.giveUpWatcher(id) }
    }
  }
}

extension ManualClock.State {
  fileprivate mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  fileprivate mutating func resumeWatchers() {
    for (id, watcher) in watchers where watcher.count <= sleepers.count {
      watchers[id] = nil
      watcher.continuation.resume(returning: true)
    }
  }

  fileprivate mutating func giveUpWatcher(_ id: Int) {
    watchers.removeValue(forKey: id)?.continuation.resume(returning: false)
  }
}
