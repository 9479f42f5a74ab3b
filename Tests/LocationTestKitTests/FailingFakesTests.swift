import LocationCore
import LocationTestKit
import Synchronization
import Testing

@Suite struct `Failing fakes` {
  @Test func `a source fails whoever asks it, and only then`() async {
    let reports = Reports()
    let source = FailingLocationSource(reports.add)
    var iterator = source.events().makeAsyncIterator()
    #expect(reports.all == [])
    let words = "a location was requested, and the test does not expect it"
    await #expect(throws: LocationError(.unscripted, words)) { try await iterator.next() }
    #expect(reports.all == [words])
  }
}

private final class Reports: Sendable {
  private let words = Mutex<[String]>([])
  var all: [String] { words.withLock { $0 } }
  func add(_ text: String) { words.withLock { $0.append(text) } }
}
