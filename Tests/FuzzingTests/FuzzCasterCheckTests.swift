import Fuzzing
import TestSupport
import Testing

@testable import LocwatchCLI
@testable import LocwatchReceivers

/// What the check of casters must notice.
@Suite struct `The fuzzer's check of casters` {
  private static let (first, second) = (RTCMFrame.numbered(1), RTCMFrame.numbered(2))
  private static let over = NTRIPExchange.Event.failed(.init(reason: "closed by the caster"))

  private func complaint(
    _ whole: [NTRIPExchange.Event], torn: [NTRIPExchange.Event]? = nil, sent: [[UInt8]]? = nil
  ) -> String? {
    CasterCheck.complaint(about: whole, torn: torn ?? whole, sent: sent)
  }

  @Test func `accepts frames that arrived, and an end`() {
    #expect(complaint([.frame(Self.first), Self.over], sent: [Self.first]) == nil)
    #expect(complaint([Self.over]) == nil)
  }

  @Test func `notices what is lost, damaged, torn or without an end`() {
    let both: [NTRIPExchange.Event] = [.frame(Self.first), .frame(Self.second), Self.over]
    #expect(
      complaint(both, sent: [Self.first])?.hasPrefix("2 of 1 frames came: ") == true)
    #expect(complaint(both, torn: [Self.over])?.hasPrefix("in pieces it is ") == true)
    #expect(complaint([.frame(Self.first)]) == "it has no end")
    #expect(complaint([]) == "it has no end")
    #expect(complaint([Self.over, Self.over])?.hasSuffix("is not the end") == true)
    let damaged = Array(Self.first.dropLast()) + [0]
    #expect(complaint([.frame(damaged), Self.over])?.hasSuffix("is not a whole frame") == true)
  }
}
