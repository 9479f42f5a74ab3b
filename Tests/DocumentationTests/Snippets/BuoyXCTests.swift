// snippet: xctest
import LocationTestKit
import XCTest

final class BuoyTests: XCTestCase {
  func testKeepsTheContract() async {
    let fix = LocationFix.at(latitude: 50.03, longitude: -5.2)
    let found = await Buoy(fix: fix).contractViolations(reporting: [.fix(fix)])
    XCTAssertEqual(found, [])
  }
}
// end
