import Testing
import VirtualTime

/// A fault that flaky tests of public projects had, in a few lines, and the same code without it.
struct Pattern: Sendable, CustomTestStringConvertible {
  typealias Body = @Sendable @isolated(any) (ManualClock) async throws -> Void

  let name: String
  /// Fails in some orders, but not in the usual one.
  let faulty: Body
  let mended: Body

  var testDescription: String { name }

  static let all = timers + state + waiting
}

/// Waits for a number of turns, so that in the usual order something else is over first.
func steps(_ count: Int) async {
  for _ in 0..<count { await Task.yield() }
}

/// A result that is wrong.
struct Wrong: Error, Equatable, CustomStringConvertible {
  let description: String

  init(_ value: Any) { description = "\(value)" }
}

/// Throws unless both are equal.
func check<Value: Equatable>(_ value: Value, is expected: Value) throws(Wrong) {
  if value != expected { throw Wrong(value) }
}
