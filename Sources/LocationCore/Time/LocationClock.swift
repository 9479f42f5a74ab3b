#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A clock that returns the current time and suspends tasks.
///
/// ``live`` uses the machine's clocks; tests use a clock that they control.
public struct LocationClock: Sendable {
  private let currentMoment: @Sendable () -> Moment
  private let sleepUntil: @Sendable (Moment) async throws -> Void
  /// Returns by how many seconds the wall clock of its moments can be wrong; `nil` if nothing keeps it right.
  package let wallError: @Sendable () -> Double?
  /// Returns by how many seconds the clock of the machine that made a recording can be wrong, or `nil` if nothing kept it
  /// right; `nil` if this is not the clock of a recording.
  package let recordedError: (@Sendable () -> Double?)?
  /// Whether the clock stands still until a test moves it.
  package let isManual: Bool
  /// Whether the clock stands still between the events of a provider, which tell how much time has passed.
  let standsStill: Bool
  /// Makes a semaphore; `nil` for one that needs a task for each deadline.
  private let makeSemaphore: (@Sendable () -> any Semaphore)?
  /// Moves the clock to a moment when that is due, or returns before if the listener hears something; `nil` if the
  /// clock moves by itself.
  package let move: (@Sendable (Moment, Listener) async -> Void)?

  /// Creates a clock.
  ///
  /// - Parameters:
  ///   - now: Returns the current time, which must never go back.
  ///   - sleepUntil: Waits until a moment by its uptime; throws `CancellationError` if the task is cancelled.
  public init(
    now: @escaping @Sendable () -> Moment,
    sleepUntil: @escaping @Sendable (Moment) async throws -> Void
  ) {
    self.init(now: now, isManual: false, sleepUntil: sleepUntil)
  }

  /// Creates a clock that shows the time of another clock, such as the test clock of another library.
  ///
  /// - Parameters:
  ///   - clock: The clock, which must never go back. Its current instant becomes an uptime of zero.
  ///   - start: The time of day at that instant; `nil` if it is unknown.
  public init<Other: Clock<Duration>>(_ clock: Other, start: Timestamp? = nil) {
    let origin = clock.now
    self.init(
      now: {
        let elapsed = origin.duration(to: clock.now)
        return Moment(uptime: elapsed, wall: start?.advanced(by: elapsed))
      },
      sleepUntil: { try await clock.sleep(until: origin.advanced(by: $0.uptime), tolerance: nil) })
  }

  package init(
    now: @escaping @Sendable () -> Moment, wallError: @escaping @Sendable () -> Double? = { nil },
    recordedError: (@Sendable () -> Double?)? = nil, isManual: Bool = false,
    standsStill: Bool = false, makeSemaphore: (@Sendable () -> any Semaphore)? = nil,
    move: (@Sendable (Moment, Listener) async -> Void)? = nil,
    sleepUntil: @escaping @Sendable (Moment) async throws -> Void
  ) {
    currentMoment = now
    self.wallError = wallError
    self.recordedError = recordedError
    self.isManual = isManual
    self.standsStill = standsStill
    self.makeSemaphore = makeSemaphore
    self.move = move
    self.sleepUntil = sleepUntil
  }

  /// A new semaphore, at which a task waits by this clock.
  package var semaphore: any Semaphore { semaphore(on: nil) }

  /// - Parameter executor: Where tasks for deadlines run by preference; `nil` for the shared thread pool.
  func semaphore(on executor: (any TaskExecutor)?) -> any Semaphore {
    makeSemaphore?() ?? ClockSemaphore(self, on: executor)
  }

  /// Waits until a moment, or until a listener hears something. A clock that only a wait moves, as in a replay, is moved to
  /// that moment.
  ///
  /// - Parameters:
  ///   - moment: When to stop waiting; `nil` waits without a limit.
  ///   - listener: A listener at a ``semaphore`` of this clock. Whoever cancels the task has to interrupt it.
  ///   - ownMove: Moves the time of a connection that has a time of its own; `nil` if that of this clock passes.
  package func wait(
    until moment: Moment?, hearing listener: Listener,
    by ownMove: (@Sendable (Moment, Listener) async -> Void)? = nil
  ) async {
    guard let move = ownMove ?? move, let moment else { return await listener.wait(until: moment) }
    // Nothing that has come may be passed over.
    if !listener.hasHeard { await move(moment, listener) }
  }

  /// The current time. Its uptime never goes back.
  public var now: Moment { currentMoment() }

  /// Returns the moment at which this clock shows a time of day: `nil` if it does not know the time of day.
  ///
  /// The uptime of a moment is not comparable if it is of another machine, or of this machine before a restart.
  /// Convert its ``Moment/wall`` with this method to compare it with moments of this clock. The result is as exact as
  /// the clocks of both machines.
  package func moment(at time: Timestamp) -> Moment? {
    let now = now
    return now.wall.map { now.advanced(by: $0.duration(to: time)) }
  }

  /// Waits until `deadline`; returns at once if it has passed.
  ///
  /// - Throws: `CancellationError` if the task is cancelled.
  public func sleep(until deadline: Moment) async throws {
    try Task.checkCancellation()
    if now < deadline { try await sleepUntil(deadline) }
  }
}

extension LocationClock {
  /// The machine's own clocks. Its uptime includes the time that the machine is suspended.
  public static let live = LocationClock(
    now: {
      Moment(
        uptimeNanoseconds: reading(of: continuousClock),
        wall: Timestamp(nanosecondsSince1970: reading(of: CLOCK_REALTIME)))
    },
    sleepUntil: { moment in
      let remaining = moment.uptime - .nanoseconds(reading(of: continuousClock))
      try await Task.sleep(for: remaining, clock: .continuous)
    })

  /// The clock that includes the time that the machine is suspended.
  private static var continuousClock: clockid_t {
    #if canImport(Darwin)
      CLOCK_MONOTONIC
    #else
      CLOCK_BOOTTIME
    #endif
  }

  fileprivate static func reading(of clock: clockid_t) -> Int64 {
    var time = timespec()
    unsafe clock_gettime(clock, &time)  // Fails only if the clock does not exist.
    return (Nanoseconds.seconds(time.tv_sec) + Nanoseconds(Int64(time.tv_nsec))).count
  }
}

extension LocationClock: CustomStringConvertible {
  /// A text for logs and test failures, such as `clock at 3.0 seconds`. Its format may change.
  public var description: String { "clock at \(now)" }
}

extension Timestamp {
  /// The current time, by the local clock.
  package static var now: Timestamp {
    Timestamp(nanosecondsSince1970: LocationClock.reading(of: CLOCK_REALTIME))
  }
}
