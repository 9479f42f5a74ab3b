import Synchronization

/// The updates and other news of all members of a fleet, in the order of their arrival.
final class FleetQueue: Sendable {
  /// A member is not read while this number of its updates is queued.
  static let maximumUpdates = 64

  /// The place of a member. When the member is removed, its number is used again, but not its serial.
  struct Seat: Equatable, Sendable {
    let number: Int
    fileprivate let serial: UInt64
  }

  fileprivate struct Member {
    let serial: UInt64
    /// The number of its queued updates.
    var count = 0
    /// Rung when there is room again.
    let room = Mailbox<Void>()
  }

  fileprivate struct State {
    var news = Queue<(news: FleetNews, moment: Moment)>()
    var members: [Member?] = []
    /// How many of them were removed.
    var vacancies = 0
    /// The serial of the next member.
    var serial: UInt64 = 0
    /// When the alarm goes off, and the task that waits for it; `nil` if none is set.
    var alarm: (moment: Moment, task: Task<Void, Never>)?
  }

  private let state = Mutex(State())
  /// Rung when there may be something for the reader.
  private let bell = Mailbox<Void>()

  func addMember() -> Seat {
    state.withLock { state in
      let vacancy = state.vacancies == 0 ? nil : state.members.firstIndex { $0 == nil }
      let number = vacancy ?? state.members.count
      if vacancy == nil { state.members.append(nil) } else { state.vacancies -= 1 }
      let seat = Seat(number: number, serial: state.serial)
      state.members[number] = Member(serial: seat.serial)
      state.serial += 1
      return seat
    }
  }

  func remove(_ member: Int) {
    let room = state.withLock { state in
      guard let removed = state.members[member].take() else { return Mailbox<Void>?.none }
      state.vacancies += 1
      // Thousands can be removed at the same time, and most of them have no news.
      if removed.count > 0 { state.news.removeAll { $0.news.member == member } }
      return removed.room
    }
    room?.send(())
  }

  func interrupt() {
    state.withLock { $0.news.append((.interrupted, .past)) }
    bell.send(())
  }

  // MARK: The members

  /// Iterates a member's updates to their end.
  func fill(
    from updates: LocationUpdates, as seat: Seat, _ timePassed: (@Sendable (Moment) -> Void)?,
    _ linkFailed: (@Sendable (StateChange) -> Void)? = nil,
    isolation actor: isolated (any Actor)?
  ) async {
    let input = MemberInput(updates, timePassed, linkFailed)
    do throws(LocationError) {
      while case .value(let update, let moment) = try await input.updates.next(until: nil) {
        append(update, at: moment, andQueuedIn: input, of: seat)
        await waitForRoom(of: seat)
      }
    } catch {
      input.failure = error
    }
    if !Task.isCancelled { appendEnd(of: input, of: seat) }
    // A replay of several recordings continues without one that is closed.
    await input.updates.close()
  }

  @inline(never)
  private func appendEnd(of input: MemberInput, of seat: Seat) {
    let moment = max(input.latest, input.updates.latest)
    append(.ended(input.failure, of: seat.number), at: moment, of: seat)
    bell.send(())
  }

  /// Appends an update and those that are queued behind it.
  @inline(never)
  private func append(
    _ update: LocationUpdate, at moment: Moment, andQueuedIn input: MemberInput, of seat: Seat
  ) {
    input.recordTime(at: moment)
    input.recordFailure(in: update)
    append(.update(update, of: seat.number), at: moment, of: seat)
    while case .value(let update, let moment)? = input.updates.poll(until: nil) {
      input.recordFailure(in: update)
      append(.update(update, of: seat.number), at: moment, of: seat)
      input.latest = moment
    }
    bell.send(())
  }

  /// Appends news of a member, unless it was removed: another one may have its number.
  private func append(_ news: FleetNews, at moment: Moment, of seat: Seat) {
    state.withLock { state in
      guard state.has(seat) else { return }
      state.members[seat.number]?.count += 1
      state.news.append((news, moment))
    }
  }

  private func waitForRoom(of seat: Seat) async {
    while let room = state.withLock({ $0.has(seat) ? $0.missingRoom(of: seat.number) : nil }) {
      guard case .value = await room.take() else { return }
    }
  }

  // MARK: The reader

  /// The number of queued news.
  var count: Int { state.withLock { $0.news.count } }

  /// Returns the next news and when they arrived; `nil` if there are none.
  func take() -> (FleetNews, Moment)? {
    let (next, room) = state.withLock { state in
      let next = state.news.take()
      guard let member = next?.news.member else { return (next, Mailbox<Void>?.none) }
      let room = state.missingRoom(of: member)
      state.members[member]?.count -= 1
      return (next, state.missingRoom(of: member) == nil ? room : nil)
    }
    room?.send(())
    return next
  }

  /// Waits until there may be news, the alarm has gone off, or the task is cancelled.
  func wait() async { _ = await bell.take() }

  /// Wakes the reader at a moment, or earlier.
  func ring(at moment: Moment, by clock: LocationClock, on executor: (any TaskExecutor)?) {
    state.withLock { state in
      if let alarm = state.alarm, alarm.moment <= moment { return }
      state.alarm?.task.cancel()
      let task = Task(executorPreference: executor) { [weak self] in
        guard await clock.sleep(until: moment) else { return }
        self?.endAlarm(of: moment)
      }
      state.alarm = (moment, task)
    }
  }

  /// Ends the task of the alarm, which would otherwise outlive the loop on which it runs.
  func cancelAlarm() async {
    let task = state.withLock { $0.alarm.take()?.task }
    task?.cancel()
    await task?.value
  }

  deinit { state.withLock { $0.alarm?.task.cancel() } }

  private func endAlarm(of moment: Moment) {
    state.withLock { if $0.alarm?.moment == moment { $0.alarm = nil } }
    bell.send(())
  }
}

/// The updates of a member, in its task.
///
/// A class, because the frame of a task that waits would have several copies of the iterator.
private final class MemberInput {
  fileprivate var updates: LocationUpdates.AsyncIterator
  /// When the last update arrived.
  fileprivate var latest = Moment.past
  fileprivate var failure: LocationError?
  private let timePassed: (@Sendable (Moment) -> Void)?
  private let linkFailed: (@Sendable (StateChange) -> Void)?
  private var hasBegun = false

  /// - Parameters: See ``FleetUpdates/add(_:on:timePassed:linkFailed:)``.
  @inline(never)
  init(
    _ updates: LocationUpdates, _ timePassed: (@Sendable (Moment) -> Void)?,
    _ linkFailed: (@Sendable (StateChange) -> Void)?
  ) {
    self.updates = updates.makeAsyncIterator()
    self.updates.closesAtEnd = false
    self.timePassed = timePassed
    self.linkFailed = linkFailed
  }

  /// Reports a failure of the link, if the update is one.
  fileprivate func recordFailure(in update: LocationUpdate) {
    if case .state(let change) = update, change.state == .noService { linkFailed?(change) }
  }

  /// Records when an update arrived, and reports this moment if the update is the first, or no event caused it.
  fileprivate func recordTime(at moment: Moment) {
    if let expiry = updates.expiry ?? (hasBegun ? nil : moment) { timePassed?(expiry) }
    hasBegun = true
    latest = moment
  }
}

extension FleetQueue.State {
  /// Whether a member was not removed yet.
  fileprivate func has(_ seat: FleetQueue.Seat) -> Bool {
    members[seat.number]?.serial == seat.serial
  }

  /// The mailbox that is rung when a member has room again; `nil` if it has room now.
  fileprivate func missingRoom(of member: Int) -> Mailbox<Void>? {
    members[member].flatMap { $0.count < FleetQueue.maximumUpdates ? nil : $0.room }
  }
}
