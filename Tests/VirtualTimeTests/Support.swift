import Foundation
import Synchronization
import Testing

@testable import VirtualTime

/// A number in the environment.
func variable(_ name: String) -> Int? {
  ProcessInfo.processInfo.environment[name].flatMap { Int($0) }
}

extension ScheduleCoverage {
  /// Of a number of schedules, not even all of those without interruptions.
  static func cut(_ count: Int) -> ScheduleCoverage {
    ScheduleCoverage(count: count, isComplete: false, interruptions: nil, completeCount: 0)
  }
}

extension Tape {
  init(places: [Int] = [], interruptions: [Int: Int] = [:]) {
    self.init()
    for (place, choice) in zip(places, 1...) { self[.place(choice)] = place }
    for (point, place) in interruptions { self[.interruption(point)] = place }
  }
}

/// Returns the results that a test has in all of its schedules.
func results<Value: Hashable & Sendable>(
  interruptions: Int = 0, _ body: @escaping @Sendable (ManualClock) async throws -> Value
) async throws -> (values: Set<Value>, coverage: ScheduleCoverage) {
  let values = Mutex<Set<Value>>([])
  let coverage = try await exploreSchedules(atMost: 5000, interruptions: interruptions) { clock in
    let value = try await body(clock)
    values.withLock { _ = $0.insert(value) }
  }
  try #require(coverage.isComplete || coverage.interruptions == interruptions)
  return (values.withLock(\.self), coverage)
}

/// What the tests of virtual time throw.
enum Failure: Error { case expected }

/// Collects values from tasks that run at the same time.
final class Collector<Value: Sendable>: Sendable {
  private let state = Mutex<[Value]>([])

  var values: [Value] { state.withLock(\.self) }

  func add(_ value: Value) { state.withLock { $0.append(value) } }

  /// Waits for the first values.
  func next(_ count: Int) async -> [Value] {
    while values.count < count, !Task.isCancelled { await Task.yield() }
    return Array(values.prefix(count))
  }
}
