/// An error of virtual time itself, not of the code under test.
public struct VirtualTimeError: Error, Hashable, Sendable {
  /// What went wrong.
  public struct Code: Hashable, Sendable {
    private let number: Int

    /// The runtime lacks a hook that virtual time needs, or does not call it.
    public static let unavailable = Code(number: 1)
    /// Another library uses a hook of the runtime that virtual time needs.
    public static let hookTaken = Code(number: 2)
    /// The code under test slept in real time, with `Task.sleep`.
    public static let realSleep = Code(number: 3)
    /// Something outside of virtual time resumed a task: another thread, Dispatch, or another executor.
    public static let outside = Code(number: 4)
    /// Everything waits, and nothing can happen any more.
    public static let stuck = Code(number: 5)
    /// Tasks wait for each other, or two threads can.
    public static let circle = Code(number: 6)
    /// A million jobs ran, and the test still did not wait; a clock went to a million deadlines, and it did not end; or
    /// it waited a million times in a row, and nothing happened.
    public static let endless = Code(number: 7)
    /// The text is no schedule, or not one of this test.
    public static let schedule = Code(number: 8)
    /// No schedule has reached what ``sometimes(_:_:fileID:line:)`` names.
    public static let unreached = Code(number: 10)
    /// Not all schedules have run of a test that requires it.
    public static let incomplete = Code(number: 11)
    /// A test in virtual time began another one. It has to use a clock of its own virtual time.
    public static let nested = Code(number: 9)
  }

  /// What went wrong.
  public let code: Code
  private let detail: String
  /// Whether the test has not even ended when it was cancelled. It never runs again.
  package internal(set) var leavesTest = false

  init(_ code: Code, _ detail: String) {
    self.code = code
    self.detail = detail
  }

  /// The same error with that of the test, which it may have caused.
  func explaining(_ error: (any Error)?) -> VirtualTimeError {
    guard let error, !(error is CancellationError) else { return self }
    return VirtualTimeError(code, "\(detail). The test's own error: \(ErrorText.line(error))")
  }
}

extension VirtualTimeError: CustomStringConvertible {
  /// A text for failures of tests. Its format may change.
  public var description: String { "virtual time: \(detail)" }
}

extension VirtualTimeError {
  static func realSleep(_ task: String, _ duration: Duration?) -> VirtualTimeError {
    // What is left of a sleep until a moment can be less than nothing.
    let milliseconds = duration.map { Int(max(0, min($0 / .milliseconds(1), 1e15)).rounded()) }
    let time = milliseconds.map { " for \($0) ms" } ?? ""
    return VirtualTimeError(
      .realSleep,
      "\(task) slept\(time) in real time. Pass a clock to the code, and sleep by that clock")
  }

  static func outside(_ task: String) -> VirtualTimeError {
    VirtualTimeError(
      .outside,
      """
      \(task) was resumed from outside of virtual time: by another thread, by Dispatch, by an actor that has an \
      executor of its own, or by a test that runs at the same time and shares an actor, a task or a stream with this \
      one. When that happens differs between runs. In the test, replace what resumed it with a fake that runs in tasks
      """)
  }

  /// - Parameter ready: The numbers of the tasks that are ready.
  static func endless(_ tasks: TaskList, _ ready: [UInt64]) -> VirtualTimeError {
    VirtualTimeError(
      .endless,
      """
      \(World.maximumSteps) steps ran, and \(ready.map { tasks.label(of: $0) }.shortList) never waited. A task that calls \
      Task.yield() in a loop is always ready to run: let it wait for a clock, a stream or another task
      """)
  }

  /// - Parameter tasks: The tasks of the test.
  static func endless(_ tasks: TaskList) -> VirtualTimeError {
    VirtualTimeError(
      .endless,
      """
      the clock was advanced to \(World.maximumSteps) deadlines, and the test did not end. A task that always sleeps \
      again, such as a client that polls, needs advance(by:). Tasks that have not ended: \
      \(tasks.waiting.map { tasks.label(of: $0.number) }.shortList)
      """)
  }

  static func unreached(_ what: String) -> VirtualTimeError {
    VirtualTimeError(.unreached, "no schedule has reached this: \(what)")
  }

  package static func incomplete(_ coverage: ScheduleCoverage) -> VirtualTimeError {
    VirtualTimeError(
      .incomplete,
      """
      this test has to run under all schedules, and these have run: \(coverage). Raise the limit, allow fewer \
      interruptions, or start fewer tasks
      """)
  }

  static let nested = VirtualTimeError(
    .nested,
    "this test is in virtual time already, by a trait or a function: use ManualClock() in it")

  /// - Parameter tasks: The tasks of the test.
  static func vain(_ tasks: TaskList) -> VirtualTimeError {
    VirtualTimeError(
      .endless,
      """
      settle() or advance(by:) was called \(World.maximumSteps) times in a row, and nothing happened. What is waited for \
      in a loop never comes. Tasks that have not ended: \
      \(tasks.waiting.map { tasks.label(of: $0.number) }.shortList)
      """)
  }

  /// - Parameter task: The task that is resumed and cancelled at the same time.
  static func lockOrder(_ task: String) -> VirtualTimeError {
    VirtualTimeError(
      .circle,
      """
      \(task) is resumed by code that holds a lock, and at the same time cancelled; its cancellation handler waits for \
      that lock. On real threads, both can wait for ever. Resume continuations, and yield to streams, after the lock \
      was released
      """)
  }

  static func circle(_ tasks: String) -> VirtualTimeError {
    VirtualTimeError(.circle, "\(tasks) wait for each other, and never end")
  }

  /// - Parameters:
  ///   - tasks: The tasks of the test.
  ///   - clocks: The clocks on which they slept.
  static func stuck(_ tasks: TaskList, _ clocks: [ManualClock]) -> VirtualTimeError {
    var sentences = ["the test is stuck: it has not ended, and nothing can happen any more"]
    let awaited = tasks.awaitedByTest
    if !awaited.isEmpty { sentences.append("The test waits for \(awaited.shortList)") }
    if let circle = tasks.circle { sentences.append("\(circle) wait for each other") }
    let waiting = tasks.waiting.map { tasks.label(of: $0.number) }
    if waiting != awaited { sentences.append("Tasks that have not ended: \(waiting.shortList)") }
    let sleepers = clocks.filter { $0.sleeperCount > 0 }
    let deadlines = sleepers.compactMap { clock in clock.nextDeadline.map { (clock, $0) } }
    for (clock, deadline) in deadlines {
      sentences.append(
        """
        \(clock.sleeperCount == 1 ? "One task sleeps" : "\(clock.sleeperCount) tasks sleep") until \
        \(deadline.offset), but the ManualClock stands at \(clock.elapsed). Advance it, for example with whileAdvancing
        """)
    }
    if deadlines.isEmpty {
      sentences.append(
        """
        No task sleeps on a clock\(sleepers.isEmpty ? "" : ", except for ever"): a continuation, a stream or a task \
        that never ends is waited for
        """)
    }
    return VirtualTimeError(.stuck, sentences.joined(separator: ". "))
  }
}

extension [String] {
  fileprivate var shortList: String {
    prefix(5).joined(separator: ", ") + (count > 5 ? " and \(count - 5) more" : "")
  }
}
