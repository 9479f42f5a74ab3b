import GPSDLocation
import GPSDTestKit
import LocationCore
import LocationTestKit
import Testing

@Suite struct `Addresses of gpsd` {
  @Test(arguments: [
    (GPSDEndpoint(), "localhost:2947"), (GPSDEndpoint(host: "::1"), "[::1]:2947"),
    (GPSDEndpoint(host: "fe80::1%eth0", port: 1), "[fe80::1%eth0]:1"),
    (GPSDEndpoint(host: "10.0.0.7", port: 65535), "10.0.0.7:65535"),
  ])
  func `are written as they are typed`(endpoint: GPSDEndpoint, text: String) {
    #expect(endpoint.description == text)
  }

  @Test(arguments: [
    (GPSDError.Code.invalidEndpoint, LocationError.Code.unreachable),
    (.cannotConnect, .unreachable), (.unknownHost, .unknownHost), (.cannotSend, .disconnected),
    (.cannotRead, .disconnected), (.hungUp, .disconnected), (.notConnected, .disconnected),
    (.cancelled, .cancelled), (.unscripted, .unscripted),
    (.init(rawValue: "asleep"), .init(rawValue: "asleep")),
  ])
  func `their errors keep their reason and words, and a code of somebody's own its name`(
    code: GPSDError.Code, as provider: LocationError.Code
  ) {
    #expect(
      LocationError(GPSDError(code, systemError: .errno(5), "words"))
        == LocationError(provider, systemError: .errno(5), "words"))
  }
}
