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
    let gpsd = ScriptedGPSD(clock: ManualClock(), scripts: [.hangUp])
    let lighthouse = Lighthouse(gpsd.source(device: "/dev/ttyACM0"))
    _ = try? await lighthouse.provider.currentLocation()
    #expect(
      gpsd.calls == [
        .open(GPSDEndpoint()), .send(.watch(device: "/dev/ttyACM0")), .read, .close,
      ])
  }
}
