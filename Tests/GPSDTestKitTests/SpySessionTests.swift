import GPSDLocation
import LocationCore
import GPSDTestKit
import Testing

@Suite struct `Spy session` {
  @Test func `lists every call with its arguments`() async throws {
    let spy = SpySession()
    let endpoint = GPSDEndpoint(host: "::1", port: 4711)
    let source = GPSDLocationSource(
      endpoint: endpoint, device: "/dev/ttyACM0", makeSession: { spy })
    for try await _ in source.events() {}
    #expect(
      spy.calls == [.open(endpoint), .send(.watch(device: "/dev/ttyACM0")), .read, .close])
  }

  @Test func `passes on what the session behind it returns`() async throws {
    let recorded = RecordedSession(lines: [#"{"class":"TPV","mode":1}"#])
    let spy = SpySession(recorded)
    try await spy.open(GPSDEndpoint())
    guard case .value(let lines, _) = try await spy.read(until: nil) else {
      Issue.record("no lines")
      return
    }
    #expect(String(decoding: lines.bytes, as: UTF8.self) == #"{"class":"TPV","mode":1}"# + "\n")
    #expect(!spy.isLive)
  }

  @Test func `lists failed calls as well`() async {
    let spy = SpySession(FailingSession())
    await #expect(throws: LocationError.self) { try await spy.open(GPSDEndpoint()) }
    #expect(spy.calls == [.open(GPSDEndpoint())])
  }
}
