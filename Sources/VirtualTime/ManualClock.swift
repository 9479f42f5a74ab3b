import Synchronization

/// A clock that advances only when a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// let task = Task { try await search.results(for: "a", timeout: .seconds(5), clock: clock) }
/// await clock.waitForSleepers()
/// clock.jump(by: .seconds(5))
/// ```
public final class ManualClock: Clock {
  /// A point in time, by its distance from the clock's beginning.
  public struct Instant: InstantProtocol {
    let offset: Swift.Duration

    package init(offset: Swift.Duration) { self.offset = offset }

    /// The largest offset that a moment can represent.
    private static let limit = Swift.Duration.nanoseconds(Int64.max)

    /// Whether no clock goes there by itself: who sleeps until then sleeps for ever.
    fileprivate var isNever: Bool { offset >= Self.limit }

    /// Returns the instant that is later by a duration, limited to 292 years from the beginning.
    public func advanced(by duration: Swift.Duration) -> Instant {
      let sum = offset + min(max(duration, .zero - Self.limit), Self.limit)
      return Instant(offset: min(max(sum, .zero - Self.limit), Self.limit))
    }

    /// Returns the duration until `other`; negative if `other` is earlier.
    public func duration(to other: Instant) -> Swift.Duration { other.offset - offset }

    /// Returns whether `lhs` is earlier than `rhs`.
    public static func < (lhs: Instant, rhs: Instant) -> Bool { lhs.offset < rhs.offset }
  }

  fileprivate struct Sleeper {
    let id: Int
    let deadline: Instant
    let place: Int
    let continuation: CheckedContinuation<Bool, Never>
    /// The number of the task that sleeps.
    let task: UInt64
    /// Whether the sleeper is about to be woken, unless its task is cancelled before.
    var isDue = false

    /// Sleepers are woken in the order of their deadlines, then of their places, then of their beginnings.
    func isBefore(_ other: Sleeper) -> Bool {
      (deadline, place, id) < (other.deadline, other.place, other.id)
    }
  }

  fileprivate struct Watcher {
    let id: Int
    let count: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  fileprivate struct State {
    var now = Instant(offset: .zero)
    var nextID = 0
    /// In the order in which they are woken.
    var sleepers: [Sleeper] = []
    /// Tasks that wait for sleepers, in the order in which they began, with IDs from the same sequence.
    var watchers: [Watcher] = []
  }

  /// The time of day at the clock's beginning, since 1970.
  package let start: Swift.Duration
  private let state = Mutex(State())

  /// When the next sleeper is due; `nil` if no task sleeps, or only for ever.
  package var nextDeadline: Instant? {
    state.withLock { $0.nextDeadline }.flatMap { $0.isNever ? nil : $0 }
  }

  /// The number of tasks that sleep on this clock.
  ///
  /// It is zero when every task that a test started has ended, or waits for something other than time:
  ///
  /// ```swift
  /// await clock.settle()
  /// #expect(clock.sleeperCount == 0)  // No timer was left behind.
  /// ```
  public var sleeperCount: Int { state.withLock(\.sleeperCount) }

  /// Creates a clock that stands still.
  public convenience init() { self.init(since1970: .seconds(1_800_000_000)) }

  package init(since1970 start: Swift.Duration) { self.start = start }

  /// How far the clock has advanced since its beginning.
  public var elapsed: Swift.Duration { now.offset }

  /// The current instant.
  public var now: Instant { state.withLock(\.now) }

  /// The minimum resolution, which is zero.
  public var minimumResolution: Swift.Duration { .zero }

  /// Suspends until the clock reaches `deadline`. Returns at once if the deadline has passed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Instant, tolerance: Swift.Duration? = nil) async throws {
    let id = state.withLock { $0.makeID() }
    let letsOthersRun = World.current?.noteSleep(on: self) == true
    var isInVain = false
    let isOver = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let (result, watchers): (Bool?, [Watcher]) = state.withLock { state in
          if Task.isCancelled { return (false, []) }
          if deadline <= state.now { return (true, []) }
          state.add(
            Sleeper(
              id: id, deadline: deadline, place: WakingOrder.place, continuation: continuation,
              task: RuntimeTask.current?.number ?? 0))
          return (nil, state.takeWatchers())
        }
        if let result {
          isInVain = true
          continuation.resume(returning: result)
        }
        for watcher in watchers { watcher.continuation.resume(returning: true) }
      }
    } onCancel: {
      state.withLock { $0.remove(id) }?.continuation.resume(returning: false)
    }
    // A loop of such sleeps would keep all other tasks from running.
    if isInVain, letsOthersRun { await Task.yield() }
    if !isOver { throw CancellationError() }
  }

  /// Advances the clock and resumes the sleepers that are due, in the order of their deadlines. If several have the
  /// same deadline, those that began first are resumed first.
  ///
  /// It does not wait for the resumed tasks to run, so it skips deadlines that they would set on the way;
  /// ``advance(by:)`` stops at them. A negative duration has no effect.
  public func jump(by duration: Swift.Duration) {
    let due = state.withLock { state in
      let now = state.now.advanced(by: max(.zero, duration))
      state.now = now
      return state.makeDue { $0.deadline <= now }
    }
    for sleeper in due { wake(sleeper) }
  }

  /// Wakes a sleeper: in virtual time, as one of the tasks that are ready.
  private func wake(_ sleeper: Sleeper) {
    let wake: RestList.Wake = { [self] in
      state.withLock { $0.remove(sleeper.id) }?.continuation.resume(returning: true)
    }
    if let world = World.current { world.add(wake, of: sleeper.task) } else { wake() }
  }

  /// Advances the clock to the next deadline, if that is not after a limit, and resumes the sleepers that are due
  /// then: all of the first ``WakingOrder`` among them.
  ///
  /// - Returns: `false` if no task sleeps until then.
  @discardableResult func wakeNext(until limit: Instant? = nil) -> Bool {
    let due: [Sleeper] = state.withLock { state in
      guard let first = state.sleepers.first(where: { !$0.isDue }), !first.deadline.isNever,
        first.deadline <= limit ?? first.deadline
      else { return [] }
      state.now = max(state.now, first.deadline)
      return state.makeDue { $0.place == first.place && $0.deadline == first.deadline }
    }
    for sleeper in due { wake(sleeper) }
    return !due.isEmpty
  }

  /// Waits until a number of tasks sleep on this clock, so that advancing it has an effect.
  ///
  /// - Parameters:
  ///   - count: The minimum number of sleeping tasks.
  ///   - limit: How long to wait, in real time; `nil` waits without a limit. In virtual time, a limit is also reached
  ///     when all tasks are waiting, and no other test code waits for this.
  /// - Returns: `true` when enough tasks sleep; `false` if the limit was reached or the task was
  ///   cancelled first.
  @discardableResult
  public func waitForSleepers(
    _ count: Int = 1, atMost limit: Swift.Duration? = .seconds(30)
  ) async -> Bool {
    let id = state.withLock { $0.makeID() }
    var endLimit: (() -> Void)?
    defer { endLimit?() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let watchers = state.withLock { state in
          state.watchers.append(Watcher(id: id, count: count, continuation: continuation))
          return state.takeWatchers()
        }
        for watcher in watchers { watcher.continuation.resume(returning: true) }
        // A limit of zero gives the watcher up at once, so it must be there.
        endLimit = limit.map { limit in
          Patience.current.limit(after: limit) { [self] in giveUpWatcher(id) }
        }
        if Task.isCancelled { giveUpWatcher(id) }
      }
    } onCancel: {
      giveUpWatcher(id)
    }
  }

  /// A cancellation holds a lock of the task while it waits for the state's lock, so nothing is resumed inside it.
  private func giveUpWatcher(_ id: Int) {
    let watcher = state.withLock { state in
      state.watchers.firstIndex { $0.id == id }.map { state.watchers.remove(at: $0) }
    }
    watcher?.continuation.resume(returning: false)
  }
}

extension ManualClock.State {
  fileprivate mutating func makeID() -> Int {
    defer { nextID += 1 }
    return nextID
  }

  fileprivate mutating func add(_ sleeper: ManualClock.Sleeper) {
    let place = sleepers.lastIndex { $0.isBefore(sleeper) }
    sleepers.insert(sleeper, at: place.map { $0 + 1 } ?? 0)
  }

  fileprivate mutating func remove(_ id: Int) -> ManualClock.Sleeper? {
    sleepers.firstIndex { $0.id == id }.map { sleepers.remove(at: $0) }
  }

  /// When the next sleeper is due that is not yet.
  fileprivate var nextDeadline: ManualClock.Instant? { sleepers.first { !$0.isDue }?.deadline }

  /// How many tasks sleep until a later moment.
  fileprivate var sleeperCount: Int { sleepers.count { !$0.isDue } }

  /// Marks the sleepers that are due now, and returns them.
  fileprivate mutating func makeDue(
    _ isDue: (ManualClock.Sleeper) -> Bool
  ) -> [ManualClock.Sleeper] {
    let places = sleepers.indices.filter { !sleepers[$0].isDue && isDue(sleepers[$0]) }
    for place in places { sleepers[place].isDue = true }
    return places.map { sleepers[$0] }
  }

  /// Removes the watchers for which enough tasks sleep, and returns them.
  fileprivate mutating func takeWatchers() -> [ManualClock.Watcher] {
    let count = sleeperCount
    let done = watchers.filter { $0.count <= count }
    watchers.removeAll { $0.count <= count }
    return done
  }
}

/// The order in which a ``ManualClock`` wakes those that sleep until the same moment.
///
/// What plays the outside world comes first, in the order in which it was made: the order does not depend on which of
/// its tasks slept first. All others have the same place, and are woken together.
package enum WakingOrder {
  /// The place of what the current task sleeps for.
  @TaskLocal package static var place = Int.max

  private static let count = Atomic(0)

  /// Returns a place after all others so far.
  package static func nextPlace() -> Int {
    count.add(1, ordering: .relaxed).newValue
  }
}
