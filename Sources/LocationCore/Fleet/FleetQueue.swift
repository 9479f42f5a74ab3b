import Synchronization

/// The news of all members of a fleet, in the order in which they came.
final class FleetQueue: Sendable {
  /// With so many waiting updates, a member is not read on.
  static let maximumUpdates = 64

  fileprivate struct Member {
    /// How many of its updates wait.
    var count = 0
    /// The task of the member, which waits for room.
    var waiting: CheckedContinuation<Void, Never>?
  }

  fileprivate struct State {
    var news: [(news: FleetNews, moment: Moment)] = []
    /// How many of them were taken.
    var taken = 0
    var members: [Member?] = []
    var reader: CheckedContinuation<Void, Never>?
    /// Whether there was something for the reader while it did not wait.
    var isSignalled = false
    /// When the alarm rings; `nil` if none is set.
    var alarm: Moment?
  }

  private let state = Mutex(State())

  func addMember() -> Int {
    state.withLock { state in
      if let free = state.members.firstIndex(where: { $0 == nil }) {
        state.members[free] = Member()
        return free
      }
      state.members.append(Member())
      return state.members.count - 1
    }
  }

  func remove(_ member: Int) {
    let waiting = state.withLock { state in
      state.news.removeSubrange(..<state.taken)
      state.taken = 0
      state.news.removeAll { $0.news.member == member }
      defer { state.members[member] = nil }
      return state.members[member]?.waiting
    }
    waiting?.resume()
  }

  func interrupt() {
    state.withLock { $0.news.append((.interrupted, .past)) }
    wakeReader()
  }

  // MARK: The members

  /// Iterates a member's updates to their end.
  func fill(
    from updates: LocationUpdates, as member: Int, _ timePassed: (@Sendable (Moment) -> Void)?,
    isolation actor: isolated (any Actor)?
  ) async {
    var updates = updates.makeAsyncIterator()
    var latest = Moment.past
    var hasBegun = false
    var failure: LocationError?
    do throws(LocationError) {
      while case .value(let update, let moment) = try await updates.next(until: nil) {
        if let expiry = updates.expiry ?? (hasBegun ? nil : moment) { timePassed?(expiry) }
        hasBegun = true
        append(.update(update, of: member), at: moment)
        latest = moment
        while case .value(let update, let moment)? = updates.nextQueued(until: nil) {
          append(.update(update, of: member), at: moment)
          latest = moment
        }
        wakeReader()
        await waitForRoom(of: member)
      }
    } catch {
      failure = error
    }
    await updates.close()
    guard !Task.isCancelled else { return }
    append(.ended(failure, of: member), at: latest)
    wakeReader()
  }

  private func append(_ news: FleetNews, at moment: Moment) {
    state.withLock { state in
      guard let member = news.member, state.members[member] != nil else { return }
      state.members[member]?.count += 1
      state.news.append((news, moment))
    }
  }

  private func waitForRoom(of member: Int) async {
    guard state.withLock({ $0.lacksRoom(member) }) else { return }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isToWait = state.withLock { state in
          guard state.lacksRoom(member), !Task.isCancelled else { return false }
          state.members[member]?.waiting = continuation
          return true
        }
        if !isToWait { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.members[member]?.waiting.take() }?.resume()
    }
  }

  // MARK: The reader

  /// How many news wait.
  var count: Int { state.withLock { $0.news.count - $0.taken } }

  /// Returns the next news and when they came; `nil` if there are none.
  func take() -> (FleetNews, Moment)? {
    let (next, waiting) = state.withLock { state in
      let next = state.take()
      guard let member = next?.news.member else {
        return (next, CheckedContinuation<Void, Never>?.none)
      }
      state.members[member]?.count -= 1
      return (next, state.lacksRoom(member) ? nil : state.members[member]?.waiting.take())
    }
    waiting?.resume()
    return next
  }

  /// Waits until there may be news, the alarm rang, or the task is cancelled.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isToWait = state.withLock { state in
          guard !state.isSignalled, !Task.isCancelled else {
            state.isSignalled = false
            return false
          }
          state.reader = continuation
          return true
        }
        if !isToWait { continuation.resume() }
      }
    } onCancel: {
      wakeReader()
    }
  }

  /// Wakes the reader at a moment, or earlier.
  func ring(at moment: Moment, by clock: LocationClock, on executor: (any TaskExecutor)?) {
    let isNew = state.withLock { state in
      if let alarm = state.alarm, alarm <= moment { return false }
      state.alarm = moment
      return true
    }
    guard isNew else { return }
    Task(executorPreference: executor) { [weak self] in
      guard await clock.sleep(until: moment) else { return }
      self?.endAlarm(of: moment)
    }
  }

  private func endAlarm(of moment: Moment) {
    state.withLock { if $0.alarm == moment { $0.alarm = nil } }
    wakeReader()
  }

  private func wakeReader() {
    let reader = state.withLock { state in
      if state.reader == nil { state.isSignalled = true }
      return state.reader.take()
    }
    reader?.resume()
  }
}

extension FleetQueue.State {
  fileprivate func lacksRoom(_ member: Int) -> Bool {
    (members[member]?.count ?? 0) >= FleetQueue.maximumUpdates
  }

  fileprivate mutating func take() -> (news: FleetNews, moment: Moment)? {
    guard taken < news.count else { return nil }
    let next = news[taken]
    taken += 1
    if taken == news.count {
      news.removeAll(keepingCapacity: true)
      taken = 0
    } else if taken >= FleetQueue.maximumUpdates, taken >= news.count / 2 {
      // Otherwise a queue that is never empty would grow without limit.
      news.removeFirst(taken)
      taken = 0
    }
    return next
  }
}
