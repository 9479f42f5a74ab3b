import LocationTestKit
import XCTest

/// The contract, and the failing fakes, as a suite of XCTest uses them.
final class XCTestContractTests: XCTestCase {
  func testThatAProviderOfOnesOwnKeepsTheContract() async {
    let provider = OwnProvider(reported: [.fix(Places.sydney)])
    let found = await provider.contractViolations(reporting: [.fix(Places.sydney)])
    XCTAssertEqual(found, [])
  }

  func testThatABrokenRuleIsNamed() async {
    let provider = OwnProvider(reported: [.fix(Places.sydney)], flaw: .dropsAnEvent)
    let found = await provider.contractViolations(reporting: [.fix(Places.sydney)])
    XCTAssertEqual(found.first?.rule, .reportsEvents)
  }

  func testThatASourceIsNotAsked() async {
    let source = FailingLocationSource { XCTFail($0) }
    await MainActor.run { _ = LocationCoordinator(source) }
  }
}
