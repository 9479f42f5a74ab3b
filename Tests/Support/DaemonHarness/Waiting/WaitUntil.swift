/// Waits until `condition` holds, and looks every few milliseconds. It blocks no thread.
///
/// - Throws: ``TimedOut``, with `what` in its words, when it still does not hold after `timeout`.
package func waitUntil(
  _ what: String, timeout: Duration = .seconds(30), condition: () async throws -> Bool
) async throws {
  try await waitFor(what, timeout: timeout) { try await condition() ? () : nil }
}

/// Waits until `value` gives something, and looks every few milliseconds. It blocks no thread.
///
/// - Throws: ``TimedOut``, with `what` in its words, when there is still nothing after `timeout`.
package func waitFor<Value>(
  _ what: String, timeout: Duration = .seconds(30), value: () async throws -> Value?
) async throws -> Value {
  let clock = ContinuousClock()
  let deadline = clock.now + timeout
  while true {
    if let value = try await value() { return value }
    guard clock.now < deadline else { throw TimedOut(what: what, timeout: timeout) }
    try await clock.sleep(until: clock.now + .milliseconds(3), tolerance: .zero)
  }
}

/// What a test waited for did not come.
package struct TimedOut: Error, CustomStringConvertible {
  package let what: String
  package let timeout: Duration

  package var description: String { "no \(what) within \(timeout)" }
}
