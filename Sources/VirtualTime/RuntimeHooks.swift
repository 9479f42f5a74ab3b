#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// The hooks of Swift's runtime that pass the jobs of tasks to their ``World``.
///
/// The runtime calls `swift_task_enqueueGlobal_hook` for each job of the global executor, and
/// `swift_task_getMainExecutor_hook` to get the executor of the main actor. A job belongs to a world if the thread that
/// makes it ready runs a job of that world, or if its task has run there. All other jobs run as without hooks.
enum RuntimeHooks {
  private typealias EnqueueOriginal = @convention(thin) (UnownedJob) -> Void
  private typealias Enqueue = @convention(thin) (UnownedJob, EnqueueOriginal) -> Void
  private typealias MainExecutorOriginal = @convention(thin) () -> UnownedSerialExecutor
  private typealias MainExecutor =
    @convention(thin) (MainExecutorOriginal) -> UnownedSerialExecutor
  private typealias IsMainOriginal = @convention(thin) (UnownedSerialExecutor) -> Bool
  private typealias IsMain = @convention(thin) (UnownedSerialExecutor, IsMainOriginal) -> Bool

  /// The worlds of tasks that have run in one, by the tasks' IDs.
  private static let worlds = Mutex<[UInt64: World]>([:])

  static func remember(_ task: UInt64, _ world: World) { worlds.withLock { $0[task] = world } }

  static func forget(_ tasks: [UInt64]) {
    worlds.withLock { for task in tasks { $0[task] = nil } }
  }

  /// Returns the world that a job belongs to.
  static func world(of job: UnownedJob) -> World? {
    if let current = World.current { return current }
    guard let task = RuntimeTask(job)?.number else { return nil }
    return worlds.withLock { $0[task] }
  }

  /// Checks that the hooks are in place, and that the runtime calls them; the first call sets them.
  ///
  /// - Throws: ``VirtualTimeError`` if this runtime lacks one or does not use it, or another library uses one.
  static func check() async throws(VirtualTimeError) {
    for hook in hooks { hook.set() }
    if let error { throw error }
    if let missing = await missingSupport.value {
      throw VirtualTimeError(.unavailable, missing)
    }
  }

  /// Why the hooks cannot be relied on; `nil` if they are in place.
  static var error: VirtualTimeError? { hooks.lazy.compactMap(\.error).first }

  private static let missingSupport = Task.detached { await World.missingSupport() }

  private static let hooks: [RuntimeHook] = {
    let enqueue: Enqueue = { job, original in
      if let world = world(of: job) { world.enqueue(job, on: .pool) } else { original(job) }
    }
    let mainExecutor: MainExecutor = { _ in unsafe MainActorExecutor.reference }
    let isMain: IsMain = { executor, original in
      unsafe MainActorExecutor.isReferenced(by: executor) || original(executor)
    }
    GlobalExecutor.install()
    return [
      RuntimeHook("swift_task_enqueueGlobal_hook", unsafe unsafeBitCast(enqueue, to: UInt.self)),
      RuntimeHook(
        "swift_task_getMainExecutor_hook", unsafe unsafeBitCast(mainExecutor, to: UInt.self)),
      RuntimeHook("swift_task_isMainExecutor_hook", unsafe unsafeBitCast(isMain, to: UInt.self)),
    ]
  }()
}

/// A variable of the runtime that holds a function: the addresses of both.
struct RuntimeHook {
  private let name: String
  private let place: UInt
  private let function: UInt

  init(_ name: String, _ function: UInt) {
    self.name = name
    self.function = function
    place = Self.address(of: name)
  }

  /// Sets the variable, unless it is missing or already set.
  func set() {
    if let variable = unsafe variable, unsafe variable.pointee == 0 {
      unsafe variable.pointee = function
    }
  }

  /// The error if the variable is missing, or holds another function.
  var error: VirtualTimeError? {
    guard let variable = unsafe variable else {
      return VirtualTimeError(.unavailable, "this Swift runtime has no \(name)")
    }
    return unsafe variable.pointee == function
      ? nil : VirtualTimeError(.hookTaken, "another library has set \(name)")
  }

  /// Returns the value of a variable of the runtime; zero if there is none.
  static func value(of name: String) -> UInt {
    unsafe UnsafePointer<UInt>(bitPattern: address(of: name))?.pointee ?? 0
  }

  /// Returns where a variable or a function of the runtime is; zero if there is none.
  static func address(of name: String) -> UInt {
    unsafe UInt(bitPattern: dlsym(allLibraries, name))
  }

  /// `RTLD_DEFAULT`, which Swift does not import.
  private static var allLibraries: UnsafeMutableRawPointer? {
    #if canImport(Darwin)
      unsafe UnsafeMutableRawPointer(bitPattern: -2)
    #else
      nil
    #endif
  }

  private var variable: UnsafeMutablePointer<UInt>? {
    unsafe UnsafeMutablePointer(bitPattern: place)
  }
}
