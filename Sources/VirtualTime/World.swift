#if canImport(Dispatch)
  import Dispatch
#endif
import CVirtualTime
import Synchronization

/// What a test did in a world.
struct Run<Value> {
  let result: Result<Value, any Error>
  let choices: Choices
  /// Whether a job had to wait for a lock that an interrupted one held, so that the order was not that of the choices.
  var isVoid = false
  /// What some schedule has to reach, and whether this one did.
  var goals: [String: Bool] = [:]

  var error: (any Error)? { if case .failure(let error) = result { error } else { nil } }
}

/// A serial executor that runs everything that a test in virtual time causes, one job after another.
///
/// All jobs of a world run on its thread, or while its thread waits for them. The world therefore knows when
/// everything is waiting: its queue is empty, and no job is running. ``RuntimeHooks`` adds the jobs to the queue.
final class World: TaskExecutor {
  /// Where a job runs.
  enum Lane {
    /// On the thread of the world, as on that of any executor.
    case pool
    /// On the thread of the world, which its task prefers.
    case world
    /// On the main queue, while the thread of the world waits.
    case main
  }

  struct ReadyJob {
    enum Work {
      case job(UnownedJob)
      /// Wakes a task whose deadline has passed.
      case wake(RestList.Wake)
      case resume(PausedJob)
    }

    let work: Work
    let lane: Lane
    /// The task that the job belongs to; zero if it is unknown.
    let task: UInt64
    /// Whether the job is the first of its task.
    var isFirst = false
    /// Whether the job only makes a task ready again that yielded. When it runs makes no difference.
    var isYield = false
  }

  struct State {
    var choices: Choices
    var ready: [ReadyJob] = []
    /// Where the job that runs does.
    var lane = Lane.pool
    /// Whether a job on the main actor is paused.
    var isMainHeld = false
    /// The number of the loop that runs jobs. The others wait in a job that is paused, or have ended.
    var loop = 0
    var lastLoop = 0
    /// How many loops are left in a job that waits for a lock of an interrupted one. They end after that job.
    var strayCount = 0
    var strayThread: Int32 = 0
    /// Whether there was such a loop.
    var isVoid = false
    /// The number of the thread that runs a job; zero if none does.
    var thread: Int32 = 0
    /// The task of that job.
    var runningTask: UInt64 = 0
    var goals: [String: Bool] = [:]
    /// How many jobs have run.
    var totalCount = 0
    /// What happens when nothing is ready.
    var rests = RestList()
    /// What is known of the tasks that have run here.
    var tasks = TaskList()
    /// The clocks on which tasks of the world have slept.
    var clocks: [ManualClock] = []
    /// What the thread does before the next job.
    var interruption: RestList.Wake?
    /// How many jobs have run since everything waited.
    var stepCount = 0
    /// How many sleeps have begun since everything waited.
    var sleepCount = 0
    var isIdle = false
    /// Whether the body has returned.
    var isOver = false
    /// Whether the thread has ended.
    var hasEnded = false
    /// Why the world cannot be relied on.
    var error: VirtualTimeError?
    /// Whether all tasks were cancelled because the body cannot end otherwise.
    var isGivenUp = false
    /// Whether jobs that become ready are dropped: the body waits for ever, or never stops.
    var isAbandoned = false
  }

  /// What a loop does next.
  enum Turn {
    case run(UnownedJob, ReadyJob)
    /// Makes something ready. A task that is woken runs at once, unless it is on an actor.
    case wake(RestList.Wake, task: UInt64 = 0)
    /// Lets the loop of a paused job continue, and ends this one.
    case resume(PausedJob)
    /// Ends the loop, because another one runs jobs.
    case retire
    /// Cancels the body, and the tasks that it waits for.
    case cancel
    /// Waits until a job arrives, or until a time has passed.
    case idle(DispatchTimeInterval)
    /// Says that nothing can happen any more.
    case stuck(TaskList, [ManualClock])
    /// Looks for tasks that wait for each other, at the end.
    case end(TaskList)
    case stop
  }

  /// How many jobs may run before everything waits, how often clocks may advance without a limit of time, and how
  /// often a test may wait for that although nothing has happened.
  static let maximumSteps = 1_000_000
  /// How many sleeps may begin before everything waits, until one that returns at once lets others run.
  private static let maximumSleeps = 1000
  /// How many jobs may then run until the body has ended, once all tasks are cancelled.
  fileprivate static let maximumLastSteps = 10_000
  /// How long nothing may happen, in real time, while the body waits.
  private static let longestStandstill = DispatchTimeInterval.seconds(1)
  /// How long the body may then take to end, once all tasks are cancelled.
  private static let longestEnd = DispatchTimeInterval.milliseconds(100)

  let state: Mutex<State>
  let note = CrashNote(.current)
  /// The name of the test, with its place.
  let test = Repetition.current.test
  let story: ScheduleStory?
  /// Whether other threads may resume tasks, and are waited for.
  private let waitsForOutside: Bool
  /// Signalled when a job arrives while the thread is idle.
  private let arrival = DispatchSemaphore(value: 0)
  /// Signalled when another loop than the first one ends the world.
  let hasStopped = DispatchSemaphore(value: 0)

  private init(_ choices: Choices, story: ScheduleStory?, waitsForOutside: Bool) {
    state = Mutex(State(choices: choices))
    self.story = story
    self.waitsForOutside = waitsForOutside
  }

  /// Runs a body in a new world, and waits until it has returned and nothing in the world is ready to run.
  ///
  /// - Parameters:
  ///   - choices: The order of jobs.
  ///   - story: Receives what happens.
  ///   - waitsForOutside: Whether other threads may resume tasks, and are waited for.
  ///   - thread: Where the world runs.
  ///   - checksHooks: Whether it first checks that the runtime's hooks work.
  static func run<Value: Sendable>(
    _ choices: Choices, story: ScheduleStory? = nil, waitsForOutside: Bool = false,
    on thread: WorldThread = WorldThread(), checksHooks: Bool = true,
    _ body: sending @escaping @isolated(any) () async throws -> Value
  ) async -> Run<Value> {
    if checksHooks {
      do { try await RuntimeHooks.check() } catch {
        return Run(result: .failure(error), choices: choices)
      }
    }
    let world = World(choices, story: story, waitsForOutside: waitsForOutside)
    let task = Task(executorPreference: world) {
      defer { world.endBody() }
      return try await body()
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        thread.queue.async {
          enter(world)
          BlockedThreads.watch(world)
          if !world.runJobs(0) { world.hasStopped.wait() }
          BlockedThreads.forget(world)
          enter(nil)
          continuation.resume()
        }
      }
    } onCancel: {
      world.interrupt { task.cancel() }
    }
    let (choices, foundError, isLeft) = world.end()
    let error = foundError ?? (checksHooks ? RuntimeHooks.error : nil)
    if isLeft, var error {
      error.leavesTest = true
      return Run(result: .failure(error), choices: choices)
    }
    var run = Run(result: await task.result, choices: choices)
    if let error {
      run = Run(result: .failure(error.explaining(run.error)), choices: choices)
    }
    (run.isVoid, run.goals) = world.state.withLock { ($0.isVoid, $0.goals) }
    return run
  }

  /// Returns what this program lacks for virtual time; `nil` if it has everything.
  static func missingSupport() async -> String? {
    let count = vt_task_count()
    let run = await run(Choices(Tape()), checksHooks: false) {
      let world = current
      await RuntimeActor.probe()
      return await Task {
        await Task.yield()
        return current === world
      }.value
    }
    if vt_task_count() == count {
      return "this program creates tasks without virtual time, as with a static standard library"
    }
    // With Swift 6.2, a task that yields continues elsewhere.
    return (try? run.result.get()) == true
      ? nil : "Task.yield() leaves virtual time in this Swift runtime; it needs Swift 6.3"
  }

  /// Notes that the body has returned.
  ///
  /// Inlined into the task, it would lock for the thread on which the body began.
  @inline(never) private func endBody() { state.withLock { $0.isOver = true } }

  /// Ends the world, and releases its tasks.
  ///
  /// Inlined into ``run(_:story:waitsForOutside:on:checksHooks:_:)``, it could lock for another thread, as
  /// ``endBody()`` could.
  @inline(never) private func end() -> (choices: Choices, error: VirtualTimeError?, isLeft: Bool) {
    let (result, tasks) = state.withLock { state in
      state.choices.end()
      let isLeft = state.isAbandoned && !state.isOver
      let tasks = state.tasks.end()
      story?.end(state.tasks)
      return ((state.choices, state.error, isLeft), tasks)
    }
    RuntimeHooks.forget(tasks.numbers)
    return result
  }

  // MARK: Jobs

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), on: .world) }

  /// Makes a job ready to run. The remaining jobs of a world that has ended run concurrently with others.
  func enqueue(_ job: UnownedJob, on lane: Lane) {
    let isInside = World.current === self
    let (isLate, wasIdle) = state.withLock { state in
      if state.isAbandoned { return (false, false) }
      if state.hasEnded { return (true, false) }
      // The first job is that of the body.
      let isOutside = !isInside && !waitsForOutside && !state.tasks.isEmpty && !state.isOver
      let task = state.tasks.add(job, by: isInside ? .current : nil)
      if isOutside, state.error == nil { state.error = .outside(state.tasks.label(of: task)) }
      var ready = ReadyJob(work: .job(job), lane: lane, task: task)
      ready.isYield = isInside && RuntimeTask.isYield(job) && vt_is_outside_of_actors()
      state.ready.append(ready)
      defer { state.isIdle = false }
      return (false, state.isIdle)
    }
    if isInside, !isLate {
      if RuntimeTask.current != nil {
        mayBeInterrupted(resuming: job)
      } else if RuntimeActor.hasMore {
        leaveActor()
      }
    }
    if isLate {
      let queue = lane == .main ? DispatchQueue.main : .global()
      queue.async { [self] in execute(job, on: lane) }
    } else if wasIdle {
      arrival.signal()
    }
  }

  /// Makes a task ready whose deadline has passed: it is woken when it is chosen, and until then, it can be cancelled.
  func add(_ wake: @escaping RestList.Wake, of task: UInt64) {
    let isLate = state.withLock { state in
      if !state.hasEnded {
        state.ready.append(ReadyJob(work: .wake(wake), lane: .pool, task: task))
      }
      return state.hasEnded
    }
    if isLate { wake() }
    mayBeInterrupted()
  }

  /// Has the thread do something before its next job. It can be called from any thread.
  private func interrupt(_ action: @escaping RestList.Wake) {
    let wasIdle = state.withLock { state in
      if !state.hasEnded { state.interruption = action }
      defer { state.isIdle = false }
      return state.isIdle
    }
    if wasIdle { arrival.signal() }
  }

  /// Runs jobs until the body has returned and everything waits, or another loop continues.
  ///
  /// - Parameters:
  ///   - loop: The number of this loop.
  ///   - first: What it does first.
  /// - Returns: Whether the world has ended.
  func runJobs(_ loop: Int, first: Turn? = nil) -> Bool {
    var turn = first ?? nextTurn(loop)
    while true {
      switch turn {
      case .run(let job, let ready):
        turn = ready.lane == .main ? runOnMain(job, ready, loop) : run(job, ready, loop)
      case .wake(let wake, let task):
        wake()
        turn = nextTurn(loop, preferring: task)
      case .resume(let paused):
        paused.continues.signal()
        return false
      case .retire: return false
      case .cancel:
        for task in state.withLock(\.tasks.holders) { task.cancel() }
        turn = nextTurn(loop)
      case .idle(let pause):
        turn = nextTurn(loop, standsStill: arrival.wait(timeout: .now() + pause) == .timedOut)
      // Who waits for whom is asked without the lock: handlers of raised priorities may make jobs ready.
      case .stuck(let tasks, let clocks):
        let error = VirtualTimeError.stuck(tasks, clocks)
        turn = state.withLock { $0.giveUp(error) }
      case .end(let tasks):
        if let circle = tasks.circle { state.withLock { $0.error = .circle(circle) } }
        return true
      case .stop:
        for ready in state.withLock(\.ready) {
          if case .resume(let paused) = ready.work { paused.continues.signal() }
        }
        return true
      }
    }
  }

  /// Runs a job on the main queue, and what comes next while it can stay there. Other worlds need the queue, too.
  ///
  /// - Returns: What comes next.
  private func runOnMain(_ job: UnownedJob, _ ready: ReadyJob, _ loop: Int) -> Turn {
    DispatchQueue.main.sync {
      // On Linux, this may still be the world's thread.
      let outside = World.current
      World.enter(self)
      defer { World.enter(outside) }
      var turn = run(job, ready, loop)
      for _ in 0..<100 {
        switch turn {
        case .run(let job, let ready) where ready.lane == .main: turn = run(job, ready, loop)
        case .wake(let wake, let task):
          wake()
          turn = nextTurn(loop, preferring: task)
        default: return turn
        }
      }
      return turn
    }
  }

  /// - Parameters:
  ///   - loop: The number of the loop.
  ///   - lastTask: The task that has just run; zero for none.
  ///   - wokenTask: The task that has just been woken; zero for none.
  ///   - standsStill: Whether the world was idle, and nothing happened meanwhile.
  private func nextTurn(
    _ loop: Int, after lastTask: UInt64 = 0, preferring wokenTask: UInt64 = 0,
    standsStill: Bool = false
  ) -> Turn {
    let ended = state.withLock {
      $0.tasks.takeEnded(after: lastTask, isAtRest: $0.ready.isEmpty)
    }
    withExtendedLifetime(ended) {}
    return state.withLock { state in
      if state.loop != loop { return state.retire(waking: arrival) }
      state.thread = 0
      if let interruption = state.interruption.take() { return .wake(interruption) }
      if !state.ready.isEmpty {
        guard state.stepCount < Self.maximumSteps else {
          return state.giveUp(.endless(state.tasks, state.ready.map(\.task)))
        }
        let place = state.onlyChoice(preferring: wokenTask)
        return state.begin(place.map { state.ready.remove(at: $0) } ?? takeReady(&state))
      }
      if state.strayCount > 0 {
        state.isIdle = true
        state.thread = state.strayThread
        return .idle(Self.longestStandstill)
      }
      if state.rests.advanceCount > Self.maximumSteps, !state.isOver {
        state.rests.advanceCount -= Self.maximumLastSteps
        return state.giveUp(.endless(state.tasks))
      }
      // One step is that of the task that waited.
      if state.stepCount > 1 { state.rests.vainCount = 0 }
      if state.rests.vainCount > Self.maximumSteps {
        state.rests.vainCount -= Self.maximumLastSteps
        return state.giveUp(.vain(state.tasks))
      }
      if let wake = state.rests.next(isOver: state.isOver) {
        state.stepCount = 0
        state.sleepCount = 0
        return .wake(wake)
      }
      if let end = state.rests.nextLimit(isOver: state.isOver) { return .wake(end) }
      if state.isOver {
        state.hasEnded = true
        return state.error == nil ? .end(state.tasks) : .stop
      }
      if standsStill, !waitsForOutside { return .stuck(state.tasks, state.clocks) }
      state.isIdle = true
      // A task outside may begin to sleep on a clock, which makes nothing ready.
      if waitsForOutside { return .idle(.milliseconds(10)) }
      return .idle(state.isGivenUp ? Self.longestEnd : Self.longestStandstill)
    }
  }

  /// Removes the job that runs next.
  func takeReady(_ state: inout State) -> ReadyJob {
    guard state.ready.count > 1 else { return state.ready.removeLast() }
    let open = state.open(isMainHeld: state.isMainHeld)
    let place = state.choices.next(below: open.count) { state.ready[open[$0]].task }
    if open.count > 1 {
      note.append(place)
      story?.add(
        Choice(place: place, count: open.count), at: state.clocks.first?.elapsed,
        ran: state.ready[open[place]].task, before: state.ready[open[0]].task)
    }
    return state.ready.remove(at: open[place])
  }

  private func run(_ job: UnownedJob, _ ready: ReadyJob, _ loop: Int) -> Turn {
    if ready.isFirst { RuntimeHooks.remember(ready.task, self) }
    state.withLock {
      $0.thread = vt_thread()
      $0.runningTask = ready.task
    }
    execute(job, on: ready.lane)
    return nextTurn(loop, after: ready.task)
  }

  private func execute(_ job: UnownedJob, on lane: Lane) {
    switch lane {
    case .pool: unsafe job.runSynchronously(on: GlobalExecutor.reference)
    case .world: unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    case .main: MainActorExecutor.run(job)
    }
  }

  /// How many tasks the world keeps.
  var heldCount: Int { state.withLock(\.tasks.heldCount) }

  // MARK: What must not happen

  /// Notes a clock on which a task sleeps.
  ///
  /// - Returns: Whether others have to run after the sleep, even if it returns at once.
  func noteSleep(on clock: ManualClock) -> Bool {
    state.withLock { state in
      if !state.clocks.contains(where: { $0 === clock }) { state.clocks.append(clock) }
      state.sleepCount += 1
      return state.sleepCount > Self.maximumSleeps
    }
  }

  /// Notes that the current task sleeps in real time, unless a job of the world only resumed it.
  func noteRealSleep(_ duration: Duration?) {
    state.withLock { state in
      guard state.error == nil, let label = state.tasks.label(ofOwn: .current) else { return }
      state.error = .realSleep(label, duration)
    }
  }
}

extension World.State {
  /// The places of the jobs that can run next. Those of the main actor run in the order in which they became ready.
  ///
  /// - Parameter isMainHeld: Whether none of those can.
  func open(isMainHeld: Bool) -> [Int] {
    var hasMain = isMainHeld
    return ready.indices.filter { place in
      guard ready[place].lane == .main else { return true }
      defer { hasMain = true }
      return !hasMain
    }
  }

  /// The place of the job that runs next without a choice; `nil` if there is none.
  ///
  /// - Parameter task: A task that has just been woken.
  fileprivate func onlyChoice(preferring task: UInt64) -> Int? {
    if let last = ready.last, task != 0, last.task == task, last.lane != .main {
      return ready.count - 1
    }
    return ready.lastIndex(where: \.isYield)
  }

  /// Notes that a job runs.
  ///
  /// - Returns: What its loop does.
  mutating func begin(_ ready: World.ReadyJob) -> World.Turn {
    stepCount += 1
    totalCount += 1
    switch ready.work {
    case .job(let job):
      lane = ready.lane
      var ready = ready
      ready.isFirst = tasks.hold(job)
      return .run(job, ready)
    case .wake(let wake):
      lane = ready.lane
      return .wake(wake, task: ready.task)
    case .resume(let paused):
      lane = paused.lane
      if lane == .main { isMainHeld = false }
      loop = paused.loop
      return .resume(paused)
    }
  }

  /// Notes that a loop has ended that was left in a job.
  fileprivate mutating func retire(waking arrival: DispatchSemaphore) -> World.Turn {
    strayCount -= 1
    if isIdle {
      isIdle = false
      arrival.signal()
    }
    return .retire
  }

  /// Has all tasks cancelled, as the body cannot end by itself. If that was done before, the world ends, and drops its
  /// jobs.
  fileprivate mutating func giveUp(_ error: VirtualTimeError) -> World.Turn {
    if isGivenUp {
      isAbandoned = true
      hasEnded = true
      return .stop
    }
    isGivenUp = true
    stepCount = World.maximumSteps - World.maximumLastSteps
    self.error = self.error ?? error
    return .cancel
  }
}
