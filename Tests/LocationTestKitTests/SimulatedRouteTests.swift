import LocationCore
import LocationTestKit
import Testing
import VirtualTimeTesting

@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Simulated route` {
  private let clock = ManualClock()
  private static let start = Coordinate(latitude: 47, longitude: 8)!
  private static let corner = start.moved(by: 90, bearing: 0)
  private static let end = corner.moved(by: 55, bearing: 90)

  private func route(_ waypoints: [Coordinate] = [start, corner, end]) -> SimulatedRoute {
    SimulatedRoute(waypoints, speed: 10, interval: .seconds(2), clock: clock.locationClock)
  }

  private func fixes(of route: SimulatedRoute) async -> [(second: Double, fix: LocationFix)] {
    await clock.whileAdvancing {
      var fixes: [(Double, LocationFix)] = []
      var connection = route.connection()
      while case .value(let events, let moment) = try? await connection.next(
        until: nil, by: clock.locationClock)
      {
        for case .fix(let fix) in events.map(\.event) {
          fixes.append((moment.uptime / .seconds(1), fix))
        }
      }
      return fixes
    }
  }

  private func next(
    of connection: inout some LocationConnection
  ) async throws -> (fix: LocationFix, moment: Moment) {
    guard
      case .value(let events, let moment) = try await connection.next(
        until: nil, by: clock.locationClock),
      case .fix(let fix)? = events.first?.event
    else { throw LocationError(.disconnected) }
    return (fix, moment)
  }

  @Test func `leads from one waypoint to the next at its speed, and ends at the last one`() async {
    let fixes = await fixes(of: route())
    #expect(fixes.map(\.second) == [0, 2, 4, 6, 8, 10, 12, 14, 16])
    let distances = zip(fixes, fixes.dropFirst()).map {
      $0.fix.coordinate.distance(to: $1.fix.coordinate)
    }
    #expect(distances.map { ($0 * 1000).rounded() / 1000 } == [20, 20, 20, 20, 14.142, 20, 20, 5])
    #expect(fixes.map { ($0.fix.course ?? -1).rounded() } == [0, 0, 0, 0, 0, 90, 90, 90, 90])
    #expect(fixes.last?.fix.coordinate.distance(to: Self.end) ?? 1 < 1e-6)
    #expect(fixes.allSatisfy { $0.fix.speed == 10 && $0.fix.quality == .simulated })
    #expect(abs(route().length - 145) < 1e-6)
  }

  @Test func `at a speed beyond all numbers is at its end in one step`() async {
    let route = SimulatedRoute(
      [Self.start, Self.end], speed: .greatestFiniteMagnitude, interval: .seconds(2),
      clock: clock.locationClock)
    let fixes = await fixes(of: route)
    #expect(fixes.map(\.second) == [0, 2])
    #expect(fixes.first?.fix.coordinate == Self.start)
    #expect(fixes.last?.fix.coordinate.distance(to: Self.end) ?? 1 < 1e-6)
  }

  @Test(arguments: [0, -3, Double.nan, .infinity])
  func `without a speed stands at the first waypoint`(speed: Double) async throws {
    let route = SimulatedRoute(
      [Self.start, Self.end], speed: speed, interval: .seconds(-1), clock: clock.locationClock)
    var connection = route.connection()
    for number in 0..<3 {
      let (fix, moment) = try await next(of: &connection)
      #expect(fix.coordinate == Self.start && fix.speed == 0)
      #expect(moment.uptime == .milliseconds(number))
      clock.jump(by: .milliseconds(1))
    }
  }

  @Test func `stands for longer than there are times`() async throws {
    let route = SimulatedRoute(
      [Self.start, Self.end], speed: 0, interval: .seconds(Int64.max), clock: clock.locationClock)
    var connection = route.connection()
    clock.jump(by: .seconds(Int64.max))
    for _ in 0..<30 {
      #expect(try await next(of: &connection).fix.coordinate == Self.start)
    }
  }

  @Test func `of one waypoint is a single fix, and of none is empty`() async {
    #expect(await fixes(of: route([Self.start])).map(\.fix.coordinate) == [Self.start])
    #expect(await fixes(of: route([])).isEmpty)
  }

  @Test func `keeps the contract`() async {
    let route = route()
    let expected = await fixes(of: route).map { LocationEvent.fix(Self.withoutTime($0.fix)) }
    let found = await clock.whileAdvancing {
      await route.contractViolations(reporting: expected) { event in
        guard case .fix(let fix) = event else { return event }
        return .fix(Self.withoutTime(fix))
      }
    }
    #expect(found == [])
  }

  private static func withoutTime(_ fix: LocationFix) -> LocationFix {
    var fix = fix
    fix.time = nil
    fix.received = nil
    return fix
  }

  @Test func `is read from the points of a track`() {
    let gpx = """
      <?xml version="1.0"?><gpx><wpt lat="1" lon="1"/><trk><trkseg>
      <trkpt lat="47" lon="8"><ele>408.1</ele></trkpt>
      <trkpt
        lon='8.001' lat = '47.001'/><trkpts lat="0" lon="0"/><trkpt lat="99" lon="8"/>
      </trkseg></trk></gpx>
      """
    let expected = SimulatedRoute(
      [Self.start, Coordinate(latitude: 47.001, longitude: 8.001)!], speed: 1)
    #expect(SimulatedRoute(gpx: gpx, speed: 1)?.length == expected.length)
    #expect(SimulatedRoute(gpx: "<gpx><wpt lat='1' lon='1'/></gpx>", speed: 1)?.length == 0)
    #expect(SimulatedRoute(gpx: "<gpx/>", speed: 1) == nil)
  }

  @Test(arguments: [
    #"<!-- <trkpt lat="1" lon="2"/> a < b, - -> --><trkpt lat="47" lon="8"/>"#,
    #"<!----><trkpt lat="47" lon="8"/><!--<trkpt lat="1" lon="2"/>-->"#,
    #"<desc><![CDATA[--> <trkpt lat="1" lon="2"/> ]]></desc><trkpt lat="47" lon="8"/>"#,
    #"<g:trkpt lat="47" lon="8"></g:trkpt><trkpt:g lat="1" lon="2"/>"#,
  ])
  func `is read without comments, and with any prefix of the elements`(gpx: String) async throws {
    let route = try #require(SimulatedRoute(gpx: gpx, speed: 1, clock: clock.locationClock))
    #expect(await fixes(of: route).map(\.fix.coordinate) == [Self.start])
  }

  @Test(arguments: ["<!-- <wpt lat='1' lon='2'/>", "<a:b:wpt lat='1' lon='2'/>", "<!--"])
  func `has no points of a document without elements of these names`(gpx: String) {
    #expect(SimulatedRoute(gpx: gpx, speed: 1) == nil)
  }
}
