import GPSDTestKit
import Screen
import Testing

@MainActor
@Suite(.timeLimit(.minutes(5))) struct `Where am I` {
  private let clock = ManualClock()
  private let source: ScriptedLocationSource
  private let screen: WhereAmI
  private let canvas = Collector<WhereAmI.Content>()

  init() {
    source = ScriptedLocationSource(clock: clock)
    screen = WhereAmI(source)
    screen.draw = canvas.add
  }

  private static let sydney = LocationFix.at(latitude: -33.85, longitude: 151.21)
  private static let zurich = LocationFix.at(latitude: 47.37, longitude: 8.54)

  @Test func `shows a location that is available at once`() async {
    source.forceLocation(Self.sydney)
    screen.appear()
    #expect(await canvas.next(2) == [.searching, .found(Self.sydney.coordinate)])
  }

  @Test func `shows an error that is available at once`() async {
    source.forceError(LocationError(.unreachable, "connection refused"))
    screen.appear()
    #expect(await canvas.next(2) == [.searching, .error("connection refused")])
  }

  @Test func `continues after an error as soon as it can`() async {
    source.forceError(LocationError(.unreachable, "connection refused"))
    screen.appear()
    #expect(await canvas.next(2) == [.searching, .error("connection refused")])
    source.forceLocation(Self.zurich)
    await clock.waitForSleepers()
    clock.jump(by: .seconds(2))
    #expect(await canvas.next() == [.found(Self.zurich.coordinate)])
  }

  @Test func `follows locations that come late`() async {
    let fixes = source.forceRandomDelayedLocations(
      5, around: Self.zurich.coordinate, delays: .seconds(1)...(.seconds(3)), seed: 2026)
    screen.appear()
    #expect(await canvas.next() == [.searching])
    for fix in fixes {
      clock.jump(by: .seconds(3))
      #expect(await canvas.next() == [.found(fix.coordinate)])
    }
  }

  @Test func `shows an error that comes late`() async {
    screen.appear()
    source.forceError(LocationError(.disconnected, "gpsd hung up"), after: .seconds(10))
    #expect(await canvas.next() == [.searching])
    clock.jump(by: .seconds(10))
    #expect(await canvas.next() == [.error("gpsd hung up")])
  }

  @Test func `says so when there is no location until the deadline`() async {
    screen.locate(within: .seconds(30))
    #expect(await canvas.next() == [.searching])
    await clock.waitForSleepers()
    clock.jump(by: .seconds(30))
    #expect(await canvas.next() == [.error("no fix within 30.0 seconds: no answer yet")])
  }

  @Test func `locates before the deadline`() async {
    screen.locate(within: .seconds(30))
    await clock.waitForSleepers()
    source.force(.fix(Self.sydney), after: .seconds(29))
    clock.jump(by: .seconds(29))
    #expect(await canvas.next(2) == [.searching, .found(Self.sydney.coordinate)])
  }

  @Test func `searches when the receiver is lost, until it is found again`() async {
    source.forceLocation(Self.sydney)
    screen.appear()
    #expect(await canvas.next(2) == [.searching, .found(Self.sydney.coordinate)])
    source.loseFix(after: .seconds(1))
    clock.jump(by: .seconds(1))
    #expect(await canvas.next() == [.searching])
    source.force(.fix(Self.zurich), after: .seconds(1))
    clock.jump(by: .seconds(1))
    #expect(await canvas.next() == [.found(Self.zurich.coordinate)])
  }

  @Test func `searches when the receiver falls silent`() async {
    source.forceLocation(Self.sydney)
    screen.appear()
    #expect(await canvas.next(2) == [.searching, .found(Self.sydney.coordinate)])
    // After a single fix, the receiver's interval is unknown.
    clock.jump(by: .seconds(65))
    #expect(await canvas.next() == [.searching])
  }

  @Test func `shows that access to the receiver is denied`() async {
    source.force(.refused(path: "/dev/ttyACM0", reason: "No such device as /dev/ttyACM0"))
    screen.appear()
    #expect(
      await canvas.next(3) == [
        .searching, .error("There is no receiver."),
        .error("/dev/ttyACM0: No such device as /dev/ttyACM0"),
      ])
  }

  @Test func `asks nobody before it appears`() {
    _ = WhereAmI(FailingLocationSource { Issue.record(Comment(rawValue: $0)) })
    #expect(source.connectionCount == 0)
  }

  @Test func `shows what a recording contains`() async {
    let screen = WhereAmI(
      GPSDLocationSource.recorded(lines: [
        #"{"class":"TPV","mode":1}"#,
        #"{"class":"TPV","mode":3,"lat":-33.85,"lon":151.21,"eph":5}"#,
      ]))
    screen.draw = canvas.add
    screen.appear()
    #expect(await canvas.next(2) == [.searching, .found(Self.sydney.coordinate)])
  }
}
