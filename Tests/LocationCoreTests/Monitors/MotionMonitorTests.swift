import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTrait

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `A motion monitor` {
  private static let start = Coordinate(latitude: 47.37, longitude: 8.54)!

  /// A fix to the east of the start.
  private static func fix(
    _ distance: Double, speed: Double? = nil, accuracy: Double? = 5
  ) -> LocationFix {
    let place = start.moved(by: distance, bearing: 90)
    var fix = LocationFix.at(
      latitude: place.latitude, longitude: place.longitude, accuracy: accuracy)
    fix.speed = speed
    return fix
  }

  private static func story(
    _ fixes: [(second: Int, fix: LocationFix)], until end: Int? = nil
  ) -> [String] {
    var monitor = MotionMonitor()
    var events: [MotionEvent] = []
    for (second, fix) in fixes {
      events += monitor.handle(fix, at: Moment(uptime: .seconds(second)))
    }
    if let end { events += monitor.expire(at: Moment(uptime: .seconds(end))) }
    #expect(events.last.map { $0.motion == monitor.motion } ?? (monitor.motion == .unknown))
    return events.map { "\($0)" }
  }

  private static let parked = [0, 20, 40, 60].map { ($0, fix(0)) }
  private static let stationary = "unknown > stationary at 60.0 seconds"

  @Test func `decides after the dwell time that a receiver stands still`() {
    #expect(Self.story(Self.parked) == [Self.stationary])
    #expect(Self.story([0, 20, 40, 59].map { ($0, Self.fix(0)) }) == [])
  }

  @Test func `takes a receiver that is faster than half a metre per second for moving, at once`() {
    let drive = [0, 10, 20].map { ($0, Self.fix(0, speed: 0.6)) }
    let stop = [40, 60, 79, 80].map { ($0, Self.fix(0, speed: 0.4)) }
    #expect(Self.story(drive) == ["unknown > moving at 0.0 seconds"])
    #expect(
      Self.story(drive + stop) == [
        "unknown > moving at 0.0 seconds", "moving > stationary at 80.0 seconds",
      ])
  }

  @Test func `takes a receiver that stands still for moving when it is 25 m away, not before`() {
    #expect(Self.story(Self.parked + [(61, Self.fix(24, speed: 5))]) == [Self.stationary])
    #expect(
      Self.story(Self.parked + [(61, Self.fix(26, speed: 0))])
        == [Self.stationary, "stationary > moving at 61.0 seconds"])
  }

  @Test func `needs a distance beyond the errors of both positions`() {
    // The root of 30² + 40² is 50.
    let inaccurate = [0, 20, 40, 60].map { ($0, Self.fix(0, accuracy: 30)) }
    #expect(Self.story(inaccurate + [(61, Self.fix(49.9, accuracy: 40))]).count == 1)
    #expect(Self.story(inaccurate + [(61, Self.fix(50.1, accuracy: 40))]).count == 2)
    // An unknown accuracy is 20 m, and the root of 2 · 20² is 28.3.
    let unknown = [0, 20, 40, 60].map { ($0, Self.fix(0, accuracy: nil)) }
    #expect(Self.story(unknown + [(61, Self.fix(28.2, accuracy: nil))]).count == 1)
    #expect(Self.story(unknown + [(61, Self.fix(28.4, accuracy: nil))]).count == 2)
  }

  @Test func `sees a slow walk without speeds as a motion`() {
    let walk = (0...120).map { ($0, Self.fix(Double($0) * 0.99)) }
    #expect(Self.story(walk) == ["unknown > moving at 26.0 seconds"])
  }

  @Test func `knows nothing after a grace period without a suitable fix`() {
    var late = Self.fix(5000)
    late.isCurrent = false
    let bad = [(70, Self.fix(5000, accuracy: 101)), (80, late)]
    #expect(Self.story(Self.parked + bad, until: 89) == [Self.stationary])
    let lost = [Self.stationary, "stationary > unknown at 90.0 seconds"]
    #expect(Self.story(Self.parked + bad, until: 91) == lost)
    // The standstill begins again.
    #expect(Self.story(Self.parked + [95, 115, 135, 154].map { ($0, Self.fix(0)) }) == lost)
  }

  @Test func `watches a provider`() async throws {
    let clock = ManualClock()
    let route = SimulatedRoute(
      [Self.start, Self.start.moved(by: 100, bearing: 90)], speed: 10,
      clock: clock.locationClock)
    let events = await clock.whileAdvancing {
      var events: [MotionEvent] = []
      var iterator = route.events(of: MotionMonitor(), retries: .never).makeAsyncIterator()
      while let event = try? await iterator.next() { events.append(event) }
      return events
    }
    #expect(events.map(\.motion) == [.moving])
  }
}

@Suite(.virtualTime) struct `A significant change` {
  private func story(
    _ fixes: [(second: Int, meters: Double)], accuracy: Double? = 10
  ) -> [Int] {
    let start = Coordinate(latitude: 47.37, longitude: 8.54)!
    var monitor = SignificantChangeMonitor()
    return fixes.filter { second, meters in
      let place = start.moved(by: meters, bearing: 45)
      let fix = LocationFix.at(
        latitude: place.latitude, longitude: place.longitude, accuracy: accuracy)
      let taken = monitor.handle(fix, at: Moment(uptime: .seconds(second)))
      #expect(taken.isEmpty || taken == [fix])
      return !taken.isEmpty
    }.map(\.second)
  }

  @Test func `is one of 500 m, 5 minutes after the last`() {
    #expect(story([(0, 0), (300, 499), (301, 501)]) == [0, 301])
    #expect(story([(0, 0), (100, 600), (299, 900), (300, 900), (400, 2000)]) == [0, 300])
    #expect(story([(0, 0), (100, 600), (300, 400), (700, 501), (1000, 0)]) == [0, 700, 1000])
  }

  @Test func `is known from fixes of 100 m or better`() {
    #expect(story([(0, 0), (300, 600)], accuracy: 100) == [0, 300])
    #expect(story([(0, 0), (300, 600)], accuracy: nil) == [0, 300])
    #expect(story([(0, 0), (300, 600)], accuracy: 101) == [])
  }
}
