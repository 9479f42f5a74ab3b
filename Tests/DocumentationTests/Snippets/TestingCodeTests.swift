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
    clock.jump(by: .seconds(10))
    #expect(await answer == nil)
  }
  // end

  // snippet: in no time
  @Test func givesUpInNoTime() async throws {
    try await withVirtualTime { clock in
      let harbour = Harbour(place: sydney, provider: ScriptedLocationSource(clock: clock))
      let answer = await clock.whileAdvancing { try? await harbour.isNear() }
      #expect(answer == nil)
    }
  }
  // end

  // snippet: typed error
  @Test func reportsWhyThereIsNoLocation() async throws {
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(clock: clock)
      source.forceError(LocationError(.unreachable, "connection refused"))
      do throws(LocationError) {
        let isNear = try await Harbour(place: sydney, provider: source).isNear()
        Issue.record("no error, but \(isNear)")
      } catch {
        #expect(error.code == .unreachable)
      }
    }
  }
  // end

  // snippet: delayed fix
  @Test func receivesADelayedFix() async throws {
    let time = Timestamp(iso8601: "2026-11-27T08:00:00Z")!
    let fixes = [0, 1].map { LocationFix.at(sydney, time: time.advanced(by: .seconds($0))) }
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(
        clock: clock,
        scripts: [.event(.fix(fixes[0])), .wait(.seconds(60)), .event(.fix(fixes[1])), .end])
      let isCurrent = try await clock.whileAdvancing {
        var isCurrent: [Bool] = []
        for try await update in source.updates() {
          if case .fix(let fix) = update { isCurrent.append(fix.isCurrent) }
        }
        return isCurrent
      }
      #expect(isCurrent == [true, false])
    }
  }
  // end

  // snippet: script
  @Test func waitsForAnAccurateFix() async throws {
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(
        clock: clock,
        scripts: [
          .event(.noFix(NoFix())), .wait(.seconds(3)),
          .event(.fix(.at(latitude: -33.9, longitude: 151.3, horizontalError: 800))),
          .wait(.seconds(3)),
          .event(.fix(.at(latitude: -33.85, longitude: 151.21, horizontalError: 8))),
        ])
      let harbour = Harbour(place: sydney, provider: source)
      let isNear = try await clock.whileAdvancing { try await harbour.isNear() }
      #expect(isNear)
    }
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
  @Test func reportsThatAccessIsDenied() async {
    let source = ScriptedLocationSource(clock: ManualClock())
    source.forceError(LocationError(.denied))
    let coordinator = LocationCoordinator(source)
    let failures = Collector<LocationError>()
    coordinator.onFailure = failures.add
    coordinator.start()
    #expect(await failures.next().map(\.code) == [.denied])
  }
  // end

  // snippet: stale fix
  @MainActor
  @Test func losesAStaleFix() async throws {
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(clock: clock)
      for second in 0...9 {
        source.forceLocation(.at(latitude: -33.85, longitude: 151.21), after: .seconds(second))
      }
      let coordinator = LocationCoordinator(source)
      coordinator.start()
      await clock.advance(by: .seconds(13))
      #expect(coordinator.location != nil)
      await clock.advance(by: .seconds(1))
      #expect(coordinator.location == nil)
      #expect(coordinator.state == .lost)
    }
  }
  // end

  // snippet: missed fix
  @MainActor
  @Test func missesWhatIsReportedInTheBackground() async throws {
    try await withVirtualTime { clock in
      let source = ScriptedLocationSource(clock: clock)
      source.keepsMissedSteps = false
      let coordinator = LocationCoordinator(source)
      coordinator.start()
      await clock.settle()
      coordinator.stop()
      await clock.settle()
      source.forceLocation(.at(latitude: -33.85, longitude: 151.21))
      coordinator.start()
      await clock.settle()
      #expect(coordinator.location == nil)
    }
  }
  // end
}
