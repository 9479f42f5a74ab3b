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

    /// The instant so much later.
    public func advanced(by duration: Swift.Duration) -> Instant {
      Instant(offset: offset + duration)
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

  fileprivate struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    var sleepers: [Int: Sleeper] = [:]
    /// Those that were cancelled before they slept.
    var cancelled: Set<Int> = []
    var watchers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []
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
    let id = state.withLock { state in
      defer { state.nextID += 1 }
      return state.nextID
    }
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
  /// It does not wait for what they do then.
  public func advance(by duration: Swift.Duration) {
    let due = state.withLock { state in
      state.now = state.now.advanced(by: duration)
      let due = state.sleepers.filter { $0.value.deadline <= state.now }
      for id in due.keys { state.sleepers[id] = nil }
      return due.values.sorted { $0.deadline < $1.deadline }
    }
    for sleeper in due { sleeper.continuation.resume(returning: true) }
  }

  /// Waits until so many tasks sleep on this clock: time is worth moving only when somebody notices.
  ///
  /// - Parameter count: How many, at the least.
  public func waitForSleepers(_ count: Int = 1) async {
    await withCheckedContinuation { continuation in
      state.withLock { state in
        state.watchers.append((count, continuation))
        state.resumeWatchers()
      }
    }
  }
}

extension ManualClock.State {
  fileprivate mutating func resumeWatchers() {
    watchers.removeAll { watcher in
      guard sleepers.count >= watcher.count else { return false }
      watcher.continuation.resume()
      return true
    }
  }
}
