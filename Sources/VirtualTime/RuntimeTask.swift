import Synchronization

/// A task of Swift's runtime, by its address.
///
/// The task must exist. A world holds those whose address it keeps.
struct RuntimeTask: Hashable, Sendable {
  fileprivate let address: UInt

  /// The task that the current thread runs.
  static var current: RuntimeTask? {
    unsafe withUnsafeCurrentTask { task in
      unsafe task.map { unsafe RuntimeTask(address: unsafeBitCast($0, to: UInt.self)) }
    }
  }

  private init(address: UInt) { self.address = address }

  /// Creates a reference to the task of a job; `nil` for the job of an actor, which may run several tasks, and for
  /// that of `Task.yield()`.
  init?(_ job: UnownedJob) {
    guard taskID(job) != 0 else { return nil }
    address = unsafe unsafeBitCast(job, to: UInt.self)
  }

  /// Whether a job only resumes a task that yielded.
  static func isYield(_ job: UnownedJob) -> Bool { jobFlags(job) & 0xff == 195 }

  /// The number that the runtime never gives to another task.
  var number: UInt64 { unsafe taskID(unsafeBitCast(address, to: UnownedJob.self)) }

  /// Whether the task belongs to a group or an `async let`, so that its parent outlives it.
  var isChild: Bool {
    unsafe jobFlags(unsafeBitCast(address, to: UnownedJob.self)) & 1 << 24 != 0
  }

  /// The addresses at which the task and its callers continue, up to the function that it began with; empty if it has
  /// not begun, or where the runtime's layout is unknown. The task must not run.
  var callers: [UInt] {
    guard let adapters = RuntimeLayout.adapters,
      let fields = unsafe UnsafePointer<UInt>(bitPattern: address),
      unsafe !adapters.contains(fields[7])
    else { return [] }
    var addresses = unsafe [fields[7]]
    var context = unsafe UnsafePointer<UInt>(bitPattern: fields[8])
    while let current = unsafe context, addresses.count < 32 {
      unsafe addresses.append(current[1])
      unsafe context = UnsafePointer(bitPattern: current[0])
    }
    return addresses
  }

  /// The name that the task was created with. The task must not run on another thread.
  var name: String? { RuntimeLayout.knowsNames ? storedName(within: 1..<UInt.max) : nil }

  /// Where what belongs to a new task is stored.
  fileprivate var storage: Range<UInt> {
    guard let fields = unsafe UnsafePointer<UInt>(bitPattern: address) else { return 0..<0 }
    return unsafe fields[15]..<max(fields[15], fields[15] &+ 1024)
  }

  /// - Parameter addresses: Those that may be read.
  fileprivate func storedName(within addresses: Range<UInt>) -> String? {
    guard let fields = unsafe UnsafePointer<UInt>(bitPattern: address) else { return nil }
    var place = unsafe fields[13]
    for _ in 0..<32 where addresses.contains(place) {
      guard let record = unsafe UnsafePointer<UInt>(bitPattern: place) else { return nil }
      if unsafe record[0] & 0xff == 6, unsafe addresses.contains(record[2]) {
        return unsafe UnsafePointer<CChar>(bitPattern: record[2]).map { unsafe String(cString: $0) }
      }
      unsafe place = record[1]
    }
    return nil
  }

  /// The priority, as raised by the tasks that wait for this one.
  var priority: UInt { taskPriority(address) }

  /// Raises the priority of the task, of its children, and of all tasks that they wait for.
  func raise(to priority: UInt) { _ = raiseTask(address, priority) }

  /// Whether the task has returned, so that nothing in it can be seen any more.
  var hasEnded: Bool { hasFlag(0x2000) }

  /// Whether a thread holds the lock of the task's status, as while the task is cancelled.
  var isLocked: Bool { hasFlag(0x200) }

  /// Whether the status has a flag; `false` as well where the runtime's layout is unknown.
  private func hasFlag(_ flag: UInt) -> Bool {
    guard RuntimeLayout.adapters != nil,
      let fields = unsafe UnsafePointer<UInt>(bitPattern: address)
    else { return false }
    return unsafe fields[12] & flag != 0
  }

  /// Whether anything but one holder needs the task: it has not ended, or its value may be read.
  var isShared: Bool {
    guard let retainCount = RuntimeLayout.retainCount else { return true }
    return retainCount(address) > 1
  }
}

/// A reference to a task, which keeps it. It is unchecked because any thread may retain and release a task.
@safe struct TaskHolder: @unchecked Sendable {
  private let reference: UnsafeCurrentTask

  init(_ job: UnownedJob) {
    unsafe reference = unsafeBitCast(job, to: UnsafeCurrentTask.self)
  }

  func cancel() { unsafe reference.cancel() }
}

/// How the runtime lays out a task in memory.
private enum RuntimeLayout {
  /// Whether a task of a known name has it where ``RuntimeTask/name`` looks for it.
  static let knowsNames: Bool = {
    #if os(Linux) && compiler(>=6.2) && compiler(<6.4)
      guard adapters != nil else { return false }
      // Detached: values that a task inherits need more memory.
      Task.detached(name: Probe.name, executorPreference: Probe.shared) {}
      return Probe.isNamed.load(ordering: .relaxed)
    #else
      return false
    #endif
  }()

  private final class Probe: TaskExecutor {
    static let name = "virtual time"
    static let shared = Probe()
    static let isNamed = Atomic(false)

    func enqueue(_ job: consuming ExecutorJob) {
      let job = UnownedJob(job)
      if let task = RuntimeTask(job), task.storedName(within: task.storage) == Self.name {
        Self.isNamed.store(true, ordering: .relaxed)
      }
      unsafe job.runSynchronously(on: asUnownedTaskExecutor())
    }
  }

  /// Returns how many references there are. It is not declared: the standard library declares it with other types, for
  /// which Swift 6.2 cannot compile a second declaration.
  static let retainCount = unsafe unsafeBitCast(
    RuntimeHook.address(of: "swift_retainCount"), to: (@convention(c) (UInt) -> UInt)?.self)

  /// The functions at which a task begins; `nil` for another layout than the one that ``RuntimeTask/callers`` reads.
  static let adapters: Set<UInt>? = {
    let version = RuntimeHook.value(of: "_swift_concurrency_debug_internal_layout_version")
    guard MemoryLayout<UInt>.size == 8, version & 0xffff_ffff == 1 else { return nil }
    return [
      RuntimeHook.value(of: "_swift_concurrency_debug_future_adapter"),
      RuntimeHook.value(of: "_swift_concurrency_debug_non_future_adapter"),
    ]
  }()
}

@_silgen_name("swift_task_getJobTaskId")
private func taskID(_ job: UnownedJob) -> UInt64

@_silgen_name("swift_task_getJobFlags")
private func jobFlags(_ job: UnownedJob) -> UInt32

@_silgen_name("swift_task_currentPriority")
private func taskPriority(_ task: UInt) -> UInt

@_silgen_name("swift_task_escalate")
private func raiseTask(_ task: UInt, _ priority: UInt) -> UInt
