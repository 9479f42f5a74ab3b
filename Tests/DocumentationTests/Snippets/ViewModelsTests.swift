// snippet: schedules
import LocationTestKit
import Testing
import VirtualTimeTesting

@MainActor @Suite(.schedules(atMost: 100)) struct PlaceViewModelTests {
  @Test func showsTheLastPlace() async {
    let clock = ManualClock()
    let source = ScriptedLocationSource(clock: clock)
    let model = PlaceViewModel(source) { $0.latitude < 0 ? "Sydney" : "Munich" }
    model.start()
    source.forceLocation(.at(latitude: 48.1, longitude: 11.5))
    source.forceLocation(.at(latitude: -33.9, longitude: 151.2))
    await clock.settle()
    #expect(model.name == "Sydney")
  }
}
// end
