import LocationCore
import Testing

@testable import LocationTestKit

@Suite struct `Transcript of a connection` {
  private let first = Moment(uptime: .zero)
  private let second = Moment(uptime: .seconds(1))

  /// A transcript of two reads that each return an event of the first moment; the second read begins later.
  private func violations(timingOutBetween: Bool) -> [ProviderRule] {
    let event = TimedRead.event(.fix(Places.sydney), at: first)
    var transcript = Transcript()
    transcript.add(event, deadline: nil, room: 2, from: first, to: first)
    if timingOutBetween {
      transcript.add(.timedOut(at: first), deadline: .past, room: 1, from: first, to: first)
    }
    transcript.add(event, deadline: nil, room: 1, from: second, to: second)
    return transcript.violations.map(\.rule)
  }

  @Test func `two events of one moment belong to one read`() {
    #expect(violations(timingOutBetween: false) == [.returnsTogether])
  }

  @Test func `an event that a read in between did not find came by itself`() {
    #expect(violations(timingOutBetween: true) == [])
  }
}
