public import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization
@_exported public import VirtualTime

/// Runs each test in virtual time, under one order of its tasks or under many.
///
/// ```swift
/// @Test(.schedules(atMost: 1_000)) func showsTheLastSearch() async throws {
///   let clock = ManualClock()
///   let model = SearchModel(server, clock: clock)
///   model.search("a")
///   model.search("ab")
///   await clock.advance(by: .seconds(1))
///   #expect(model.results == ["ab"])
/// }
/// ```
///
/// The test has failed under a schedule if it has recorded an issue that is neither known nor a warning, and then no
/// further schedule runs. Its issues come with the text of a `ScheduleFailure`. Known issues and warnings are those of
/// the first schedule. An issue in `Task.detached` is not of the test, so it does not count. Everything else is as in
/// `exploreSchedules(atMost:interruptions:_:)`.
///
/// Environment variables change all such tests:
///
/// - `VIRTUAL_TIME_SCHEDULE` is the text of the only schedule that runs, as a failure prints it.
/// - `VIRTUAL_TIME_SCHEDULES` is the lowest limit of the number of schedules: with `VIRTUAL_TIME_SCHEDULES=10000 swift
///   test`, even tests with the trait `virtualTime` run under many schedules.
/// - `VIRTUAL_TIME_LOG` is the path of a file. A line is appended to it for each case of a test that ran under several
///   schedules: the name of the test, and how many schedules have run.
public struct SchedulesTrait: TestTrait, SuiteTrait, TestScoping {
  private let limit: Int
  private let interruptions: Int
  /// Whether all schedules have to run, with that number of interruptions.
  private let isComplete: Bool
  /// The only schedule that runs; `nil` for the usual order or many.
  private let schedule: String?
  private let waitsForOutside: Bool
  /// Returns a variable of the environment.
  var variable: @Sendable (String) -> String? = { name in
    unsafe getenv(name).map { unsafe String(cString: $0) }
  }

  fileprivate init(
    limit: Int = 1, interruptions: Int = 1, isComplete: Bool = false, schedule: String? = nil,
    waitsForOutside: Bool = false
  ) {
    self.isComplete = isComplete
    self.limit = limit
    self.interruptions = interruptions
    self.schedule = schedule
    self.waitsForOutside = waitsForOutside
  }

  /// Whether the tests of a suite have the trait of the suite: they do. Of several such traits, only the last one
  /// counts: that of the test, or of the innermost suite.
  public var isRecursive: Bool { true }

  /// Runs a test.
  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    // The first trait has begun the virtual time.
    guard !Patience.current.isVirtual else { return try await function() }
    let last = test.traits.compactMap { $0 as? Self }.last ?? self
    let waitsForOutside = last.waitsForOutside
    let schedule = variable("VIRTUAL_TIME_SCHEDULE") ?? last.schedule
    let wanted = variable("VIRTUAL_TIME_SCHEDULES").flatMap { Int($0) } ?? 0
    let limit = schedule != nil || waitsForOutside ? 1 : max(1, last.limit, wanted)
    let place = "\(test.sourceLocation.fileName):\(test.sourceLocation.line):"
    let repetition = Repetition(
      "VIRTUAL_TIME_SCHEDULE='", "' swift test --filter '\(place)'",
      test: "\(test.name) at \(test.sourceLocation)")
    try await withoutActuallyEscaping(function) { function in
      let runner = TestRunner(
        test: test, testCase: testCase, function: function, waitsForOutside: waitsForOutside)
      try await Repetition.$current.withValue(repetition) {
        do {
          if limit == 1 {
            try await runner.run(schedule ?? "", nil)
          } else {
            let coverage = try await runner.explore(
              atMost: limit, interruptions: last.interruptions)
            log("\(test.id): \(coverage)\n")
            if last.limit > 1 { try last.report(coverage, of: test) }
          }
        } catch let failure as ScheduleFailure {
          log("\(test.id): failed by schedule \(failure.count)\n")
          if (failure.error as? VirtualTimeError)?.code == .unreached {
            // The environment can only have asked for more schedules.
            if last.limit > 1 { throw failure }
            return
          }
          Self.checkEnd(of: test.name, at: test.sourceLocation, failure)
          // A test that cancels itself throws, but that is no failure.
          if Task.isCancelled { throw failure.error }
          try await runner.run(failure.schedule, failure)
        } catch {
          Self.checkEnd(of: test.name, at: test.sourceLocation, error)
          throw error
        }
      }
    }
  }

  /// Ends the process if a test has not ended: it still holds what Swift Testing ends now.
  static func checkEnd(of name: String, at place: SourceLocation, _ error: any Error) {
    let cause = (error as? ScheduleFailure)?.error ?? error
    guard (cause as? VirtualTimeError)?.leavesTest == true else { return }
    let text = """

      \(name) at \(place) failed, and did not even end when it was cancelled. No other test can run now.
      \(error)

      """
    _ = unsafe write(2, text, text.utf8.count)
    exit(EXIT_FAILURE)
  }

  private func report(_ coverage: ScheduleCoverage, of test: Test) throws {
    let text = "\(test.name): \(coverage)\n"
    _ = unsafe write(2, text, text.utf8.count)
    let isComplete = coverage.isComplete || (coverage.interruptions ?? -1) >= interruptions
    if self.isComplete, !isComplete { throw VirtualTimeError.incomplete(coverage) }
  }

  private func log(_ line: String) {
    guard let path = variable("VIRTUAL_TIME_LOG"), let file = unsafe fopen(path, "a") else {
      return
    }
    unsafe fputs(line, file)
    unsafe fclose(file)
  }
}

extension Trait where Self == SchedulesTrait {
  /// Runs each test in virtual time, in the usual order of its tasks.
  public static var virtualTime: Self { Self() }

  /// Runs each test in virtual time, in the usual order of its tasks.
  ///
  /// - Parameter waitsForOutside: Whether the test needs other threads, as in
  ///   `withVirtualTime(schedule:waitsForOutside:_:)`. It then runs under one schedule only.
  public static func virtualTime(waitsForOutside: Bool) -> Self {
    Self(waitsForOutside: waitsForOutside)
  }

  /// Runs each test in virtual time, under every order of its tasks, or under many if there are more than a limit. What
  /// has run is written to stderr, such as `all 91 schedules`.
  ///
  /// - Parameters:
  ///   - limit: The number of schedules that may run. If it is less than one, one runs.
  ///   - interruptions: The maximum number of interruptions in one schedule, as in
  ///     `exploreSchedules(atMost:interruptions:_:)`.
  ///   - isComplete: Whether a test fails if it has more schedules with that number of interruptions than the limit.
  public static func schedules(
    atMost limit: Int, interruptions: Int = 1, complete isComplete: Bool = false
  ) -> Self {
    Self(limit: limit, interruptions: interruptions, isComplete: isComplete)
  }

  /// Runs each test in virtual time, under one schedule.
  ///
  /// - Parameter text: The text of the schedule, from a failure.
  public static func schedule(_ text: String) -> Self { Self(schedule: text) }
}

/// Runs one test or one of its cases.
private struct TestRunner: Sendable {
  /// An issue that a test has recorded without an error.
  struct RecordedIssue: Error, CustomStringConvertible {
    let description: String
  }

  let test: Test
  let testCase: Test.Case?
  let function: @Sendable () async throws -> Void
  let waitsForOutside: Bool

  /// Runs the test under schedules until one fails. Only known issues and warnings of the first are reported.
  func explore(
    atMost limit: Int, interruptions: Int
  ) async throws(ScheduleFailure) -> ScheduleCoverage {
    let hasRun = Atomic(false)
    return try await exploreSchedules(atMost: limit, interruptions: interruptions) { _ in
      let isFirst = !hasRun.exchange(true, ordering: .relaxed)
      let issues = Mutex<[String]>([])
      try await handlingIssues { issue in
        guard issue.isFailure else { return isFirst ? issue : nil }
        issues.withLock { $0.append("\(issue)") }
        return nil
      }
      if let first = issues.withLock(\.first) { throw RecordedIssue(description: first) }
    }
  }

  /// Runs the test under one schedule, and reports its issues.
  ///
  /// - Parameter failure: Why the test runs again. Its story is a comment of each issue.
  func run(_ schedule: String, _ failure: ScheduleFailure?) async throws {
    let isRepeated = Mutex(false)
    do {
      try await withVirtualTime(schedule: schedule, waitsForOutside: waitsForOutside) { _ in
        try await handlingIssues { issue in
          guard let failure else { return issue }
          guard issue.isFailure else { return nil }
          isRepeated.withLock { $0 = true }
          var issue = issue
          issue.comments.append(Comment(rawValue: failure.story))
          return issue
        }
      }
    } catch  where failure == nil || isRepeated.withLock(\.self) {
      throw error
    } catch {}
    if let failure, !isRepeated.withLock(\.self) { throw failure }
  }

  private func handlingIssues(_ handle: @escaping @Sendable (Issue) -> Issue?) async throws {
    try await IssueHandlingTrait.compactMapIssues(handle)
      .provideScope(for: test, testCase: testCase) { try await function() }
  }
}

#if compiler(<6.3)
  extension Issue {
    /// Whether the issue fails its test: it is not known. Before Swift 6.3, only its stored properties say that.
    fileprivate var isFailure: Bool {
      Mirror(reflecting: self).descendant("knownIssueContext").map { "\($0)" == "nil" } ?? true
    }
  }
#endif
