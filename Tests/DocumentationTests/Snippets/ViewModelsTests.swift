// snippet: seeds
import Foundation
import LocationTestKit
import Testing

/// The seeds under which each test runs: 1 to 20, or only 37 with `SEED=37 swift test`.
nonisolated func seeds() -> [UInt64] {
  let seed = ProcessInfo.processInfo.environment["SEED"].flatMap { UInt64($0) }
  return seed.map { [$0] } ?? Array(1...20)
}

@MainActor @Suite struct PlaceViewModelTests {
  @Test(arguments: seeds()) func showsTheLastPlace(seed: UInt64) async throws {
    try await withVirtualTime(seed: seed) { clock in
      let source = ScriptedLocationSource(clock: clock)
      let model = PlaceViewModel(source) { $0.latitude < 0 ? "Sydney" : "Munich" }
      model.start()
      source.forceLocation(.at(latitude: 48.1, longitude: 11.5))
      source.forceLocation(.at(latitude: -33.9, longitude: 151.2))
      await clock.settle()
      #expect(model.name == "Sydney")
    }
  }
}
// end
