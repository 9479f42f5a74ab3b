import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

/// Updates of providers that do not say when they received a fix.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Fixes without a receive time` {
  private let clock = ManualClock()

  @Test func `get the moment at which they came, and so an age`() async throws {
    let source = ScriptedLocationSource(
      clock: clock, scripts: [.wait(.seconds(2)), .event(Reports.fix(1.75))])
    let sequence = EventSequenceProvider(clock: clock.locationClock) { source.events() }
    for provider in [source, sequence] as [any LocationProvider] {
      let fix = try await clock.whileAdvancing { try await provider.currentLocation() }
      let now = clock.locationClock.now
      #expect(fix.received == now.wall && fix.age == now.uptime.inSeconds - 1.75)
      #expect(fix == Reports.locationFix(1.75))
    }
  }

  @Test func `keep one that they have, and get none without a time of day`() async throws {
    var fix = Reports.locationFix(1)
    let source = ScriptedLocationSource(
      clock: LocationClock(clock), scripts: [.event(.fix(fix))])
    #expect(try await source.currentLocation().received == nil)
    fix.received = Reports.time(7)
    let stamped = ScriptedLocationSource(clock: clock, scripts: [.event(.fix(fix))])
    #expect(try await stamped.currentLocation().received == Reports.time(7))
  }
}
