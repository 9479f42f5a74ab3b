import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

/// Providers whose fixes have times of their own clock, as a phone has.
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A provider that shares its clock` {
  private let clock = ManualClock()

  /// Fixes of the times that are given, each at its moment.
  private func source(
    sharing: Bool = true, _ fixes: [(moment: Double, time: Double)]
  ) -> ScriptedLocationSource {
    var steps: [ScriptedLocationSource.Step] = []
    var last = 0.0
    for (moment, time) in fixes {
      let wait = ScriptedLocationSource.Step.wait(
        .milliseconds(Int64(((moment - last) * 1000).rounded())))
      steps += [wait, .event(Reports.fix(time))]
      last = moment
    }
    return ScriptedLocationSource(
      clock: clock, receiversShareClock: sharing, scripts: steps)
  }

  private func story(
    of provider: some LocationProvider, staleAfter: Duration? = nil, limit: Int
  ) async -> [String] {
    await clock.whileAdvancing {
      await Story.of(provider.updates(staleAfter: staleAfter), limit: limit).lines
    }
  }

  private static let cached = [
    (0.0, 0.0), (1, 1), (2, 2), (2.5, -57.5), (3, 3),
  ]

  @Test func `reports an old fix after newer ones as one that is not current`() async {
    #expect(
      await story(of: source(Self.cached), limit: 7) == [
        "0.0 connecting", "0.0 a connecting > fix-3d", "0.0 a 3d 0.0", "1.0 a 3d 1.0",
        "2.0 a 3d 2.0", "2.5 a 3d -57.5 late", "3.0 a 3d 3.0",
      ])
  }

  @Test func `cannot be told from a clock that jumps unless the clock is known`() async {
    #expect(
      await story(of: source(sharing: false, Self.cached), limit: 7).suffix(2) == [
        "2.5 a 3d -57.5 jumped -60.0", "3.0 a 3d 3.0 jumped 60.0",
      ])
  }

  @Test func `searches while its first fixes are old`() async {
    let fixes = [(0.0, -60.0), (1, -59), (2, -3), (3, 3)]
    #expect(
      await story(of: source(fixes), limit: 8) == [
        "0.0 connecting", "0.0 a connecting > searching", "0.0 a 3d -60.0 late",
        "1.0 a 3d -59.0 late", "2.0 a searching > fix-3d", "2.0 a 3d -3.0", "3.0 a 3d 3.0",
        "8.0 a fix-3d > lost: silence",
      ])
  }

  @Test func `has current fixes up to the age at which they are stale`() async {
    let fixes = [(0.0, -60.0), (1, -60.001)]
    #expect(
      await story(of: source(fixes), staleAfter: .seconds(60), limit: 4).suffix(2) == [
        "0.0 a 3d -60.0", "1.0 a 3d -60.001 late",
      ])
  }

  @Test func `gives the last known location the age of an old fix`() async {
    let hub = LocationHub(source([(2, -58)]))
    hub.start()
    await clock.advance(by: .seconds(10))
    #expect(hub.receiversShareClock)
    #expect(hub.location == nil && hub.state == .searching)
    #expect(hub.lastKnownLocation?.moment == Reports.moment(-58))
    #expect(hub.lastKnownLocation?.age(at: clock.locationClock.now) == .seconds(68))
    hub.stop()
  }

  @Test func `gives the loss the time of the last current fix`() async throws {
    var updates = source([(0, 0), (1, 1), (2, -58)]).updates().makeAsyncIterator()
    let loss = try await clock.whileAdvancing { () async throws(LocationError) -> StateChange? in
      while let update = try await updates.next() {
        if case .state(let change) = update, change.state == .lost { return change }
      }
      return nil
    }
    #expect(loss?.moment == Reports.moment(6) && loss?.time == Reports.time(6))
    #expect(loss?.lastFix?.time == Reports.time(1))
  }

  @Test func `is a sequence, unless it says otherwise, and what forwards to one`() {
    let shared = source([])
    let own = source(sharing: false, [])
    #expect(shared.receiversShareClock && !own.receiversShareClock)
    #expect(!ScriptedLocationSource(clock: clock).receiversShareClock)
    #expect(EventSequenceProvider { own.events() }.receiversShareClock)
    #expect(!EventSequenceProvider(receiversShareClock: false) { own.events() }.receiversShareClock)
    #expect(SimulatedRoute([], speed: 1).receiversShareClock)
    #expect(!LocationHub(own).receiversShareClock)
    let both: [(String, any LocationProvider)] = [("a", shared), ("b", own)]
    #expect(!BestLocationProvider(both).receiversShareClock)
    #expect(BestLocationProvider([both[0]]).receiversShareClock)
  }
}
