/// Runs a test in virtual time: everything that the body causes runs on one thread, one job after another, and time
/// passes only when the body moves the clock.
///
/// ```swift
/// try await withVirtualTime { clock in
///   let source = ScriptedLocationSource(clock: clock, scripts: [.wait(.seconds(3)), .event(.fix(sydney)), .stayOpen])
///   let model = ArrivalModel(source)
///   model.start()
///   await clock.run(for: .seconds(4))
///   #expect(model.location == sydney)
/// }
/// ```
///
/// Everything belongs to the body that it makes ready to run: tasks, detached tasks, task groups, actors, the main
/// actor, and whoever waits for a continuation that it resumes. So it is known, not guessed, when everything waits:
/// ``ManualClock/settle()`` and the methods that advance a clock are exact on a busy machine, too, and several tests
/// can run side by side, each in its own virtual time.
///
/// What comes from outside is not waited for: other threads, Dispatch, sockets, files, and actors with an executor of
/// their own. `Task.sleep` takes real time: with Swift 6.3 on Linux, virtual time then ends with
/// ``VirtualTimeError/Code-swift.struct/realSleep``, except in actors and detached tasks. Elsewhere, nobody notices it.
///
/// Jobs come here through hooks of Swift's runtime (6.2 or later), which are set at the first call and stay.
///
/// - Parameters:
///   - seed: Chooses which of the jobs that are ready runs next. Zero, the default, runs them in the order in which
///     they became ready; each other number draws them, and always draws the same: see
///     ``forEachSchedule(_:from:_:)``.
///   - body: The test. It runs on the actor that the closure is made on. The clock is at its beginning; others that
///     the body makes are as good.
/// - Returns: What the body returns, after everything that it left behind waits or has ended.
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
///   let model = SearchModel(source, clock: clock)
///   model.search("a")
///   model.search("ab")
///   await clock.run(for: .seconds(1))
///   guard model.results == ["ab"] else { throw Outdated(model.results) }
/// }
/// ```
///
/// The first schedule that fails ends it, and the error names its seed: `withVirtualTime(seed: 37)` fails again, each
/// time. A failure is an error that the body throws; with Swift Testing, that is `try #require`.
///
/// - Parameters:
///   - count: The number of schedules; less than one runs none.
///   - first: The seed of the first one, from 1 on; the others follow.
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
