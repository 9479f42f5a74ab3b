import Foundation
import Testing

extension `A faulty provider` {
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["LOCWATCH_TIMING_TESTS"] == "1",
      "a busy machine excuses it: 'make check-timing' runs it"))
  func `that stamps when it reads fails the check where the machine is idle`() async {
    await expectSentence(about: .stampsWhenRead)
  }
}
