import GPSDLocation
import LocationCore
import LocationTestKit
import Synchronization
import Testing

@Suite struct `Recording session` {
  @Test func `keeps each line as it came, and passes everything on`() async throws {
    let lines = [Lines.version, "not json\r", Lines.tpv(1)]
    let spy = SpySession(RecordedSession(lines: lines))
    let kept = Mutex<[String]>([])
    let session = RecordingSession(spy) { line in
      kept.withLock { $0.append(Lines.text(line.bytes)) }
    }
    var events: [LocationEvent] = []
    for try await event in GPSDLocationSource(session: session).events() { events.append(event) }
    #expect(kept.withLock { $0 } == lines.map { $0 + "\n" })
    #expect(events == [.service(LocationService(name: "gpsd 3.22")), .fix(Lines.fix(1))])
    #expect(
      spy.calls == [.open(GPSDEndpoint()), .send(.watch), .read, .read, .read, .read, .close])
    #expect(!session.isLive)
  }
}
