import Testing
import VirtualTime

/// A fault that flaky tests of public projects had, in a few lines, and the same code without it.
struct Pattern: Sendable, CustomTestStringConvertible {
  typealias Body = @Sendable @isolated(any) (ManualClock) async throws -> Void

  let name: String
  let faulty: Body
  let mended: Body

  var testDescription: String { name }

  static let all = timers + state + waiting
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
