// snippet: contract
import LocationTestKit
import Testing

@Suite(.timeLimit(.minutes(5))) struct LighthouseTests {
  let fix = LocationFix.at(latitude: 50.03, longitude: -5.2)

  @Test func keepsTheContract() async {
    let lighthouse = EventSequenceProvider { Flashes(fix: fix, interval: .milliseconds(10)) }
    let found = await lighthouse.contractViolations(
      reporting: [.fix(fix), .fix(fix)], then: .staysOpen)
    #expect(found == [])
  }
  // end

  @Test func keepsTheContractByConnection() async {
    #expect(await Buoy(fix: fix).contractViolations(reporting: [.fix(fix)]) == [])
  }
  // snippet: contract
}
// end
