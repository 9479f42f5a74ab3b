import LocationTestKit
import Observation
import Testing
import VirtualTimeTesting

@testable import LocationCore

@MainActor
@Suite(.virtualTime, .timeLimit(.minutes(5))) struct `Last known location` {
  private let clock = ManualClock()
  private var now: Moment { clock.locationClock.now }

  @Test func `of a coordinator remains when the position is lost, and after its end`() async {
    let source = ScriptedLocationSource(clock: clock)
    let coordinator = LocationCoordinator(source)
    #expect(coordinator.lastKnownLocation == nil)
    coordinator.start()
    source.force(Reports.fix(3), after: .seconds(3))
    await clock.advance(by: .seconds(300))
    #expect(coordinator.location == nil && coordinator.state == .lost)
    let known = KnownLocation(Reports.locationFix(3), at: Reports.moment(3))
    #expect(coordinator.lastKnownLocation == known)
    #expect(known.age(at: now) == .seconds(297))
    coordinator.stop()
    #expect(coordinator.lastKnownLocation == known)
  }

  @Test func `of a coordinator meets its request, whatever its distance filter`() async {
    let source = ScriptedLocationSource(clock: clock)
    let coordinator = LocationCoordinator(source)
    coordinator.request = LocationRequest(minimumMode: .fix3D, distanceFilter: 1000)
    coordinator.start()
    for second in 1...3 {
      source.force(
        Reports.fix(Double(second), second == 3 ? .fix2D : .fix3D), after: .seconds(second))
    }
    await clock.advance(by: .seconds(4))
    #expect(coordinator.location?.time == Reports.time(1))
    #expect(
      coordinator.lastKnownLocation
        == KnownLocation(Reports.locationFix(2), at: Reports.moment(2)))
    coordinator.stop()
  }

  @Test func `of a coordinator can be observed`() async {
    let source = ScriptedLocationSource(clock: clock, scripts: [.event(Reports.fix(0))])
    let coordinator = LocationCoordinator(source)
    let isChanged = Collector<Bool>()
    withObservationTracking {
      _ = coordinator.lastKnownLocation
    } onChange: {
      isChanged.add(true)
    }
    coordinator.start()
    await clock.settle()
    #expect(isChanged.values == [true])
    coordinator.stop()
  }

  @Test func `of a hub remains when the position is lost, and after its end`() async {
    let source = ScriptedLocationSource(clock: clock)
    let hub = LocationHub(source)
    #expect(hub.lastKnownLocation == nil)
    hub.start()
    source.force(Reports.fix(3), after: .seconds(3))
    await clock.advance(by: .seconds(300))
    let known = KnownLocation(Reports.locationFix(3), at: Reports.moment(3))
    #expect(hub.location == nil && hub.lastKnownLocation == known)
    hub.stop()
    #expect(hub.lastKnownLocation == known)
    #expect("\(known)" == "\(known.fix) at 3.0 seconds")
  }

  /// Its age is known only if its time is of the same clock.
  @Test func `is an old one only if its age is known`() {
    func fix(_ second: Double, isCurrent: Bool = true) -> LocationFix {
      var fix = Reports.locationFix(second)
      fix.isCurrent = isCurrent
      fix.received = Reports.time(100)
      return fix
    }
    let arrival = Reports.moment(7)
    var known = LastKnownLocation(sharesClock: true)
    known.record(fix(40, isCurrent: false), at: arrival)
    #expect(known.location == KnownLocation(fix(40, isCurrent: false), at: Reports.moment(-53)))
    known.record(fix(99), at: arrival)
    known.record(fix(98), at: arrival)
    #expect(known.location == KnownLocation(fix(99), at: Reports.moment(6)))
    // A clock that was set back makes no position of the future.
    known.record(fix(200), at: arrival)
    #expect(known.location == KnownLocation(fix(200), at: arrival))
    known = LastKnownLocation(sharesClock: false)
    known.record(fix(40, isCurrent: false), at: arrival)
    #expect(known.location == nil)
    known.record(fix(40), at: arrival)
    known.record(fix(30), at: arrival)
    #expect(known.location == KnownLocation(fix(30), at: arrival))
  }
}
