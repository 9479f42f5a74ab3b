import LocationCore
import LocationTestKit
import Synchronization
import Testing

@Suite struct `Failing fakes` {
  @Test func `a source fails whoever asks it, and only then`() async {
    let reports = Mutex<[String]>([])
    let source = FailingLocationSource { text in reports.withLock { $0.append(text) } }
    var iterator = source.events().makeAsyncIterator()
    #expect(reports.withLock(\.self) == [])
    let words = "a location was requested, and the test does not expect it"
    await #expect(throws: LocationError(.unscripted, words)) { try await iterator.next() }
    #expect(reports.withLock(\.self) == [words])
  }
}
