import GPSDTestKit
import LocationCore
import Synchronization
import Testing

@Suite struct `Failing session` {
  @Test func `a session fails every call that its test did not expect, and says which`() async {
    let reports = Mutex<[String]>([])
    let session = FailingSession { text in reports.withLock { $0.append(text) } }
    let endpoint = GPSDEndpoint()
    let words = [
      "open(localhost:2947) was called, and the test does not expect it",
      "send(?VERSION;) was called, and the test does not expect it",
      "read was called, and the test does not expect it",
    ]
    await #expect(throws: LocationError(.unscripted, words[0])) { try await session.open(endpoint) }
    await #expect(throws: LocationError(.unscripted, words[1])) { try await session.send(.version) }
    await #expect(throws: LocationError(.unscripted, words[2])) {
      try await session.read(until: nil)
    }
    await session.close()  // Whoever opened it closes it.
    #expect(reports.withLock(\.self) == words)
  }

  @Test func `a session does what its test set`() async throws {
    let reports = Mutex<[String]>([])
    let session = FailingSession(
      { text in reports.withLock { $0.append(text) } }, open: { _ in }, send: { _ in },
      read: { _ in .ended }, close: {})
    for try await _ in GPSDLocationSource(makeSession: { session }).events() {}
    #expect(reports.withLock(\.self) == [])
  }
}
