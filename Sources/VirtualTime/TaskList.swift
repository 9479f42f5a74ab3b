/// What a world knows of the tasks that have been ready to run in it, by their numbers in the runtime.
struct TaskList: Sendable {
  private struct Record {
    /// The place of the task in the order in which the tasks became known.
    let place: Int
    let name: String?
    var callers: [UInt] = []
    var hasRun = false
  }

  /// How many tasks are asked for whom they wait. Each needs a priority of its own, of which there are 255.
  private static let maximumWaiting = 150

  private var records: [UInt64: Record] = [:]
  /// The tasks from their first job to their end, except child tasks, which their parents outlive.
  private var held: [UInt64: RuntimeTask] = [:]
  /// What keeps them. It is apart, because reading it retains the task, which then seems to be shared.
  private var holderOfTask: [UInt64: TaskHolder] = [:]
  /// Up to how many tasks those that have ended are looked for whenever everything waits.
  private static let few = 64
  /// How many tasks may be held before those that have ended are looked for at any time.
  private var limit = few
  /// The number of the test's own task.
  private var first = UInt64.max

  var isEmpty: Bool { records.isEmpty }

  /// Records the task that a job belongs to.
  ///
  /// - Parameter creator: The current task, which makes the job ready.
  /// - Returns: The number of the job's task; zero for an actor's job.
  mutating func add(_ job: UnownedJob, by creator: RuntimeTask?) -> UInt64 {
    // A task that starts at once is not made ready before it yields.
    if let creator { insert(creator) }
    guard let task = RuntimeTask(job) else {
      return RuntimeTask.isYield(job) ? creator?.number ?? 0 : 0
    }
    insert(task)
    let number = task.number
    if records[number]?.callers.isEmpty == true { records[number]?.callers = task.callers }
    return number
  }

  private mutating func insert(_ task: RuntimeTask) {
    let number = task.number
    guard records[number] == nil else { return }
    if records.isEmpty { first = number }
    records[number] = Record(place: records.count, name: task.name)
  }

  /// Holds the task of a job that runs.
  ///
  /// - Returns: Whether this is the task's first job.
  mutating func hold(_ job: UnownedJob) -> Bool {
    guard let task = RuntimeTask(job) else { return false }
    let number = task.number
    guard records[number]?.hasRun == false else { return false }
    records[number]?.hasRun = true
    if !task.isChild {
      held[number] = task
      holderOfTask[number] = TaskHolder(job)
    }
    return true
  }

  /// The tasks that are held, in the order of their creation.
  var holders: [TaskHolder] { holderOfTask.sorted { $0.key < $1.key }.map(\.value) }

  /// How many tasks are held.
  var heldCount: Int { held.count }

  /// Removes a task after its job, if it has ended, and sometimes all that have ended.
  ///
  /// - Parameter isAtRest: Whether everything waits.
  /// - Returns: What keeps them. It must not be released while the world is locked, because the values of the tasks can
  ///   make jobs ready when they end.
  mutating func takeEnded(after number: UInt64, isAtRest: Bool) -> [TaskHolder] {
    let isLong = held.count > limit
    guard isLong || isAtRest && held.count <= Self.few else {
      return held[number]?.isShared == false ? take([number]) : []
    }
    defer { if isLong { limit = max(Self.few, 2 * held.count) } }
    return take(held.filter { !$0.value.isShared }.keys.sorted())
  }

  private mutating func take(_ numbers: [UInt64]) -> [TaskHolder] {
    for number in numbers { held[number] = nil }
    return numbers.compactMap { holderOfTask.removeValue(forKey: $0) }
  }

  /// Removes all tasks.
  ///
  /// - Returns: The numbers of those that have run, and what keeps them, as in ``takeEnded(after:isAtRest:)``.
  mutating func end() -> (numbers: [UInt64], holders: [TaskHolder]) {
    let numbers = records.keys.filter { records[$0]?.hasRun == true }
    return (numbers, take(held.keys.sorted()))
  }

  // MARK: Texts

  /// A task for a person: its name or its function, and its place in the order of creation.
  func label(of number: UInt64) -> String {
    guard let record = records[number] else { return "an actor" }
    guard record.place > 0 else { return "the test" }
    let place = "task \(record.place)"
    if let name = record.name { return "\(place) \"\(name)\"" }
    return FunctionName.outermost(of: record.callers).map { "\(place) (\($0))" } ?? place
  }

  /// The current task, unless it was created before the test began, and only resumed by it.
  func label(ofOwn task: RuntimeTask?) -> String? {
    guard let number = task?.number, number >= first else { return nil }
    return label(of: number)
  }

  /// The tasks that have not ended, except that of the test, in the order of their creation. A task that has ended
  /// counts as long as its value may be read.
  var waiting: [(number: UInt64, task: RuntimeTask)] {
    held.filter { $0.key != first && $0.value.isShared }
      .sorted { $0.key < $1.key }.map { (number: $0.key, task: $0.value) }
  }

  // MARK: Which tasks wait for each other

  /// Tasks that wait for each other, as a text; `nil` if there are none.
  ///
  /// Whom a task waits for is known because its priority is passed on to them.
  var circle: String? {
    guard held.count > 1 else { return nil }
    let waiting = waiting
    guard (2...Self.maximumWaiting).contains(waiting.count) else { return nil }
    let waits = waiting.map { Self.tasks(that: $0.task, waitsForAmong: waiting.map(\.task)) }
    for place in waiting.indices {
      let circle = waiting.indices.filter {
        $0 == place || (waits[place].contains($0) && waits[$0].contains(place))
      }
      guard circle.count > 1 else { continue }
      return circle.map { label(of: waiting[$0].number) }.joined(separator: " and ")
    }
    return nil
  }

  /// The tasks that the test's own task waits for, itself or through others.
  var awaitedByTest: [String] {
    let waiting = waiting
    guard let test = held[first], waiting.count <= Self.maximumWaiting else { return [] }
    return Self.tasks(that: test, waitsForAmong: waiting.map(\.task))
      .sorted().map { label(of: waiting[$0].number) }
  }

  private static func tasks(that task: RuntimeTask, waitsForAmong others: [RuntimeTask]) -> Set<Int>
  {
    // A priority above all others, which fits into the runtime's eight bits.
    let highest = others.map(\.priority).max() ?? 0
    let priority = max(highest, task.priority) + 1
    guard priority < 250 else { return [] }
    task.raise(to: priority)
    return Set(others.indices.filter { others[$0] != task && others[$0].priority >= priority })
  }
}
