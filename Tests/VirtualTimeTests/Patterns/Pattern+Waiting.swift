import Synchronization
import VirtualTime

extension Pattern {
  /// What goes wrong when one task waits for another.
  static let waiting = [
    Pattern(
      name: "observer",
      faulty: { clock in try await observer(clock, isRegistered: false) },
      mended: { clock in try await observer(clock, isRegistered: true) }),
    Pattern(
      name: "fixed yields",
      faulty: { clock in try await yields(clock, settles: false) },
      mended: { clock in try await yields(clock, settles: true) }),
    Pattern(
      name: "replay",
      faulty: { clock in try await replay(clock, isAtomic: false) },
      mended: { clock in try await replay(clock, isAtomic: true) }),
    Pattern(
      name: "stream",
      faulty: { clock in try await stream(clock, isOrdered: false) },
      mended: { clock in try await stream(clock, isOrdered: true) }),
    Pattern(
      name: "semaphore",
      faulty: { clock in try await semaphore(clock, returnsPermit: false) },
      mended: { clock in try await semaphore(clock, returnsPermit: true) }),
    Pattern(
      name: "lost wakeup",
      faulty: { clock in try await gate(clock, checksAgain: false) },
      mended: { clock in try await gate(clock, checksAgain: true) }),
    Pattern(
      name: "circle",
      faulty: { clock in try await circle(clock, breaksIt: false) },
      mended: { clock in try await circle(clock, breaksIt: true) }),
  ]
}

/// Tells its observers what happens, and forgets it.
private actor Center {
  private var observers: [@Sendable (Int) -> Void] = []
  func observe(_ observer: @escaping @Sendable (Int) -> Void) { observers.append(observer) }
  func post(_ value: Int) { for observer in observers { observer(value) } }
}

private func observer(_ clock: ManualClock, isRegistered: Bool) async throws {
  let center = Center()
  let heard = Collector<Int>()
  let observing = Task { await center.observe(heard.add) }
  if isRegistered { await observing.value }
  Task { await center.post(1) }
  await clock.settle()
  try check(heard.values, is: [1])
}

private func yields(_ clock: ManualClock, settles: Bool) async throws {
  let done = Collector<Int>()
  Task {
    for _ in 1...3 { await Task.yield() }
    done.add(1)
  }
  if settles {
    await clock.settle()
  } else {
    for _ in 1...5 { await Task.yield() }
  }
  try check(done.values, is: [1])
}

/// Sends each listener the latest value first, and then all others.
private actor Subject {
  private var latest = 0
  private var listeners: [@Sendable (Int) -> Void] = []
  private let isAtomic: Bool

  init(isAtomic: Bool) { self.isAtomic = isAtomic }

  func send(_ value: Int) {
    latest = value
    for listener in listeners { listener(value) }
  }

  func listen(_ listener: @escaping @Sendable (Int) -> Void) async {
    let value = latest
    if !isAtomic { await Task.yield() }
    listeners.append(listener)
    listener(value)
  }
}

private func replay(_ clock: ManualClock, isAtomic: Bool) async throws {
  let subject = Subject(isAtomic: isAtomic)
  let heard = Collector<Int>()
  Task { await subject.listen(heard.add) }
  Task {
    await steps(4)
    await subject.send(1)
  }
  await clock.settle()
  try check(heard.values.last, is: 1)
}

private func stream(_ clock: ManualClock, isOrdered: Bool) async throws {
  let (values, continuation) = AsyncStream.makeStream(of: Int.self)
  let producers = (1...2).map { part in
    Task { @concurrent in
      if isOrdered, part == 2 { return }
      if part == 2 { await steps(2) }
      for value in isOrdered ? [10, 11, 20, 21] : [part * 10, part * 10 + 1] {
        continuation.yield(value)
        await Task.yield()
      }
    }
  }
  for producer in producers { await producer.value }
  continuation.finish()
  var received: [Int] = []
  for await value in values { received.append(value) }
  try check(received, is: [10, 11, 20, 21])
}

/// One permit, for which tasks wait.
private actor Permit {
  private var isFree = true
  private var waiting: [(id: Int, continuation: CheckedContinuation<Bool, Never>)] = []
  private var lastID = 0
  private let returnsPermit: Bool

  init(returnsPermit: Bool) { self.returnsPermit = returnsPermit }

  func take() async -> Bool {
    if isFree {
      isFree = false
      return true
    }
    lastID += 1
    let id = lastID
    return await withTaskCancellationHandler {
      await withCheckedContinuation { waiting.append((id, $0)) }
    } onCancel: {
      Task { await self.cancel(id) }
    }
  }

  private func cancel(_ id: Int) {
    guard let place = waiting.firstIndex(where: { $0.id == id }) else { return }
    waiting.remove(at: place).continuation.resume(returning: false)
  }

  func give() {
    guard !waiting.isEmpty else {
      isFree = true
      return
    }
    waiting.removeFirst().continuation.resume(returning: true)
  }

  /// Runs a closure with the permit.
  func use(_ body: () -> Void) async {
    guard await take() else { return }
    // The permit may come when nobody wants it any more.
    if Task.isCancelled {
      if returnsPermit { give() }
      return
    }
    body()
    give()
  }
}

private func semaphore(_ clock: ManualClock, returnsPermit: Bool) async throws {
  let permit = Permit(returnsPermit: returnsPermit)
  let done = Collector<Int>()
  _ = await permit.take()
  let cancelled = Task { await permit.use { done.add(1) } }
  await Task.yield()
  Task { await permit.give() }
  Task {
    await steps(4)
    cancelled.cancel()
  }
  await clock.settle()
  Task { await permit.use { done.add(2) } }
  await clock.settle()
  try check(done.values.last, is: 2)
}

/// Lets tasks pass once it is open.
private actor Gate {
  private var isOpen = false
  private var waiting: CheckedContinuation<Void, Never>?
  private let checksAgain: Bool

  init(checksAgain: Bool) { self.checksAgain = checksAgain }

  func pass() async {
    if isOpen { return }
    // What takes a step between the question and the wait.
    await Task.yield()
    if checksAgain, isOpen { return }
    await withCheckedContinuation { waiting = $0 }
  }

  func open() {
    isOpen = true
    waiting?.resume()
    waiting = nil
  }
}

private func gate(_ clock: ManualClock, checksAgain: Bool) async throws {
  let gate = Gate(checksAgain: checksAgain)
  let done = Collector<Int>()
  Task {
    await gate.pass()
    done.add(1)
  }
  Task {
    await steps(4)
    await gate.open()
  }
  await clock.settle()
  try check(done.values, is: [1])
}

/// Two parts of a program that wait for each other if both start before either is done.
private actor Parts {
  private var tasks: [String: Task<Void, Never>] = [:]

  func start(_ name: String, after other: String?) -> Task<Void, Never> {
    if let task = tasks[name] { return task }
    let task = Task {
      await Task.yield()
      if let other, let task = self.tasks[other] { await task.value }
    }
    tasks[name] = task
    return task
  }
}

private func circle(_ clock: ManualClock, breaksIt: Bool) async throws {
  let parts = Parts()
  Task { await parts.start("cache", after: "network") }
  Task {
    await steps(4)
    _ = await parts.start("network", after: breaksIt ? nil : "cache")
  }
  await clock.settle()
}
