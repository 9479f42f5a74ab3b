// snippet: first test
import LocationTestKit
import Testing

@Suite struct HarbourTests {
  let clock = ManualClock()
  let sydney = Coordinate(latitude: -33.85, longitude: 151.21)!

  @Test func isNearItsPlace() async throws {
    let source = ScriptedLocationSource(clock: clock)
    source.forceLocation(.at(latitude: -33.851, longitude: 151.211))
    #expect(try await Harbour(place: sydney, provider: source).isNear())
  }
  // end

  // snippet: deadline
  @Test func givesUpAfterTenSeconds() async {
    let harbour = Harbour(place: sydney, provider: ScriptedLocationSource(clock: clock))
    async let answer = try? harbour.isNear()
    await clock.waitForSleepers()
    clock.advance(by: .seconds(10))
    #expect(await answer == nil)
  }
  // end

  // snippet: in no time
  @Test func givesUpInNoTime() async {
    let harbour = Harbour(place: sydney, provider: ScriptedLocationSource(clock: clock))
    let answer = await clock.whileAdvancing { try? await harbour.isNear() }
    #expect(answer == nil)
  }
  // end

  // snippet: script
  @Test func waitsForAnAccurateFix() async throws {
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(.noFix(NoFix())), .wait(.seconds(3)),
        .event(.fix(.at(latitude: -33.9, longitude: 151.3, accuracy: 800))), .wait(.seconds(3)),
        .event(.fix(.at(latitude: -33.85, longitude: 151.21, accuracy: 8))), .stayOpen,
      ])
    async let isNear = Harbour(place: sydney, provider: source).isNear()
    for _ in 1...2 {
      await clock.waitForSleepers()
      clock.advance(by: .seconds(3))
    }
    #expect(try await isNear)
  }
  // end

  // snippet: failing
  @Test func requestsNoLocation() {
    let source = FailingLocationSource { Issue.record(Comment(rawValue: $0)) }
    _ = Harbour(place: sydney, provider: source)
  }
  // end

  // snippet: first test
}
// end

@Suite struct CallbackTests {
  // snippet: coordinator
  @MainActor
  @Test func reportsTheError() async {
    let source = ScriptedLocationSource(clock: ManualClock())
    source.forceError(LocationError(.unreachable, "connection refused"))
    let coordinator = LocationCoordinator(source, retries: .never)
    let failures = Collector<LocationError>()
    coordinator.onFailure = failures.add
    coordinator.start()
    #expect(await failures.next().map(\.code) == [.unreachable])
  }
  // end
}

// snippet: patience
@Suite(.timeLimit(.minutes(5))) struct PatientTests {
  @Test func waitsForSleepers() async {
    let clock = ManualClock()
    async let slept: Void? = try? clock.sleep(until: clock.now.advanced(by: .seconds(1)))
    #expect(await clock.waitForSleepers())
    clock.advance(by: .seconds(1))
    await slept
  }
}
// end
