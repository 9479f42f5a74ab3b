import GPSDTestKit
import LibGPS
import Testing

/// Code that takes a provider, with the real thing by default.
private struct Lighthouse {
  let provider: any LocationProvider

  init(_ provider: any LocationProvider = GPSDLocationSource()) { self.provider = provider }
}

@Suite struct `Dependency injection` {
  @Test func `the real session is the default argument, and tests pass in a fake`() async throws {
    #expect(Lighthouse().provider is GPSDLocationSource)
    let spy = SpySession()
    let lighthouse = Lighthouse(GPSDLocationSource(device: "/dev/ttyACM0", makeSession: { spy }))
    _ = try? await lighthouse.provider.currentLocation()
    #expect(
      spy.calls == [
        .open(GPSDEndpoint()), .send(.watch(device: "/dev/ttyACM0")), .read, .close,
      ])
  }
}
