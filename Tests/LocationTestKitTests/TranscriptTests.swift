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
      transcript.add(.timedOut(at: first), deadline: first, room: 1, from: first, to: first)
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

  @Test func `the last event of a read is that before the next read`() {
    let event = TimedEvent(.fix(Places.sydney), at: first)
    let later = TimedEvent(.fix(Places.sydney), at: second)
    var transcript = Transcript()
    transcript.add(
      .value([event, later], at: second), deadline: nil, room: 3, from: first, to: second)
    #expect(transcript.violations == [])
    transcript.add(
      .value([later], at: second), deadline: nil, room: 1, from: second.advanced(by: .seconds(1)),
      to: second.advanced(by: .seconds(1)))
    #expect(transcript.violations.map(\.rule) == [.returnsTogether])
  }

  @Test func `no event of a read may be ahead of the clock`() {
    let events = [first, second].map { TimedEvent(.fix(Places.sydney), at: $0) }
    var transcript = Transcript()
    transcript.add(.value(events, at: first), deadline: nil, room: 2, from: first, to: first)
    #expect(
      transcript.violations.map(\.description) == [
        "gives the moments at which events arrived: an event has a moment 1.0 seconds ahead of the clock"
      ])
  }
}
