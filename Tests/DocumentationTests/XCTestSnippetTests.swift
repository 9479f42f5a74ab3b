import Foundation
import Testing
import XCTest

/// The suite of XCTest of an article, in a process of its own: XCTest ends the process that runs it.
@Suite(.timeLimit(.minutes(5))) struct `The code of the articles for XCTest` {
  @Test func `keeps the contract`() async {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent]
    ) {
      // The main thread has to stay free for the main actor.
      Thread.detachNewThread {
        XCTMain([
          testCase([("keeps", asyncTest(LighthouseXCTests.testKeepsTheContract))])
        ])
      }
      await withUnsafeContinuation { (_: UnsafeContinuation<Void, Never>) in }
    }
    let words = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
    #expect(words.contains("Executed 1 test, with 0 failures"), "\(words)")
  }
}
