import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Regions` {
  private static let center = Coordinate(latitude: 47.37, longitude: 8.54)!

  private static func square(around center: Coordinate, half: Double) -> Region {
    let corners = [45.0, 135, 225, 315].map {
      center.moved(by: half * 2.0.squareRoot(), bearing: $0)
    }
    return Region.polygon("square", corners)!
  }

  @Test func `shows what it is made of`() throws {
    let place = Coordinate(latitude: 47, longitude: 8)!
    let circle = Region.circle("circle", around: place, radius: -1)
    #expect(circle.center == place && circle.radius == 0 && circle.vertices == nil)
    // Its edge belongs to a region.
    #expect(circle.contains(place))
    let corners = [45.0, 135, 225, 315].map { place.moved(by: 1000, bearing: $0) }
    let square = try #require(Region.polygon("square", corners))
    #expect(square.vertices == corners && square.radius == nil)
    #expect(square.center.distance(to: place) < 0.5)
  }

  @Test(arguments: [
    center, Coordinate(latitude: 0, longitude: 180)!, Coordinate(latitude: 90, longitude: 0)!,
    Coordinate(latitude: -89.999, longitude: -120)!,
  ])
  func `a circle and a square know how far their edge is, on any meridian and at a pole`(
    center: Coordinate
  ) {
    let circle = Region.circle("circle", around: center, radius: 500)
    let square = Self.square(around: center, half: 500)
    for bearing in [0.0, 90, 180, 270] {
      for distance in [0.0, 100, 499, 501, 900] {
        let place = center.moved(by: distance, bearing: bearing)
        #expect(abs(circle.signedDistance(to: place) - (distance - 500)) < 1e-6)
        // The square is turned a little where meridians converge.
        #expect(abs(square.signedDistance(to: place) - (distance - 500)) < 0.05)
        #expect(circle.contains(place) == (distance < 500))
        #expect(square.contains(place) == (distance < 500))
      }
    }
  }

  @Test func `a polygon may be concave, and has at least three corners`() {
    let corners = [(0.0, 0.0), (0, 2), (2, 2), (1, 1), (2, 0)].map {
      Coordinate(latitude: $0, longitude: $1)!
    }
    let region = Region.polygon("dented", corners)
    #expect(region?.contains(Coordinate(latitude: 0.9, longitude: 1)!) == true)
    #expect(region?.contains(Coordinate(latitude: 1.5, longitude: 1)!) == false)
    #expect(region?.contains(Coordinate(latitude: 1.5, longitude: 0.2)!) == true)
    #expect(region?.contains(Coordinate(latitude: -1, longitude: -179)!) == false)
    #expect(Region.polygon("line", Array(corners.prefix(2))) == nil)
  }

  @Test func `a polygon is at most 9,000 km wide`() {
    func polygon(_ corners: [(Double, Double)]) -> Region? {
      Region.polygon("wide", corners.map { Coordinate(latitude: $0, longitude: $1)! })
    }
    // On the equator, 9,000 km are 80.85 degrees.
    #expect(polygon([(0, 0), (0, 80.8), (40, 40)]) != nil)
    #expect(polygon([(0, 0), (0, 80.9), (40, 40)]) == nil)
    #expect(polygon([(0, 0), (40, 40), (0, 80.9)]) == nil)
    #expect(polygon([(0, 80.9), (40, 40), (0, 0)]) == nil)
    #expect(polygon([(0, 0), (10, 5), (20, 0), (0, 179)]) == nil)
    #expect(polygon([(40.4, 180), (0, -170), (-40.4, 180)]) != nil)
    #expect(polygon([(41, 180), (0, -170), (-41, 180)]) == nil)
    #expect(polygon([(50, 0), (50, 120), (50, -120)]) != nil)
    #expect(polygon([(45, 0), (45, 120), (45, -120)]) != nil)
    #expect(polygon([(40, 0), (40, 120), (40, -120)]) == nil)
    #expect(polygon([(50, 0), (50, 90), (50, 180), (50, -90)]) != nil)
    #expect(polygon([(49, 0), (49, 90), (49, 180), (49, -90)]) == nil)
  }

  @Test func `a wide polygon contains its inside, seen from everywhere`() throws {
    let corners = [(50.0, 0.0), (50, 90), (50, 180), (50, -90)].map {
      Coordinate(latitude: $0, longitude: $1)!
    }
    let region = try #require(Region.polygon("cap", corners))
    for latitude in stride(from: -90.0, through: 90, by: 10) {
      for longitude in stride(from: -180.0, through: 180, by: 15) {
        let place = try #require(Coordinate(latitude: latitude, longitude: longitude))
        // Between two corners the edge leads nearer to the pole, to 59.3 degrees.
        guard latitude < 50 || latitude >= 60 else { continue }
        #expect(region.contains(place) == (latitude >= 60), "\(place)")
      }
    }
  }

  /// A fix east of the centre.
  private static func fix(_ distance: Double, accuracy: Double? = 10) -> LocationFix {
    let place = center.moved(by: distance, bearing: 90)
    return .at(latitude: place.latitude, longitude: place.longitude, horizontalError: accuracy)
  }

  private static func story(
    _ fixes: [(second: Int, fix: LocationFix)], radius: Double = 100, dwell: Int = 0,
    until end: Int? = nil
  ) -> [String] {
    var monitor = RegionMonitor(
      [.circle("home", around: center, radius: radius)], dwell: .seconds(dwell))
    var events: [RegionEvent] = []
    for (second, fix) in fixes {
      events += monitor.handle(fix, at: Moment(uptime: .seconds(second)))
    }
    if let end { events += monitor.expire(at: Moment(uptime: .seconds(end))) }
    return events.map { "\($0)" }
  }

  @Test func `the first fix decides, and after it those beyond the edge by their accuracy`() {
    let fixes = [150, 95, 91, 89, 105, 109, 111, 105].enumerated().map {
      ($0, Self.fix(Double($1)))
    }
    #expect(
      Self.story(fixes) == [
        "home: unknown > outside at 0.0 seconds", "home: outside > inside at 3.0 seconds",
        "home: inside > outside at 6.0 seconds",
      ])
    #expect(Self.story([(0, Self.fix(99))]) == ["home: unknown > inside at 0.0 seconds"])
  }

  /// Fault 133.
  @Test func `fixes have to be beyond the edge for the dwell, all of them`() {
    func story(_ distances: [Double], every interval: Int = 1, until end: Int? = nil) -> [String] {
      let fixes = distances.enumerated().map { ($0 * interval, Self.fix($1)) }
      return Self.story(fixes, dwell: 5, until: end)
    }
    let start = "home: unknown > inside at 0.0 seconds"
    #expect(story([0, 500, 0, 500, 500, 500, 500, 500, 0, 500]) == [start])
    #expect(
      story([0, 500, 500, 500, 500, 500, 500]) == [start, "home: inside > outside at 6.0 seconds"])
    #expect(
      story([500, 0, 0, 0, 0, 0, 0, 0]) == [
        "home: unknown > outside at 0.0 seconds", "home: outside > inside at 6.0 seconds",
      ])
    // The second fix of a slow receiver decides.
    for interval in [20, 40, 64] {
      #expect(story([0, 500], every: interval) == [start])
      #expect(
        story([0, 500, 500], every: interval) == [
          start, "home: inside > outside at \(2 * interval).0 seconds",
        ])
      #expect(story([0, 500, 0, 500, 0, 500], every: interval) == [start])
    }
  }

  /// Returns what is reported of a receiver at some distances, of which a new one is known at each interval.
  private static func slow(
    _ distances: [Double], every interval: Int, dwell: Int = 5, until end: Int? = nil
  ) -> [String] {
    story(distances.enumerated().map { ($0 * interval, fix($1)) }, dwell: dwell, until: end)
      .map { String($0.dropFirst(6)) }
  }

  /// Fault 94.
  @Test(arguments: [1, 20, 29, 30, 31, 60])
  func `a receiver that stays is inside once, whatever its interval`(interval: Int) {
    let stays = [Double](repeating: 0, count: 40)
    #expect(Self.slow(stays, every: interval) == ["unknown > inside at 0.0 seconds"])
    // Two reports are lost.
    let fixes = (0..<40).filter { ![4, 31].contains($0) }.map { ($0 * interval, Self.fix(0)) }
    #expect(Self.story(fixes).count == 1)
    let end = 39 * interval + max(30, 3 * interval)
    #expect(Self.slow(stays, every: interval, until: end - 1).count == 1)
    #expect(
      Self.slow(stays, every: interval, until: end).last == "inside > unknown at \(end).0 seconds")
  }

  /// Fault 94.
  @Test(arguments: [(300, [65]), (900, [65]), (3600, [65, 5400])])
  func `until an interval of minutes is known, the presence is not known for longer either`(
    interval: Int, unknown: [Int]
  ) {
    let told = unknown.flatMap { second in
      [
        "inside > unknown at \(second).0 seconds",
        "unknown > inside at \((second / interval + 1) * interval).0 seconds",
      ]
    }
    let stays = [Double](repeating: 0, count: 40)
    #expect(Self.slow(stays, every: interval) == ["unknown > inside at 0.0 seconds"] + told)
  }

  /// Fault 94.
  @Test func `an interval that changes does not end the presence`() {
    let seconds = (0...20).map { $0 } + (1...9).map { 20 + 29 * $0 } + (1...9).map { 281 + 80 * $0 }
    #expect(Self.story(seconds.map { ($0, Self.fix(0)) }).count == 1)
  }

  @Test func `what was known before the presence was unknown is refuted by all fixes of a dwell`() {
    let start = ["unknown > inside at 0.0 seconds", "inside > unknown at 31.0 seconds"]
    func story(_ fixes: (Int, Double)..., dwell: Int = 5) -> [String] {
      Array(
        Self.story(
          [(0, Self.fix(0)), (1, Self.fix(0))] + fixes.map { ($0, Self.fix($1)) }, dwell: dwell
        ).map { String($0.dropFirst(6)) })
    }
    #expect(story((100, 0)) == start + ["unknown > inside at 100.0 seconds"])
    #expect(story((100, 500)) == start)
    #expect(story((100, 500), (104, 500)) == start)
    #expect(
      story((100, 500), (105, 500)) == start + ["unknown > outside at 105.0 seconds"])
    #expect(
      story((100, 500), (101, 0), (105, 500)) == start + ["unknown > inside at 101.0 seconds"])
    #expect(story((100, 500), dwell: 0) == start + ["unknown > outside at 100.0 seconds"])
    // Within the accuracy of the edge, it is where it was.
    #expect(story((100, 105)) == start + ["unknown > inside at 100.0 seconds"])
  }

  @Test func `fixes that do not count neither end a dwell nor begin one`() {
    let start = "home: unknown > inside at 0.0 seconds"
    let bad = Self.fix(0, accuracy: 101)
    let fixes = [(0, Self.fix(0)), (1, Self.fix(500)), (3, bad), (6, Self.fix(500))]
    #expect(Self.story(fixes, dwell: 5) == [start, "home: inside > outside at 6.0 seconds"])
    let far = [(0, Self.fix(0)), (1, Self.fix(500, accuracy: 101)), (6, Self.fix(500))]
    #expect(Self.story(far, dwell: 5) == [start])
  }

  @Test func `a dwell that was begun is forgotten once the presence is unknown`() {
    var monitor = RegionMonitor([.circle("home", around: Self.center, radius: 100)])
    func handle(_ second: Int, _ distance: Double) -> [String] {
      monitor.handle(Self.fix(distance), at: Moment(uptime: .seconds(second))).map { "\($0)" }
    }
    #expect(handle(0, 0).count == 1)
    #expect(handle(1, 500) == [])
    #expect(
      handle(40, 0) == [
        "home: inside > unknown at 31.0 seconds", "home: unknown > inside at 40.0 seconds",
      ])
    #expect(handle(41, 500) == [])
    #expect(handle(45, 500) == [])
    #expect(handle(46, 500) == ["home: inside > outside at 46.0 seconds"])
  }

  @Test func `half of a small region is enough to enter it`() {
    let fixes = [(0, Self.fix(100, accuracy: 30)), (1, Self.fix(11, accuracy: 30))]
    #expect(Self.story(fixes + [(2, Self.fix(9, accuracy: 30))], radius: 20).count == 2)
    #expect(Self.story(fixes, radius: 20).count == 1)
  }

  @Test func `an unknown accuracy counts as 20 m, and a perfect one as 5 m`() {
    let start = (0, Self.fix(150))
    #expect(Self.story([start, (1, Self.fix(81, accuracy: nil))]).count == 1)
    #expect(Self.story([start, (1, Self.fix(79, accuracy: nil))]).count == 2)
    #expect(Self.story([start, (1, Self.fix(96, accuracy: 0.01))]).count == 1)
    #expect(Self.story([start, (1, Self.fix(94, accuracy: 0.01))]).count == 2)
  }

  @Test func `inaccurate fixes are ignored until the grace period is over`() {
    let inside = (0, Self.fix(0))
    let bad = [(1, Self.fix(5000, accuracy: 101)), (20, Self.fix(5000, accuracy: 101))]
    let entered = "home: unknown > inside at 0.0 seconds"
    #expect(Self.story([inside] + bad, until: 29) == [entered])
    #expect(
      Self.story([inside] + bad, until: 31) == [entered, "home: inside > unknown at 30.0 seconds"])
    #expect(Self.story([inside, bad[0], (29, Self.fix(1))], until: 58) == [entered])
    var late = Self.fix(5000)
    late.isCurrent = false
    #expect(Self.story([inside, (1, late)]) == [entered])
  }

  @Test func `a fix at exactly 0,0 is no place outside`() async throws {
    let clock = ManualClock()
    var nowhere = Self.fix(0)
    nowhere.coordinate = Coordinate(latitude: 0, longitude: 0)!
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(.fix(nowhere)), .wait(.seconds(10)), .event(.fix(nowhere)), .wait(.seconds(1)),
        .event(.fix(Self.fix(0))), .wait(.seconds(10)), .event(.fix(nowhere)), .end,
      ])
    let home = Region.circle("home", around: Self.center, radius: 100)
    let events = await clock.whileAdvancing {
      var events: [RegionEvent] = []
      var iterator = source.regionEvents([home], dwell: .zero, retries: .never).makeAsyncIterator()
      while let event = try? await iterator.next() { events.append(event) }
      return events
    }
    #expect(
      events.map { "\($0)".prefix { $0 != "(" } } == ["home: unknown > inside at 11.0 seconds "])
  }

  @Test func `a provider's receiver enters, is lost and leaves`() async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(.fix(Self.fix(0))), .wait(.seconds(70)), .event(.fix(Self.fix(500))),
        .wait(.seconds(5)), .event(.fix(Self.fix(500))), .end,
      ])
    let home = Region.circle("home", around: Self.center, radius: 100)
    let events = await clock.whileAdvancing {
      var events: [RegionEvent] = []
      var iterator = source.regionEvents([home], retries: .never).makeAsyncIterator()
      while let event = try? await iterator.next() { events.append(event) }
      return events
    }
    #expect(
      events.map { "\($0)".prefix { $0 != "(" } } == [
        "home: unknown > inside at 0.0 seconds ", "home: inside > unknown at 65.0 seconds ",
        "home: unknown > outside at 75.0 seconds ",
      ])
  }

  @Test(arguments: [(3, 30), (30, 30), (60, 60), (600, 600)])
  func `a presence is known for as long as a fix is current, but for 30 s at least`(
    stale: Int, unknown: Int
  ) async throws {
    let clock = ManualClock()
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [
        .event(.fix(Self.fix(0))), .wait(.seconds(20)), .event(.fix(Self.fix(0))),
        .wait(.seconds(1000)), .end,
      ])
    let home = Region.circle("home", around: Self.center, radius: 100)
    let start = clock.locationClock.now
    let events = await clock.whileAdvancing {
      var events: [RegionEvent] = []
      var iterator = source.regionEvents([home], staleAfter: .seconds(stale), retries: .never)
        .makeAsyncIterator()
      while let event = try? await iterator.next() { events.append(event) }
      return events
    }
    #expect(events.map(\.presence) == [.inside, .unknown])
    #expect(events.map { start.duration(to: $0.moment) } == [.zero, .seconds(20 + unknown)])
  }

  @Test func `an unknown presence is reported with the reason why no fix comes`() async {
    let clock = ManualClock()
    let source = ScriptedLocationSource(
      clock: clock,
      scripts: [.event(.refused(path: "a", reason: "no such device")), .fail(.gone)],
      [.event(.fix(Self.fix(0))), .wait(.seconds(1)), .fail(.gone)], [])
    let home = Region.circle("home", around: Self.center, radius: 100)
    let retries = RetryPolicy(delays: [.seconds(100)], jitter: 0)
    let events = await clock.whileAdvancing {
      var events: [String] = []
      var iterator = source.regionEvents([home], retries: retries).makeAsyncIterator()
      while events.count < 4, let event = try? await iterator.next() {
        let seconds = event.moment.uptime.inSeconds
        events.append(
          "\(seconds) \(event.previous) > \(event.presence), \(event.error?.description ?? "-")")
      }
      return events
    }
    #expect(
      events == [
        "0.0 unknown > unknown, a: no such device", "0.0 unknown > unknown, gone",
        "100.0 unknown > inside, -", "165.0 inside > unknown, gone",
      ])
  }

  @Test(arguments: [nil, LocationError(.disconnected, "gone")])
  func `the events end as the provider does, once`(failure: LocationError?) async {
    let source = ScriptedLocationSource(
      clock: ManualClock(),
      scripts: [.event(.fix(Self.fix(0))), failure.map { .fail($0) } ?? .end])
    let home = Region.circle("home", around: Self.center, radius: 100)
    var ends: [String] = []
    var iterator = source.regionEvents([home], retries: .never).makeAsyncIterator()
    for _ in 0..<3 {
      do throws(LocationError) {
        ends.append(try await iterator.next()?.presence.rawValue ?? "nil")
      } catch {
        ends.append(error.detail)
      }
    }
    #expect(ends == ["inside", failure?.detail ?? "nil", "nil"])
  }

  @Test func `the events end at once if the task is cancelled`() async throws {
    let source = ScriptedLocationSource(
      clock: ManualClock(), scripts: [.event(.fix(Self.fix(0)))])
    let regions = ["home", "yard"].map { Region.circle($0, around: Self.center, radius: 100) }
    let task = Task {
      var names: [String] = []
      for try await event in source.regionEvents(regions) {
        names.append(event.region.id)
        withUnsafeCurrentTask { $0?.cancel() }
      }
      return names
    }
    #expect(try await task.value == ["home"])
  }
}
