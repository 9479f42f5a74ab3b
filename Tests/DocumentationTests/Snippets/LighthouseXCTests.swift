// snippet: xctest
import LocationTestKit
import XCTest

final class LighthouseXCTests: XCTestCase {
  func testKeepsTheContract() async {
    let fix = LocationFix.at(latitude: 50.03, longitude: -5.2)
    let lighthouse = EventSequenceProvider { Flashes(fix: fix, interval: .milliseconds(10)) }
    let found = await lighthouse.contractViolations(
      reporting: [.fix(fix), .fix(fix)], then: .staysOpen)
    XCTAssertEqual(found, [])
  }
}
// end
