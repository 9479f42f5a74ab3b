import GPSDLocation
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
}
