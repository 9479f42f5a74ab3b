/// Runs a test in virtual time: everything that the body starts runs on one thread, one job after another, and time
/// passes only when the body advances the clock.
///
/// ```swift
/// try await withVirtualTime { clock in
///   let model = SearchModel(server, clock: clock)
///   model.search("a")
///   await clock.advance(by: .seconds(1))
///   #expect(model.results == ["a"])
/// }
/// ```
///
/// Virtual time includes everything that the body makes ready to run: tasks, detached tasks, task groups, actors, the
/// main actor, and tasks that wait for a continuation that it resumes. It is therefore known exactly when everything
/// waits. ``ManualClock/settle()`` and the methods that advance a clock work exactly, even on a busy machine, and
/// several tests can run at the same time, each in its own virtual time.
///
/// Virtual time does not wait for what happens outside of it: other threads, Dispatch, sockets, files, and actors
/// with an executor of their own. If another thread resumes a task in an actor, the task continues outside. `Task.sleep`
/// takes real time. With Swift 6.3 on Linux, such a sleep ends virtual time with
/// ``VirtualTimeError/Code-swift.struct/realSleep``, except in actors and detached tasks. Elsewhere, it is not noticed.
///
/// Virtual time receives jobs through hooks of Swift's runtime (6.2 or later). The first call installs them, and they
/// stay installed. On Apple's platforms, the runtime is part of the system: macOS 26, iOS 26 and later have 6.2. If a
/// hook is missing, virtual time does not begin, and throws ``VirtualTimeError/Code-swift.struct/unavailable``. It is
/// compiled for these platforms, but no test has run there. A ``ManualClock`` that a test advances needs no hooks.
///
/// - Parameters:
///   - seed: Determines which of the ready jobs runs next. Zero, the default, runs them in the order in which they
///     became ready. Any other number runs them in a random order, which is always the same for the same number: see
///     ``forEachSchedule(_:from:_:)``.
///   - body: The test. It runs on the actor on which the closure was created. The clock is at its beginning. The body
///     can also create other clocks.
/// - Returns: What the body returns, once every task that the body started has ended or is waiting.
/// - Throws: What the body throws; ``VirtualTimeError`` if the runtime lacks the hooks or another library uses them,
///   or if something slept in real time.
@discardableResult
public func withVirtualTime<Result: Sendable>(
  seed: UInt64 = 0,
  @_inheritActorContext _ body:
    sending @escaping @isolated(any) (ManualClock) async throws ->
    Result
) async throws -> Result {
  try await World.run(seed: seed) { try await body(ManualClock()) }
}

/// Runs a test in virtual time under many schedules: in each of them, the jobs that are ready at the same time run in
/// another order.
///
/// ```swift
/// try await forEachSchedule(100) { clock in
///   let model = SearchModel(server, clock: clock)
///   model.search("a")
///   model.search("ab")
///   await clock.advance(by: .seconds(1))
///   guard model.results == ["ab"] else { throw Outdated(model.results) }
/// }
/// ```
///
/// The first schedule that fails ends the run. The error contains its seed, and `withVirtualTime(seed: 37)`, for
/// example, then reproduces the failure. A test fails by throwing an error, for example with `try #require` of Swift
/// Testing.
///
/// - Parameters:
///   - count: The number of schedules. If it is less than one, none runs.
///   - first: The seed of the first schedule, at least 1. Each further schedule has the next number.
///   - body: The test, as in ``withVirtualTime(seed:_:)``.
/// - Throws: ``ScheduleFailure``.
public func forEachSchedule(
  _ count: Int = 100, from first: UInt64 = 1,
  @_inheritActorContext _ body:
    @escaping @Sendable @isolated(any) (ManualClock) async throws ->
    Void
) async throws(ScheduleFailure) {
  for place in 0..<UInt64(max(0, count)) {
    let seed = first &+ place
    do {
      try await withVirtualTime(seed: seed) { clock in try await body(clock) }
    } catch {
      throw ScheduleFailure(seed: seed, error: error)
    }
  }
}

/// The failure of a test under one schedule.
public struct ScheduleFailure: Error, CustomStringConvertible {
  /// The seed of the schedule, for ``withVirtualTime(seed:_:)``.
  public let seed: UInt64
  /// The error that the test threw.
  public let error: any Error

  /// A text for failures of tests. Its format may change.
  public var description: String {
    "schedule \(seed): \(error) ('withVirtualTime(seed: \(seed))' fails again)"
  }
}
