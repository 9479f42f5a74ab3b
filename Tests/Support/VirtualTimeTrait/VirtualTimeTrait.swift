public import Testing

import Foundation
import VirtualTime

/// Runs each test of a suite in virtual time.
///
/// `LOCWATCH_SCHEDULES=1-50` runs each under those schedules instead, and an issue says under which it was recorded.
public struct VirtualTimeTrait: TestTrait, SuiteTrait, TestScoping {
  public var isRecursive: Bool { true }

  private static let seeds: ClosedRange<UInt64> = {
    let words = ProcessInfo.processInfo.environment["LOCWATCH_SCHEDULES"]?.split(separator: "-")
    let numbers = words?.compactMap { UInt64($0) } ?? []
    guard let first = numbers.first, let last = numbers.last, first <= last else { return 0...0 }
    return first...last
  }()

  public func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @concurrent @Sendable () async throws -> Void
  ) async throws {
    for seed in Self.seeds {
      let naming = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        if seed != 0 { issue.comments.append("under LOCWATCH_SCHEDULES=\(seed)-\(seed)") }
        return issue
      }
      try await naming.provideScope(for: test, testCase: testCase) {
        try await withoutActuallyEscaping(function) { function in
          try await withVirtualTime(seed: seed) { _ in try await function() }
        }
      }
    }
  }
}

extension Trait where Self == VirtualTimeTrait {
  /// Runs each test in virtual time.
  public static var virtualTime: Self { Self() }
}
