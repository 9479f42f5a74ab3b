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
/// several tests can run at the same time, each in its own virtual time, unless they share an actor, a task or a
/// stream.
///
/// <doc:WhatVirtualTimeShows> lists what it does not include, and which of that ends the test with an error.
///
/// - Parameters:
///   - schedule: Which of the jobs that are ready runs next. The default runs them in the order in which they became
///     ready. The text of a ``ScheduleFailure`` repeats a failure of ``exploreSchedules(atMost:interruptions:_:)``.
///   - waitsForOutside: Whether the test needs other threads, such as those of Dispatch, to resume its tasks. With
///     `false`, that is an error, because the order then differs between runs. With `true`, it is not noticed that
///     nothing can happen any more, and ``ManualClock/whileAdvancing(_:)`` lets each timeout come before an answer from
///     outside.
///   - body: The test. It runs on the actor on which the closure was created. The clock is at its beginning. The body
///     can also create other clocks.
/// - Returns: What the body returns, once every task that the body started has ended or is waiting. If the task that
///   calls this is cancelled, so is that of the body.
/// - Throws: What the body throws; ``VirtualTimeError`` if virtual time is not available, the schedule is not one of
///   this test, the caller is in virtual time, something happened outside of it, or nothing can happen any more.
@discardableResult
public func withVirtualTime<Result: Sendable>(
  schedule: String = "", waitsForOutside: Bool = false,
  @_inheritActorContext _ body:
    sending @escaping @isolated(any) (ManualClock) async throws ->
    Result
) async throws -> Result {
  if World.current != nil { throw VirtualTimeError.nested }
  guard let tape = ScheduleText.tape(of: schedule) else {
    throw VirtualTimeError(.schedule, "\"\(schedule)\" is no schedule, such as \"0.2.1\"")
  }
  let run = await World.run(Choices(tape), waitsForOutside: waitsForOutside) {
    try await body(ManualClock())
  }
  let mismatch =
    run.isVoid ? "a job waits for a lock that an interrupted one holds" : run.choices.mismatch
  if let mismatch {
    throw VirtualTimeError(
      .schedule,
      "\"\(schedule)\" is not a schedule of this test: \(mismatch). A schedule belongs to one "
        + "version of a test and one build configuration"
    ).explaining(run.error)
  }
  return try run.result.get()
}

/// Runs a test in virtual time under every order of its tasks, or under many if there are more than a limit.
///
/// ```swift
/// let coverage = try await exploreSchedules(atMost: 10_000) { clock in
///   let model = SearchModel(server, clock: clock)
///   model.search("a")
///   model.search("ab")
///   await clock.advance(by: .seconds(1))
///   try #require(model.results == ["ab"])
/// }
/// print(coverage)  // all 91 schedules
/// ```
///
/// Whenever several jobs are ready, another one runs first in each schedule. A job can also be interrupted, as if the
/// machine stopped its thread: after it has made another task ready, and before it enters an actor. Schedules without
/// interruptions run first, then those with one, and so on. <doc:WhatVirtualTimeShows> says which orders that leaves
/// out. The first schedule that fails ends the exploration. The error says which tasks ran in an unusual order, and
/// contains a text with which ``withVirtualTime(schedule:waitsForOutside:_:)`` repeats the failure. A test fails by
/// throwing an error, for example with `try #require` of Swift Testing; a failed `#expect` is not noticed. With the
/// trait `.schedules(atMost:)` of `VirtualTimeTesting`, it is.
///
/// If the limit is too low for all schedules, a third of the others have the fewest unusual choices, a third give each
/// task a random priority, and a third are random. The same test runs under the same schedules each time.
///
/// - Parameters:
///   - limit: The number of schedules that may run, about 0.1 ms each for a short test. If it is less than one, none
///     runs.
///   - interruptions: The maximum number of interruptions in one schedule. Each place at which a job can be
///     interrupted makes as many schedules as there are without any, so a test that has to be complete may need zero.
///     Only Linux has interruptions.
///   - body: The test, as in ``withVirtualTime(schedule:waitsForOutside:_:)``. It must not depend on anything outside:
///     random numbers, the time of day, or what another run has left behind.
/// - Returns: How many schedules have run, and which of them were all of their kind. If the task that calls this is
///   cancelled, so is the body, and no other schedule runs.
/// - Throws: ``ScheduleFailure``.
@discardableResult
public func exploreSchedules(
  atMost limit: Int, interruptions: Int = 1,
  @_inheritActorContext _ body:
    @escaping @Sendable @isolated(any) (ManualClock) async throws ->
    Void
) async throws(ScheduleFailure) -> ScheduleCoverage {
  if World.current != nil {
    throw ScheduleFailure(
      schedule: "", error: VirtualTimeError.nested, count: 0, choices: [], story: ScheduleStory())
  }
  let thread = WorldThread()
  let exploration = Exploration { choices, story in
    await World.run(choices, story: story, on: thread) { try await body(ManualClock()) }
  }
  let interruptions = World.canInterrupt ? max(0, interruptions) : 0
  return try await exploration.run(atMost: limit, interruptions: interruptions, on: thread)
}
