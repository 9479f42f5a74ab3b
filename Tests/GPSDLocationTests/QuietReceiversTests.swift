import LocationCore
import Testing

@testable import GPSDLocation

@Suite struct `Receivers that fall silent beside others` {
  private let pause = Nanoseconds.seconds(10)

  private func moment(_ seconds: Int) -> Moment { Moment(uptime: .seconds(seconds)) }

  @Test func `are due for a nudge after the pause, and after each further one`() {
    var receivers = QuietReceivers()
    #expect(receivers.deadline(after: pause) == nil)
    receivers.hear("/dev/a", at: moment(0))
    receivers.hear("/dev/b", at: moment(0))
    receivers.hear("/dev/b", at: moment(9))
    #expect(receivers.deadline(after: pause) == moment(10))
    receivers.noteNudge(at: moment(10))
    receivers.hear("/dev/b", at: moment(11))
    #expect(receivers.deadline(after: pause) == moment(20))
    receivers.hear("/dev/a", at: moment(12))
    #expect(receivers.deadline(after: pause) == moment(21))
  }

  @Test func `are left alone once they are gone`() {
    var receivers = QuietReceivers()
    receivers.hear("/dev/a", at: moment(0))
    receivers.forget("/dev/a")
    #expect(receivers.deadline(after: pause) == nil)
  }

  @Test func `make a conversation ask, although gpsd speaks`() {
    var conversation = Conversation(openedAt: moment(0))
    conversation.hear(reportAt: moment(0))
    conversation.note(.noFix(NoFix(device: "/dev/a")), at: moment(0))
    for second in 1...9 {
      conversation.hear(reportAt: moment(second))
      conversation.note(.noFix(NoFix(device: "/dev/b")), at: moment(second))
    }
    #expect(conversation.expire(at: moment(9)) == .wait)
    #expect(conversation.expire(at: moment(10)) == .probe)
    #expect(conversation.expire(at: moment(11)) == .wait)
    #expect(conversation.deadline == moment(19))
  }
}
