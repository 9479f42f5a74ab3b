import LocationCore
import Synchronization

/// A pause by the provider's clock and, unless a test moves that, in real time.
struct Pause: Sendable {
  var duration: Duration
  var realDuration: Duration

  /// A part of the pause.
  var step: Pause {
    Pause(
      duration: max(duration / 20, .milliseconds(1)),
      realDuration: max(realDuration / 20, .milliseconds(1)))
  }
}

/// A connection of the provider that is checked, with a transcript of what it reports.
struct ObservedConnection {
  /// The connection, which several tasks may poll.
  private final class Shared: Sendable {
    let connection: Mutex<any LocationConnection>

    init(_ connect: @Sendable () -> any LocationConnection) { connection = Mutex(connect()) }
  }

  private(set) var transcript: Transcript
  private let shared: Shared
  private let clock: LocationClock
  private let waiter: Waiter
  private let log: TranscriptLog
  /// The maximum number of events in the transcript.
  private let limit: Int
  /// Whether the tasks that poll are cancelled.
  private let isCancelled: Bool

  init(
    to provider: some LocationProvider, for request: LocationRequest = LocationRequest(),
    limit: Int, isCancelled: Bool = false, log: TranscriptLog
  ) {
    shared = Shared { provider.connection(for: request) }
    clock = provider.clock
    waiter = Waiter(by: clock)
    transcript = Transcript(excusing: log.excused)
    self.limit = limit
    self.isCancelled = isCancelled
    self.log = log
  }

  var isUnread: Bool { transcript.isUnread(below: limit) }

  /// Reads to the end, or up to the limit.
  mutating func readOn() async { while isUnread { await read() } }

  /// Waits for events, the end, or a moment.
  mutating func read(until end: Moment? = nil) async {
    await poll()
    while transcript.canContinue, transcript.quiet != nil, end.map({ clock.now < $0 }) ?? true {
      await wait(until: end)
      if transcript.canContinue { await poll() }
    }
  }

  private mutating func poll() async {
    let start = clock.now
    let count = transcript.events.count
    transcript.add(
      isCancelled ? await pollWhenCancelled(at: start) : pollOnce(at: start), room: limit - count,
      from: start, to: clock.now)
    if transcript.events.count > count { log.signals.send(.reported) }
  }

  private mutating func pollOnce(at now: Moment) -> PollResult {
    call("poll(at:)") { $0.result(at: now) }
  }

  private func pollWhenCancelled(at now: Moment) async -> PollResult {
    let task = Task { [shared] in
      // Until the task is cancelled.
      _ = await Mailbox<Void>().take()
      return shared.connection.withLock { $0.result(at: now) }
    }
    task.cancel()
    return await task.value
  }

  /// Waits for what the connection names, but no longer than until a moment.
  private mutating func wait(until end: Moment?) async {
    let wait = call("wait()") { $0.wait() }
    let start = clock.now
    await waiter.wait(for: wait, until: end)
    // The check cancels what takes too long.
    guard Task.isCancelled else { return }
    if let deadline = end?.earlier(of: wait.deadline) ?? wait.deadline, start < deadline,
      clock.now == start
    {
      violateClock(before: deadline)
    } else {
      await poll()
      if transcript.quiet == nil {
        transcript.violate(
          .endsWaits, "a wait continued for \(log.patience), although there was something to poll")
      }
    }
    transcript.end = .stuck
  }

  /// Polls whenever a pause is over, without a wait for the connection, to the end or up to the limit.
  ///
  /// - Parameter isLong: Whether an event comes during each pause.
  mutating func readOn(pausing pause: Pause, isLong: Bool) async {
    var quietPolls = 0
    while isUnread {
      await poll()
      quietPolls = transcript.quiet == nil ? 0 : quietPolls + 1
      guard quietPolls > 0 else { continue }
      // Where a test moves the clock, the check itself never waits.
      if clock.isManual, quietPolls > (isLong ? 10 : 200) { transcript.end = .stuck }
      // A connection may look for what has come only after it was asked for a wait.
      call("wait()") { _ = $0.wait() }
      await self.pause(for: pause)
      transcript.hasPaused = isLong
    }
  }

  /// Lets time pass, without a wait for the connection.
  mutating func pause(for pause: Pause) async {
    let start = clock.now
    let end = start.advanced(by: pause.duration)
    while transcript.canContinue, clock.now < end {
      let passing = Task { [waiter] in await waiter.wait(for: Wait(until: end)) }
      if !clock.isManual {
        // A clock that only a wait moves is at the end at once, and another one may be faster or stand still.
        try? await LocationClock.live.sleep(for: pause.realDuration)
        passing.cancel()
      }
      await withTaskCancellationHandler {
        await passing.value
      } onCancel: {
        passing.cancel()
      }
      if Task.isCancelled {
        if clock.now == start { violateClock(before: end) }
        transcript.end = .stuck
      }
      if !clock.isManual { return }
    }
  }

  private mutating func violateClock(before deadline: Moment) {
    transcript.violate(
      .clockAdvances,
      "the clock stood at \(clock.now.uptime) for \(log.patience), before a deadline at "
        + "\(deadline.uptime): let a ManualClock run the check, with whileAdvancing")
  }

  /// Closes the connection. From its end on, it must report nothing.
  mutating func close() {
    if transcript.end != .unread, transcript.end != .stuck { expectEnd(.staysEnded) }
    call("close()") { $0.close() }
    expectEnd(.closedStaysClosed)
  }

  private mutating func expectEnd(_ rule: ProviderRule) {
    switch pollOnce(at: clock.now) {
    case .success(.received(let events)):
      transcript.violate(rule, "reported \(events.map(\.event))")
    case .success(.quiet): transcript.violate(rule, "was quiet, and did not end")
    case .success(.ended): break
    case .failure(let error): transcript.violate(rule, "threw \(error)")
    }
  }

  /// Calls the connection, and measures how long that takes.
  @discardableResult
  private mutating func call<Result: Sendable>(
    _ name: String, _ body: (inout any LocationConnection) -> Result
  ) -> Result {
    log.call.withLock { $0 = name }
    let start = LocationClock.live.now
    let result = shared.connection.withLock { body(&$0) }
    let duration = start.duration(to: LocationClock.live.now)
    if duration > transcript.longestCall.duration {
      transcript.longestCall = Transcript.Call(name: name, duration: duration)
    }
    return result
  }
}

typealias PollResult = Result<Polled<[TimedEvent]>, LocationError>

extension LocationConnection {
  fileprivate mutating func result(at now: Moment) -> PollResult {
    do throws(LocationError) { return .success(try poll(at: now)) } catch { return .failure(error) }
  }
}
