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

    /// The numbers of jobs, in the order in which they became ready.
    struct Ledger {
      /// How many there have been.
      private(set) var total = 0
      private var ready: Set<Int> = []

      /// How many are ready.
      var count: Int { ready.count }

      /// Records that a job is ready, and returns its number.
      mutating func recordReady() -> Int {
        defer { total += 1 }
        ready.insert(total)
        return total
      }

      mutating func recordBegin(of number: Int) { ready.remove(number) }

      /// Returns whether the first jobs of all have begun.
      func haveBegun(_ count: Int) -> Bool { ready.allSatisfy { $0 >= count } }
    }

    private static let ledger = Mutex(Ledger())

    /// How many there are.
    static var count: Int { ledger.withLock(\.count) }

    /// How many there have been.
    static var total: Int { ledger.withLock(\.total) }

    /// Returns whether the first jobs of all have begun.
    static func haveBegun(_ count: Int) -> Bool { ledger.withLock { $0.haveBegun(count) } }

    /// Counts jobs from now on.
    static func startCounting() { _ = hook }

    /// Whether all jobs have been counted: the runtime has the hook, and nobody else uses it.
    static var areCounted: Bool { hook.isOurs }

    private static let hook = InstalledHook("swift_task_enqueueGlobal_hook") { job, _ in
      let number = ledger.withLock { $0.recordReady() }
      DispatchQueue.global().async {
        // The states of threads tell of it from here on.
        ledger.withLock { $0.recordBegin(of: number) }
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
