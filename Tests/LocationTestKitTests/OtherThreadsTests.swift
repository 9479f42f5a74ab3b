import Dispatch
import Glibc
import LocationCore
import Synchronization
import Testing

@testable import LocationTestKit

@Suite(.timeLimit(.minutes(5))) struct `Other threads` {
  /// A thread that computes until it is told to end.
  private final class Spinner: Sendable {
    private let number = Atomic<Int32>(0)
    private let isOver = Atomic(false)

    init() {
      _ = BlockingThread.start { [self] in
        number.store(OtherThreads.current ?? -1, ordering: .sequentiallyConsistent)
        while !isOver.load(ordering: .relaxed) {}
        number.store(-2, ordering: .sequentiallyConsistent)
      }
    }

    /// The number of the thread once it runs.
    var thread: Int32 {
      while true {
        let value = number.load(ordering: .sequentiallyConsistent)
        if value != 0 { return value }
        sched_yield()
      }
    }

    func end() { isOver.store(true, ordering: .sequentiallyConsistent) }
  }

  @Test func `a thread that computes runs, and its time grows`() throws {
    let spinner = Spinner()
    defer { spinner.end() }
    let others = OtherThreads()
    let thread = spinner.thread
    #expect(thread > 0 && thread != OtherThreads.current)
    let first = try #require(others.running()[thread])
    while try #require(others.running()[thread]) < first + 1_000_000 {}
    // Less than a minute: it has just begun.
    #expect((0..<60_000_000_000).contains(first))
  }

  @Test func `neither the thread that asks runs nor one that has ended`() throws {
    let others = OtherThreads()
    let own = try #require(OtherThreads.current)
    #expect(others.running()[own] == nil)
    let spinner = Spinner()
    let thread = spinner.thread
    spinner.end()
    while others.running()[thread] != nil { sched_yield() }
  }

  @Test func `a thread that waits again and again switches`() {
    let others = OtherThreads()
    let before = others.switches
    let (asked, answered) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let hasThread = BlockingThread.start {
      for _ in 0..<100 {
        asked.wait()
        answered.signal()
      }
    }
    #expect(hasThread)
    for _ in 0..<100 {
      asked.signal()
      answered.wait()
    }
    #expect(others.switches > before)
  }

  @Test func `switches are those of a thread's own accord and the others`() {
    var usage = rusage()
    (usage.ru_nvcsw, usage.ru_nivcsw) = (40, 2)
    #expect(OtherThreads.switches(usage) == 42)
  }
}
