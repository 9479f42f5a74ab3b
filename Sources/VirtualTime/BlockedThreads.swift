#if canImport(Dispatch)
  import Dispatch
#endif
import CVirtualTime
import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Names the jobs of worlds whose threads wait in the kernel, on stderr: nothing else can run in such a world.
enum BlockedThreads {
  private struct Watched {
    let world: World
    var step = 0
    var ticks = -1
    /// For how many seconds the same job was waiting, without having used the processor.
    var seconds = 0

    mutating func update() {
      let (step, thread) = world.state.withLock { ($0.totalCount, $0.thread) }
      let ticks = thread == 0 ? -1 : vt_ticks_if_waiting(thread)
      seconds = ticks >= 0 && (step, ticks) == (self.step, self.ticks) ? seconds + 1 : 0
      (self.step, self.ticks) = (step, ticks)
    }
  }

  /// After how many seconds a job is named, and after how many the process ends.
  private static let (limit, end) = (2, 10)
  private static let watched = Mutex<[Watched]>([])
  private static let queue = DispatchQueue(label: "virtual time, blocked threads")
  private static let beginning: Void = look()

  static func watch(_ world: World) {
    _ = beginning
    watched.withLock { $0.append(Watched(world: world)) }
  }

  static func forget(_ world: World) { watched.withLock { $0.removeAll { $0.world === world } } }

  private static func look() {
    let blocked = watched.withLock { watched in
      for place in watched.indices { watched[place].update() }
      return watched.filter { $0.seconds == limit || $0.seconds == end }
    }
    if !blocked.isEmpty, !vt_is_debugged() { for each in blocked { report(each) } }
    queue.asyncAfter(deadline: .now() + .seconds(1)) { look() }
  }

  private static func report(_ blocked: Watched) {
    let task = blocked.world.state.withLock { $0.tasks.label(of: $0.runningTask) }
    let words = "has blocked its thread for \(blocked.seconds) s, and nothing else can run"
    if blocked.seconds == limit {
      put(
        "\nvirtual time: \(task) \(words): by a semaphore, a pause, a read, or a lock that is never released."
      )
      blocked.world.note.report("")
    } else if let test = blocked.world.test {
      put("\n\(test) failed: \(task) \(words). No other test can run now.")
      blocked.world.note.report("")
      exit(EXIT_FAILURE)
    }
  }

  private static func put(_ text: String) { _ = unsafe write(2, text, text.utf8.count) }
}
