#if canImport(Dispatch)
  import Dispatch
#endif
import Synchronization

/// A serial executor that runs everything that a test in virtual time causes, one job after another.
///
/// All jobs of a world run on its thread, or while its thread waits for them. The world therefore knows when
/// everything is waiting: its queue is empty, and no job is running. ``RuntimeHooks`` adds the jobs to the queue.
final class World: TaskExecutor {
  /// Where a job runs.
  enum Lane {
    /// On the thread of the world.
    case pool
    /// On the main queue, while the thread of the world waits.
    case main
  }

  fileprivate struct ReadyJob {
    let job: UnownedJob
    let lane: Lane
  }

  /// A task that waits until nothing in the world is ready to run.
  fileprivate struct Waiter {
    let id: Int
    let continuation: CheckedContinuation<Bool, Never>
  }

  fileprivate struct PatientWaiter {
    /// The deadline by the world's ``Patience``.
    let deadline: Duration
    /// When the same time has passed in real time.
    let realDeadline: ContinuousClock.Instant
    let waiter: Waiter
  }

  fileprivate struct State {
    var schedule: Schedule
    var ready: [ReadyJob] = []
    /// The tasks in ``settle()``, in the order of their calls.
    var settling: [Waiter] = []
    /// The tasks in ``waitPatiently(until:)``.
    var patient: [PatientWaiter] = []
    var patientTime = Duration.zero
    /// Waits that were cancelled before they began.
    var cancelled: Set<Int> = []
    var nextID = 0
    /// The tasks that have run here, by their IDs in the runtime.
    var members: Set<UInt64> = []
    var isIdle = false
    /// Whether the body has returned.
    var isOver = false
    /// Whether the thread has ended.
    var hasEnded = false
    var realSleep: String?
  }

  /// What the thread does next.
  private enum Turn {
    case run(ReadyJob)
    case resume(Waiter, Bool)
    case idle
    case end
  }

  /// The world that the current task was started in; `nil` in a detached task.
  @TaskLocal private static var home: World?

  private let state: Mutex<State>
  /// Signalled when a job arrives while the thread is idle.
  private let arrival = DispatchSemaphore(value: 0)
  private let mainJobEnd = DispatchSemaphore(value: 0)

  private init(seed: UInt64) { state = Mutex(State(schedule: Schedule(seed: seed))) }

  /// Runs a body in a new world, and waits until it has returned and nothing in the world is ready to run.
  ///
  /// - Parameter seed: Chooses the order of jobs: see ``Schedule``.
  /// - Throws: ``VirtualTimeError``, and what the body throws.
  static func run<Result: Sendable>(
    seed: UInt64, _ body: sending @escaping @isolated(any) () async throws -> Result
  ) async throws -> Result {
    try RuntimeHooks.check()
    let world = World(seed: seed)
    let task = Task(executorPreference: world) {
      defer { world.state.withLock { $0.isOver = true } }
      return try await $home.withValue(world) { try await body() }
    }
    await withCheckedContinuation { continuation in
      // A queue of its own: it runs beside other worlds, even if each thread of the shared pool waits.
      DispatchQueue(label: "virtual time").async {
        current = world
        world.runJobs()
        current = nil
        continuation.resume()
      }
    }
    RuntimeHooks.forget(world.state.withLock(\.members))
    try RuntimeHooks.check()
    if let sleep = world.state.withLock(\.realSleep) {
      throw VirtualTimeError(.realSleep, "\(sleep): sleep by a clock that the test injects instead")
    }
    return try await task.value
  }

  // MARK: Jobs

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job), on: .pool) }

  /// Makes a job ready to run. The remaining jobs of a world that has ended run concurrently with others.
  func enqueue(_ job: UnownedJob, on lane: Lane) {
    let (isLate, wasIdle) = state.withLock { state in
      if state.hasEnded { return (true, false) }
      state.ready.append(ReadyJob(job: job, lane: lane))
      defer { state.isIdle = false }
      return (false, state.isIdle)
    }
    if isLate {
      let queue = lane == .main ? DispatchQueue.main : .global()
      queue.async { [self] in execute(job, on: lane) }
    } else if wasIdle {
      arrival.signal()
    }
  }

  private func runJobs() {
    while true {
      switch nextTurn() {
      case .run(let ready): run(ready)
      case .resume(let waiter, let result): waiter.continuation.resume(returning: result)
      case .idle: arrival.wait()
      case .end: return
      }
    }
  }

  private func nextTurn() -> Turn {
    state.withLock { state in
      if !state.ready.isEmpty {
        return .run(state.ready.remove(at: state.schedule.next(below: state.ready.count)))
      }
      if !state.settling.isEmpty, !state.isOutOfPatience {
        return .resume(state.settling.removeFirst(), !state.isOver)
      }
      if let waiter = state.takePatient() { return .resume(waiter, !state.isOver) }
      if state.isOver {
        state.hasEnded = true
        return .end
      }
      state.isIdle = true
      return .idle
    }
  }

  private func run(_ ready: ReadyJob) {
    if let task = RuntimeHooks.taskID(of: ready.job),
      state.withLock({ $0.members.insert(task).inserted })
    {
      RuntimeHooks.remember(task, self)
    }
    switch ready.lane {
    case .pool:
      execute(ready.job, on: .pool)
    case .main:
      DispatchQueue.main.async { [self] in
        World.current = self
        execute(ready.job, on: .main)
        World.current = nil
        mainJobEnd.signal()
      }
      mainJobEnd.wait()
    }
  }

  private func execute(_ job: UnownedJob, on lane: Lane) {
    switch lane {
    case .pool: unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    case .main: MainActorExecutor.run(job)
    }
  }

  /// Notes that the current task sleeps in real time, unless a job of the world only resumed it.
  func noteRealSleep(_ description: String) {
    guard World.home === self else { return }
    state.withLock { $0.realSleep = $0.realSleep ?? description }
  }

  // MARK: Waiting until everything waits

  /// Waits until nothing in the world is ready to run. If several tasks wait, the first one continues, and
  /// the next one when everything waits again.
  ///
  /// - Returns: `false` if the task was cancelled, or the body of the world has returned.
  func settle() async -> Bool {
    await wait { state, waiter in state.settling.append(waiter) }
  }

  /// How long the world has waited for limits although nothing in it could happen.
  var patientTime: Duration { state.withLock(\.patientTime) }

  /// Waits until ``patientTime`` reaches a deadline.
  ///
  /// That time stands still while anything in the world is ready to run or ``settle()`` waits. After that, it advances
  /// to the next deadline of these waits. A limit is therefore reached when nothing else can happen or, if something
  /// always happens, after the same time in real time.
  ///
  /// - Returns: `false` if the task was cancelled, or the body of the world has returned.
  func waitPatiently(until deadline: Duration) async -> Bool {
    await wait { state, waiter in
      let rest = deadline - state.patientTime
      state.patient.append(
        PatientWaiter(
          deadline: deadline, realDeadline: .now.advanced(by: rest), waiter: waiter))
    }
  }

  private func wait(_ begin: @escaping (inout State, Waiter) -> Void) async -> Bool {
    let id = state.withLock { state in
      state.nextID += 1
      return state.nextID
    }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isCancelled = state.withLock { state in
          if state.cancelled.remove(id) != nil { return true }
          begin(&state, Waiter(id: id, continuation: continuation))
          return false
        }
        if isCancelled { continuation.resume(returning: false) }
      }
    } onCancel: {
      let waiter = state.withLock { $0.cancel(id) }
      waiter?.continuation.resume(returning: false)
    }
  }
}

extension World.State {
  /// Whether a task in ``World/waitPatiently(until:)`` has waited for the same time in real time.
  fileprivate var isOutOfPatience: Bool {
    guard !patient.isEmpty else { return false }
    let now = ContinuousClock.now
    return patient.contains { $0.realDeadline <= now }
  }

  /// Removes the first task in ``World/waitPatiently(until:)``, and advances that time.
  fileprivate mutating func takePatient() -> World.Waiter? {
    let earliest = patient.indices.min {
      (patient[$0].deadline, patient[$0].waiter.id) < (patient[$1].deadline, patient[$1].waiter.id)
    }
    guard let earliest else { return nil }
    let next = patient.remove(at: earliest)
    patientTime = max(patientTime, next.deadline)
    return next.waiter
  }

  /// Removes a waiter, or notes that it was cancelled before it waited.
  fileprivate mutating func cancel(_ id: Int) -> World.Waiter? {
    if let place = settling.firstIndex(where: { $0.id == id }) { return settling.remove(at: place) }
    if let place = patient.firstIndex(where: { $0.waiter.id == id }) {
      return patient.remove(at: place).waiter
    }
    cancelled.insert(id)
    return nil
  }
}

/// The order in which a world runs the jobs that are ready at the same time.
struct Schedule {
  private var random: SeededRandom
  private let isDrawn: Bool

  /// - Parameter seed: Zero runs jobs in the order in which they became ready; any other number draws the next one.
  init(seed: UInt64) {
    random = SeededRandom(seed: seed)
    isDrawn = seed != 0
  }

  /// Returns the place of the next job.
  ///
  /// - Parameter count: The number of jobs that are ready; at least one.
  mutating func next(below count: Int) -> Int {
    isDrawn && count > 1 ? Int.random(in: 0..<count, using: &random) : 0
  }
}
