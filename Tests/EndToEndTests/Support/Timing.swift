import Foundation
import Testing

/// Whether limits of time count. A busy machine keeps none of them: 'make check-timing' runs only these tests, and
/// again where one fails.
private let isTimeMeasured = ProcessInfo.processInfo.environment["LOCWATCH_TIMING_TESTS"] == "1"

/// Expects that something took less than `limit`, where time is measured.
func expect(
  _ elapsed: Duration, within limit: Duration, sourceLocation: SourceLocation = #_sourceLocation
) {
  if isTimeMeasured { #expect(elapsed < limit, sourceLocation: sourceLocation) }
}

/// Expects that `body` takes less than `limit`, where time is measured.
func expect(
  within limit: Duration, sourceLocation: SourceLocation = #_sourceLocation,
  _ body: () async throws -> Void
) async throws {
  let start = ContinuousClock.now
  try await body()
  expect(ContinuousClock.now - start, within: limit, sourceLocation: sourceLocation)
}
