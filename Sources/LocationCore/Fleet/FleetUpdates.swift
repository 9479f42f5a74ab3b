import Synchronization

/// The updates of several sequences, which are iterated at the same time.
///
/// Each sequence is a member with a number. It is iterated in a task of its own, on the actor that
/// adds it, which hands its updates to a ``FleetQueue``.
package struct FleetUpdates: Sendable {
  private let queue = FleetQueue()
  private let tasks = MemberTasks()
  private let executor: (any TaskExecutor)?

  /// - Parameter executor: Where the members run by preference; `nil` for the shared thread pool.
  package init(on executor: (any TaskExecutor)? = nil) { self.executor = executor }

  /// Adds a member and begins to iterate it.
  ///
  /// - Parameters:
  ///   - actor: Where the member runs; `nil` for the executor of the fleet.
  ///   - timePassed: Called with the current moment before the first update, and before each update
  ///     that only the passing of time has caused.
  ///   - linkFailed: Called before the update that reports a failed link.
  /// - Returns: The number of the member. The number of a removed member is used again.
  @discardableResult
  package func add(
    _ updates: LocationUpdates, on actor: (any Actor)?,
    timePassed: (@Sendable (Moment) -> Void)? = nil,
    linkFailed: (@Sendable (StateChange) -> Void)? = nil
  ) -> Int {
    let seat = queue.addMember()
    let task = Task(executorPreference: executor) { [queue] in
      await queue.fill(from: updates, as: seat, timePassed, linkFailed, isolation: actor)
    }
    tasks.add(task, of: seat.number)
    return seat.number
  }

  /// Ends the iteration of a member, and drops its queued updates.
  package func remove(_ member: Int) {
    queue.remove(member)
    tasks.end(member)
  }

  /// Makes the reader return ``FleetNews/interrupted``. It can be called from any thread.
  package func interrupt() { queue.interrupt() }

  /// Returns the next news.
  ///
  /// - Parameters:
  ///   - deadline: When to stop waiting; `nil` waits without a limit.
  ///   - clock: The clock of the deadline.
  /// - Returns: The news; ``TimedRead/timedOut(at:)`` if there were none by the deadline;
  ///   ``TimedRead/ended`` if the task is cancelled.
  package func next(until deadline: Moment?, by clock: LocationClock) async -> TimedRead<FleetNews>
  {
    while !Task.isCancelled {
      if let (news, moment) = queue.take() { return .value(news, at: moment) }
      if let deadline {
        let now = clock.now
        // The clock of a replay may have advanced in the meantime, and the replay with it.
        if let (news, moment) = queue.take() { return .value(news, at: moment) }
        if deadline <= now { return .timedOut(at: now) }
        queue.ring(at: deadline, by: clock, on: executor)
      }
      await queue.wait()
    }
    return .ended
  }

  /// Returns queued news; `nil` if there are none.
  package func nextQueued() -> TimedRead<FleetNews>? {
    guard !Task.isCancelled, let (news, moment) = queue.take() else { return nil }
    return .value(news, at: moment)
  }

  /// Ends all connections.
  package func close() async {
    for task in tasks.all { task.cancel() }
    for task in tasks.all { await task.value }
    await queue.cancelAlarm()
  }
}

/// What the reader of a fleet receives.
package enum FleetNews: Sendable {
  case update(LocationUpdate, of: Int)
  /// The member has ended, with the error of its last failure if there was one.
  case ended(LocationError?, of: Int)
  /// ``FleetUpdates/interrupt()`` was called.
  case interrupted

  package var member: Int? {
    switch self {
    case .update(_, let member), .ended(_, let member): member
    case .interrupted: nil
    }
  }
}

/// The tasks of the members. Deinitialization cancels them, because a loop that is left early does not
/// close its iterator.
private final class MemberTasks: Sendable {
  private struct State {
    var tasks: [Int: Task<Void, Never>] = [:]
    /// The tasks of members that were removed, which may not have ended yet.
    var cancelled: [Task<Void, Never>] = []
  }

  private let state = Mutex(State())

  func add(_ task: Task<Void, Never>, of member: Int) {
    state.withLock { $0.tasks[member] = task }
  }

  func end(_ member: Int) {
    state.withLock { state in
      guard let task = state.tasks.removeValue(forKey: member) else { return }
      task.cancel()
      // One that has ended is no longer of interest, so that the list does not grow.
      if state.cancelled.count == 2 * Self.maximumCancelled {
        state.cancelled.removeFirst(Self.maximumCancelled)
      }
      state.cancelled.append(task)
    }
  }

  /// The number of cancelled members that are awaited at the end; up to twice as many can wait.
  private static let maximumCancelled = 1024

  /// In the order in which the members end.
  var all: [Task<Void, Never>] {
    state.withLock { $0.cancelled + $0.tasks.sorted { $0.key < $1.key }.map(\.value) }
  }

  deinit { for task in all { task.cancel() } }
}
