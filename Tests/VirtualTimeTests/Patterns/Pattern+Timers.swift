import VirtualTime

extension Pattern {
  /// What goes wrong when two things are due at the same moment, or a task outlives its timer.
  static let timers = [
    Pattern(
      name: "debounce",
      faulty: { clock in try await debounce(clock, checksCancellation: false) },
      mended: { clock in try await debounce(clock, checksCancellation: true) }),
    Pattern(
      name: "throttle",
      faulty: { clock in try await throttle(clock, decides: false) },
      mended: { clock in try await throttle(clock, decides: true) }),
    Pattern(
      name: "retry",
      faulty: { clock in try await retry(clock, answersInTime: false) },
      mended: { clock in try await retry(clock, answersInTime: true) }),
    Pattern(
      name: "limit and answer",
      faulty: { clock in try await timeLimit(clock, answerCounts: false) },
      mended: { clock in try await timeLimit(clock, answerCounts: true) }),
    Pattern(
      name: "limit of a group",
      faulty: { clock in try await groupLimit(clock, isDeaf: true) },
      mended: { clock in try await groupLimit(clock, isDeaf: false) }),
    Pattern(
      name: "two polls",
      faulty: { clock in try await polls(clock, waitsForOld: false) },
      mended: { clock in try await polls(clock, waitsForOld: true) }),
  ]
}

/// A search that starts when nothing was typed for a while.
private actor Debouncer {
  /// Searches that began after another text was typed.
  private(set) var outdated: [String] = []
  private var latest = ""
  private var waiting: Task<Void, Never>?
  private let clock: ManualClock
  private let checksCancellation: Bool

  init(_ clock: ManualClock, checksCancellation: Bool) {
    self.clock = clock
    self.checksCancellation = checksCancellation
  }

  func type(_ text: String) {
    latest = text
    waiting?.cancel()
    waiting = Task {
      try? await clock.sleep(for: .milliseconds(300))
      if checksCancellation, Task.isCancelled { return }
      if text != latest { outdated.append(text) }
    }
  }
}

private func debounce(_ clock: ManualClock, checksCancellation: Bool) async throws {
  let debouncer = Debouncer(clock, checksCancellation: checksCancellation)
  await debouncer.type("a")
  Task {
    try? await clock.sleep(for: .milliseconds(300))
    await debouncer.type("ab")
  }
  await clock.advance(by: .seconds(1))
  // The first search may have begun when the second key comes, or be given up for it.
  try check(await debouncer.outdated, is: [])
}

/// Passes on the first value of each second.
private actor Throttle {
  private(set) var passed: [Int] = []
  private var isOpen = true
  private let clock: ManualClock

  init(_ clock: ManualClock) { self.clock = clock }

  func add(_ value: Int) {
    guard isOpen else { return }
    isOpen = false
    passed.append(value)
    Task {
      try? await clock.sleep(for: .seconds(1))
      isOpen = true
    }
  }
}

private func throttle(_ clock: ManualClock, decides: Bool) async throws {
  let throttle = Throttle(clock)
  await throttle.add(1)
  Task {
    // With the window itself, it is open to chance whether the second value passes.
    try? await clock.sleep(for: decides ? .milliseconds(1001) : .seconds(1))
    await throttle.add(2)
  }
  await clock.advance(by: .seconds(2))
  try check(await throttle.passed, is: [1, 2])
}

/// An upload that is repeated every three seconds until it is confirmed.
private actor Upload {
  private(set) var requests = 0
  private var isConfirmed = false

  func run(_ clock: ManualClock) async {
    while !isConfirmed {
      requests += 1
      try? await clock.sleep(for: .seconds(3))
    }
  }

  func confirm() { isConfirmed = true }
}

private func retry(_ clock: ManualClock, answersInTime: Bool) async throws {
  let upload = Upload()
  Task {
    try? await clock.sleep(for: answersInTime ? .milliseconds(2999) : .seconds(3))
    await upload.confirm()
  }
  Task { await upload.run(clock) }
  await clock.advance(by: .seconds(10))
  try check(await upload.requests, is: 1)
}

/// The first of an answer and a time limit.
private actor Race {
  private(set) var result: String?
  private let answerCounts: Bool

  init(answerCounts: Bool) { self.answerCounts = answerCounts }

  func end(_ result: String) {
    if self.result == nil || (answerCounts && result == "answer") { self.result = result }
  }
}

private func timeLimit(_ clock: ManualClock, answerCounts: Bool) async throws {
  let race = Race(answerCounts: answerCounts)
  Task {
    try? await clock.sleep(for: .seconds(5))
    await race.end("answer")
  }
  Task {
    try? await clock.sleep(for: .seconds(5))
    await race.end("timeout")
  }
  await clock.advance(by: .seconds(5))
  try check(await race.result, is: "answer")
}

/// A group does not return before its last task, even if the result is known.
private func groupLimit(_ clock: ManualClock, isDeaf: Bool) async throws {
  let start = clock.elapsed
  await clock.whileAdvancing {
    await withTaskGroup { group in
      group.addTask { try? await clock.sleep(for: .seconds(2)) }
      group.addTask {
        for _ in 1...10 where !Task.isCancelled {
          // A task of its own is not cancelled with the group.
          let pause = Task { try? await clock.sleep(for: .seconds(1)) }
          await withTaskCancellationHandler {
            await pause.value
          } onCancel: {
            if !isDeaf { pause.cancel() }
          }
        }
      }
      _ = await group.next()
      group.cancelAll()
    }
  }
  try check(clock.elapsed - start, is: .seconds(2))
}

/// Polls once a second while the app is in front.
@MainActor private final class Poller {
  private(set) var mostLoops = 0
  private var loops = 0
  private var task: Task<Void, Never>?
  private var isActive = false
  private let clock: ManualClock
  private let waitsForOld: Bool

  init(_ clock: ManualClock, waitsForOld: Bool) {
    self.clock = clock
    self.waitsForOld = waitsForOld
  }

  func start() {
    isActive = true
    task = Task { [old = task] in
      if waitsForOld { await old?.value }
      loops += 1
      mostLoops = max(mostLoops, loops)
      while isActive, !Task.isCancelled { try? await clock.sleep(for: .seconds(1)) }
      loops -= 1
    }
  }

  func stop() {
    isActive = false
    if waitsForOld { task?.cancel() }
  }
}

@MainActor private func polls(_ clock: ManualClock, waitsForOld: Bool) async throws {
  let poller = Poller(clock, waitsForOld: waitsForOld)
  // The app leaves the front, and comes back, at the moment of a poll.
  Task {
    try? await clock.sleep(for: .seconds(1))
    poller.stop()
    await steps(2)
    poller.start()
  }
  await clock.settle()
  poller.start()
  await clock.advance(by: .milliseconds(2500))
  poller.stop()
  try check(poller.mostLoops, is: 1)
}
