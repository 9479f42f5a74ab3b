#if os(Linux)
  #if canImport(Dispatch)
    import Dispatch
  #endif
  #if canImport(Glibc)
    import Glibc
  #elseif canImport(Musl)
    import Musl
  #endif
  import Synchronization

  /// The jobs of tasks that are ready to run, and that no thread has begun.
  ///
  /// The states of threads alone do not tell of them: Dispatch also lets a thread sleep while a job is ready. So from
  /// the first clock on, the jobs pass through the hook that Swift's runtime has for its global executor. Those of the
  /// main actor do not: they take their turn.
  enum ReadyJobs {
    typealias Hook = @convention(thin) (UnownedJob, Original) -> Void
    typealias Original = @convention(thin) (UnownedJob) -> Void

    private struct State {
      var next = 0
      var ready: Set<Int> = []
    }

    private static let state = Mutex(State())

    /// How many there are.
    static var count: Int { state.withLock(\.ready.count) }

    /// How many there have been.
    static var total: Int { state.withLock(\.next) }

    /// Returns whether the first jobs of all have begun.
    static func haveBegun(_ count: Int) -> Bool {
      state.withLock { $0.ready.allSatisfy { $0 >= count } }
    }

    /// Counts jobs from now on.
    static func startCounting() { _ = hook }

    /// Whether all jobs have been counted: the runtime has the hook, and nobody else uses it.
    static var areCounted: Bool { hook.isOurs }

    private static let hook = InstalledHook("swift_task_enqueueGlobal_hook") { job, _ in
      let number = state.withLock { state in
        defer { state.next += 1 }
        state.ready.insert(state.next)
        return state.next
      }
      DispatchQueue.global().async {
        // The states of threads tell of it from here on.
        state.withLock { _ = $0.ready.remove(number) }
        unsafe job.runSynchronously(on: globalConcurrentExecutor.asUnownedTaskExecutor())
      }
    }

    /// A variable of the runtime with a function, as numbers; zero is none.
    struct InstalledHook {
      private let place: UInt
      private let value: UInt

      init(_ name: String, _ hook: Hook) {
        place = unsafe UInt(bitPattern: dlsym(nil, name))
        value = unsafe unsafeBitCast(hook, to: UInt.self)
        if let variable = unsafe variable, unsafe variable.pointee == 0 {
          unsafe variable.pointee = value
        }
      }

      var isOurs: Bool { unsafe variable.map { unsafe $0.pointee == value } ?? false }

      private var variable: UnsafeMutablePointer<UInt>? {
        unsafe UnsafeMutablePointer(bitPattern: place)
      }
    }
  }
#endif
