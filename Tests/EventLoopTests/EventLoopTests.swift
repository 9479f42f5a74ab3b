import Glibc
import LocationCore
import Synchronization
import Testing

@testable import EventLoop

@Suite(.timeLimit(.minutes(5))) struct `Event loop` {
  /// A loop on a thread of its own.
  private final class RunningLoop: Sendable {
    let loop: EventLoop

    init() throws {
      let loop = try #require(EventLoop())
      self.loop = loop
      try #require(BlockingThread.start { loop.run() })
    }

    deinit { loop.finish() }
  }

  private let running: RunningLoop
  private var loop: EventLoop { running.loop }

  init() throws { running = try RunningLoop() }

  /// Runs `body` on the loop.
  private func onLoop<Result: Sendable>(
    _ body: @escaping @Sendable () async -> Result
  ) async -> Result {
    await Task(executorPreference: loop) { await body() }.value
  }

  private func soon(_ milliseconds: Int = 5) -> Moment {
    LocationClock.live.now.advanced(by: .milliseconds(milliseconds))
  }

  @Test func `sleeps until the first deadline, for which its timer is set once`() async {
    var state = EventLoop.State()
    #expect(state.beginSleep() == Sleep(waits: true))
    #expect(state.endSleep() == true)
    #expect(state.endSleep() == false)
    let point = state.addPoint(nil)
    let outcome = await withUnsafeContinuation {
      (continuation: UnsafeContinuation<WaitOutcome, Never>) in
      _ = unsafe state.begin(.task(continuation), at: point, until: 100)
      #expect(state.needsTurn)
      #expect(state.beginSleep() == Sleep(waits: true, ring: 100))
      #expect(!state.needsTurn)
      #expect(state.beginSleep() == Sleep(waits: true))
      // The timer has to be set again after it rang, if nothing was due.
      #expect(state.takeDue(at: 99).isEmpty)
      #expect(state.beginSleep() == Sleep(waits: true, ring: 100))
      let due = state.takeDue(at: 100)
      #expect(due.count == 1)
      let task = due.first ?? state.takeSleeper(at: point)
      task?.wake(.timedOut)
      #expect(state.beginSleep() == Sleep(waits: true))
      #expect(state.takeDue(at: .max - 1).isEmpty)
    }
    #expect(outcome == .timedOut)
    state.isFinished = true
    #expect(state.beginSleep() == nil)
  }

  @Test func `has no wait and no signal of a point that was used before`() async {
    var state = EventLoop.State()
    let old = state.addPoint(nil)
    state.keepSignal(at: old)
    state.removePoint(old)
    state.removePoint(old)
    let point = state.addPoint(nil)
    #expect(point.index == old.index && point != old)
    #expect(state.addPoint(nil).index == 1)
    state.keepSignal(at: old)
    let outcome = await withUnsafeContinuation {
      (continuation: UnsafeContinuation<WaitOutcome, Never>) in
      _ = unsafe state.begin(.task(continuation), at: point, until: .max)
      #expect(!state.needsTurn)
      let earlier = state.takeSleeper(at: old)
      #expect(earlier == nil)
      let task = unsafe state.takeSleeper(at: point) ?? .task(continuation)
      task.wake(.signalled)
    }
    #expect(outcome == .signalled)
  }

  @Test func `runs jobs on one thread, in their order`() async {
    let order = Order()
    let loop = loop
    let threads = await withTaskGroup(of: UInt.self) { group in
      for number in 0..<50 {
        group.addTask(executorPreference: loop) { [order] in
          order.append(number)
          return UInt(pthread_self())
        }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(threads.count == 1)
    #expect(order.numbers == Array(0..<50))
  }

  @Test func `ends a wait when a descriptor becomes readable`() async throws {
    let pipe = try Pipe()
    let point = WaitPoint(on: loop, descriptor: pipe.reader)
    async let outcome = onLoop { await point.wait() }
    pipe.write()
    #expect(await outcome == .signalled)
  }

  @Test func `ends a wait at once as long as a descriptor is readable`() async throws {
    let pipe = try Pipe()
    pipe.write()
    let point = WaitPoint(on: loop, descriptor: pipe.reader)
    for _ in 0..<3 { #expect(await onLoop { await point.wait() } == .signalled) }
    pipe.read()
    let deadline = soon()
    #expect(await onLoop { await point.wait(until: deadline) } == .timedOut)
    #expect(LocationClock.live.now >= deadline)
  }

  @Test func `ends a wait when one of several descriptors is ready, which can change`() async throws
  {
    let pipes = [try Pipe(), try Pipe()]
    let point = WaitPoint(on: loop)
    let sources = pipes.map { AwaitedDescriptor($0.reader) }
    let deadline = soon()
    #expect(await onLoop { await point.wait(for: sources, until: deadline) } == .timedOut)
    for pipe in pipes {
      pipe.write()
      #expect(await onLoop { await point.wait(for: sources) } == .signalled)
      pipe.read()
    }
    pipes[0].write()
    let later = soon()
    let others = [sources[1]]
    #expect(await onLoop { await point.wait(for: others, until: later) } == .timedOut)
    // None of them keeps the loop awake, and each can be watched again.
    let both = [AwaitedDescriptor(pipes[0].writer, for: .writing), sources[0]]
    #expect(await onLoop { await point.wait(for: both) } == .signalled)
    point.signal()
    #expect(await onLoop { await point.wait(for: []) } == .signalled)
  }

  @Test func `ends a wait for what cannot be watched at once`() async throws {
    let regular = open("/proc/self/exe", O_RDONLY)
    defer { close(regular) }
    let point = WaitPoint(on: loop)
    let sources = [AwaitedDescriptor(regular)]
    #expect(await onLoop { await point.wait(for: sources) } == .signalled)
  }

  @Test func `ends a wait when a descriptor can be written`() async throws {
    let pipe = try Pipe()
    pipe.fill()
    let point = WaitPoint(on: loop, descriptor: pipe.writer, for: .writing)
    let deadline = soon()
    #expect(await onLoop { await point.wait(until: deadline) } == .timedOut)
    async let outcome = onLoop { await point.wait() }
    pipe.drain()
    #expect(await outcome == .signalled)
  }

  @Test func `ends a wait for a hang-up when the other side is gone, not when it writes`()
    async throws
  {
    var ends: [CInt] = [-1, -1]
    try #require(socketpair(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0, &ends) == 0)
    defer { close(ends[0]) }
    let point = WaitPoint(on: loop, descriptor: ends[0], for: .hangUp)
    try #require(write(ends[1], "x", 1) == 1 && shutdown(ends[1], CInt(SHUT_WR)) == 0)
    let deadline = soon()
    #expect(await onLoop { await point.wait(until: deadline) } == .timedOut)
    close(ends[1])
    #expect(await onLoop { await point.wait() } == .signalled)
  }

  @Test func `waits for a file no longer than a read would`() async throws {
    let file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
    defer { close(file) }
    let point = WaitPoint(on: loop, descriptor: file)
    for _ in 0..<2 { #expect(await onLoop { await point.wait() } == .signalled) }
  }

  @Test func `ends waits at their deadlines, in order, even if several are over at once`() async {
    let order = Order()
    let now = LocationClock.live.now
    let loop = loop
    await withTaskGroup(of: Void.self) { group in
      for delay in [30, 10, 20, 40, 0] {
        group.addTask(executorPreference: loop) {
          let point = WaitPoint(on: loop)
          let outcome = await point.wait(until: now.advanced(by: .milliseconds(delay)))
          #expect(outcome == .timedOut)
          order.append(delay)
        }
      }
    }
    #expect(order.numbers == [0, 10, 20, 30, 40])
  }

  @Test func `ends a wait at its deadline while jobs keep the loop busy`() async {
    let point = WaitPoint(on: loop)
    let loop = loop
    let busy = Task(executorPreference: loop) { while !Task.isCancelled { await Task.yield() } }
    let deadline = soon()
    #expect(await onLoop { await point.wait(until: deadline) } == .timedOut)
    busy.cancel()
    await busy.value
  }

  @Test func `ends waits that are due in the same turn in the order of their deadlines`() async {
    let order = Order()
    let now = LocationClock.live.now
    let loop = loop
    // On the loop, so that all of them wait before its next turn.
    await onLoop {
      await withTaskGroup(of: Void.self) { group in
        for earlier in [30, 10, 20, 40, 0] {
          group.addTask(executorPreference: loop) {
            let point = WaitPoint(on: loop)
            let outcome = await point.wait(until: now.advanced(by: .milliseconds(-earlier)))
            #expect(outcome == .timedOut)
            order.append(earlier)
          }
        }
      }
    }
    #expect(order.numbers == [40, 30, 20, 10, 0])
  }

  @Test func `settles after what is due, even if it waits again and wakes another`() async {
    let order = Order()
    let past = LocationClock.live.now.advanced(by: .milliseconds(-1))
    let loop = loop
    let woken = WaitPoint(on: loop)
    // On the loop, so that all of them wait before its next turn.
    await onLoop {
      await withTaskGroup(of: Void.self) { group in
        group.addTask(executorPreference: loop) {
          await loop.settle()
          order.append(4)
        }
        group.addTask(executorPreference: loop) {
          _ = await woken.wait()
          order.append(3)
        }
        group.addTask(executorPreference: loop) {
          let point = WaitPoint(on: loop)
          for number in 1...2 {
            #expect(await point.wait(until: past) == .timedOut)
            order.append(number)
          }
          woken.signal()
        }
      }
    }
    #expect(order.numbers == [1, 2, 3, 4])
  }

  @Test func `keeps a signal for the next wait, once`() async {
    let point = WaitPoint(on: loop)
    point.signal()
    point.signal()
    #expect(await onLoop { await point.wait() } == .signalled)
    let deadline = soon()
    #expect(await onLoop { await point.wait(until: deadline) } == .timedOut)
  }

  @Test(arguments: [false, true])
  func `is woken by another thread`(isAlone: Bool) async throws {
    let loop = loop
    let point = WaitPoint(on: loop)
    let other = WaitPoint(on: loop)
    // With a second task on the loop, neither may keep the thread.
    let second = isAlone ? nil : Task(executorPreference: loop) { await other.wait() }
    let first = Task(executorPreference: loop) { await point.wait() }
    try #require(BlockingThread.start { point.signal() })
    #expect(await first.value == .signalled)
    other.signal()
    if let second { #expect(await second.value == .signalled) }
  }

  @Test func `a reused wait point has no old signal`() async {
    do {
      let old = WaitPoint(on: loop)
      old.signal()
    }
    let new = WaitPoint(on: loop)
    let deadline = soon()
    #expect(await onLoop { await new.wait(until: deadline) } == .timedOut)
  }

  @Test func `a sleep on its clock ends when its task is cancelled`() async throws {
    let clock = loop.clock
    let task = Task { try await clock.sleep(until: clock.now.advanced(by: .seconds(3600))) }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    try await clock.sleep(until: clock.now.advanced(by: .milliseconds(1)))
  }

  @Test func `ends the waits of a task that is cancelled`() async throws {
    let pipe = try Pipe()
    let point = WaitPoint(on: loop, descriptor: pipe.reader)
    let loop = loop
    let task = Task(executorPreference: loop) { [await point.wait(), await point.wait()] }
    while !loop.watches(point.id) { await Task.yield() }
    task.cancel()
    #expect(await task.value == [.signalled, .signalled])
    // Another task waits on.
    let other = Task(executorPreference: loop) { await point.wait() }
    while !loop.watches(point.id) { await Task.yield() }
    pipe.write()
    #expect(await other.value == .signalled)
  }

  @Test func `lets no cancelled task wait`() async {
    let loop = loop
    let outcome = await Task(executorPreference: loop) {
      withUnsafeCurrentTask { unsafe $0?.cancel() }
      return await WaitPoint(on: loop).wait()
    }.value
    #expect(outcome == .signalled)
  }

  @Test func `a point releases a listener whose own point goes with it`() throws {
    let loop = try #require(EventLoop())
    let point = WaitPoint(on: loop)
    // The second replaces the first.
    for number in 0..<2 { point.tell(Listener(at: WaitPoint(on: loop)), as: number) }
  }

  @Test func `a descriptor that nobody waits for does not keep it awake`() async throws {
    let pipe = try Pipe()
    let point = WaitPoint(on: loop, descriptor: pipe.reader)
    let deadline = soon()
    #expect(await onLoop { await point.wait(until: deadline) } == .timedOut)
    #expect(loop.watches(point.id))
    pipe.write()
    let other = WaitPoint(on: loop)
    // A loop that slept through this looked at the descriptor once.
    for _ in 0..<2 {
      let deadline = soon()
      _ = await onLoop { await other.wait(until: deadline) }
    }
    #expect(!loop.watches(point.id))
    #expect(await onLoop { await point.wait() } == .signalled)
  }

  @Test func `a descriptor that is always ready starves none of 999 others`() async throws {
    try raiseDescriptorLimit()
    let flood = try Pipe()
    flood.write()
    let pipes = try (0..<999).map { _ in try Pipe() }
    let loop = loop
    let turns = Turns()
    let flooded = Task(executorPreference: loop) {
      let point = WaitPoint(on: loop, descriptor: flood.reader)
      while !Task.isCancelled, await point.wait() == .signalled { turns.add() }
    }
    let latest = await withTaskGroup(of: Int.self) { group in
      for pipe in pipes {
        group.addTask(executorPreference: loop) {
          #expect(await WaitPoint(on: loop, descriptor: pipe.reader).wait() == .signalled)
          return turns.count
        }
      }
      // Jobs run in their order: by now all of them wait.
      group.addTask(executorPreference: loop) {
        for pipe in pipes { pipe.write() }
        turns.reset()
        return 0
      }
      return await group.reduce(0) { max($0, $1) }
    }
    flooded.cancel()
    await flooded.value
    // The system reports 64 descriptors at once, of which the flood is one.
    #expect(latest < 64)
  }

  /// Other tests raise it, too, and as far.
  private func raiseDescriptorLimit() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
    try #require(limit.rlim_cur >= 2200)
  }
}

/// Numbers in the order in which tasks came to them.
private final class Order: Sendable {
  private let list = Mutex<[Int]>([])

  var numbers: [Int] { list.withLock(\.self) }

  func append(_ number: Int) { list.withLock { $0.append(number) } }
}

/// Counts the turns of a task.
private final class Turns: Sendable {
  private let counter = Atomic(0)

  var count: Int { counter.load(ordering: .relaxed) }

  func add() { counter.add(1, ordering: .relaxed) }
  func reset() { counter.store(0, ordering: .relaxed) }
}

/// A pipe that never blocks; it is closed when it goes.
private final class Pipe: Sendable {
  let reader: CInt
  let writer: CInt

  init() throws {
    var ends: [CInt] = [-1, -1]
    try #require(pipe(&ends) == 0)
    (reader, writer) = (ends[0], ends[1])
    for end in ends { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
  }

  deinit {
    close(reader)
    close(writer)
  }

  func write() { _ = Glibc.write(writer, [1] as [UInt8], 1) }

  func read() {
    var byte: UInt8 = 0
    _ = Glibc.read(reader, &byte, 1)
  }

  /// Writes until there is no room.
  func fill() { while Glibc.write(writer, [1] as [UInt8], 1) == 1 {} }

  /// Reads until there is nothing.
  func drain() {
    var bytes = [UInt8](repeating: 0, count: 65_536)
    while Glibc.read(reader, &bytes, bytes.count) > 0 {}
  }
}
