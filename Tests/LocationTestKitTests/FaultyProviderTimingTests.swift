import Foundation
import LocationTestKit
import Testing

extension `A faulty provider` {
  @Test(
    .enabled(
      if: ProcessInfo.processInfo.environment["LOCWATCH_TIMING_TESTS"] == "1",
      "a busy machine excuses it: 'make check-timing' runs it"),
    arguments: [FaultyProvider.Fault.stampsWhenRead, .timesOutLate, .blocksItsThread])
  func `that is slow fails the check where the machine is idle`(
    fault: FaultyProvider.Fault
  ) async {
    let faulty = FaultyProvider(fault.events, then: .staysOpen, fault: fault)
    let found = await faulty.contractViolations(
      reporting: fault.events, then: .staysOpen, atMost: .seconds(1))
    #expect(found.contains { "\($0)".contains(fault.sentence) }, "\(found)")
  }
}
