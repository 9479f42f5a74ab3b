import LocationTestKit
import Testing
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

/// A test that fails, as the fake was asked. By its name it is none that SwiftPM would find and run.
private final class AskedSourceXCTests: XCTestCase {
  func asksTheSource() async {
    let source = FailingLocationSource { XCTFail($0) }
    await #expect(throws: LocationError.self) { for try await _ in source.events() {} }
  }
}

/// The tests above, each class in a process of its own: XCTest ends the process that runs it.
@Suite(.timeLimit(.minutes(5))) struct `A suite of XCTest` {
  @Test func `checks the contract`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      await runAway {
        XCTMain([
          testCase([
            ("keeps", asyncTest(XCTestContractTests.testThatAProviderOfOnesOwnKeepsTheContract)),
            ("breaks", asyncTest(XCTestContractTests.testThatABrokenRuleIsNamed)),
            ("is not asked", asyncTest(XCTestContractTests.testThatASourceIsNotAsked)),
          ])
        ])
      }
    }
    #expect(words(result).contains("Executed 3 tests, with 0 failures"), "\(words(result))")
  }

  @Test func `fails with the source that its test does not expect to be asked`() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardOutputContent]
    ) {
      await runAway {
        XCTMain([
          testCase([("is not asked", asyncTest(AskedSourceXCTests.asksTheSource))])
        ])
      }
    }
    #expect(
      words(result).contains("a location was requested, and the test does not expect it"),
      "\(words(result))")
  }
}

private func words(_ result: ExitTest.Result?) -> String {
  String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
}

/// Runs XCTest on a thread of its own: the main thread has to stay free for the main actor.
private func runAway(_ tests: @escaping @Sendable () -> Never) async {
  Thread.detachNewThread { tests() }
  await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
}
