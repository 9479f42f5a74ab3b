import LocationCore
import Testing

@testable import GPSDLocation

@Suite struct `Conversation with a gpsd` {
  private var conversation = Conversation(openedAt: .at(0))

  private mutating func expire(at second: Double) -> Conversation.Action {
    conversation.expire(at: .at(second))
  }

  @Test mutating func `the first answer may take 15 s`() {
    #expect(conversation.deadline == .at(15))
    #expect(expire(at: 14.999) == .wait)
    let error = LocationError(.silent, "no answer from gpsd within 15.0 seconds")
    #expect(expire(at: 15) == .fail(error))
  }

  @Test mutating func `a banner after 7 s is no alarm`() {
    conversation.hear(reportAt: .at(7))
    #expect(conversation.deadline == .at(17))
    #expect(expire(at: 15) == .wait)
  }

  @Test mutating func `10 s of silence make one question, and 20 s the end`() {
    conversation.hear(reportAt: .at(1))
    #expect(expire(at: 10.999) == .wait)
    #expect(expire(at: 11) == .probe)
    #expect(conversation.deadline == .at(21))
    #expect(expire(at: 11) == .wait)
    #expect(expire(at: 20.999) == .wait)
    let error = LocationError(.silent, "gpsd has been silent for 20.0 seconds")
    #expect(expire(at: 21) == .fail(error))
  }

  @Test mutating func `an answer ends the doubt`() {
    conversation.hear(reportAt: .at(0))
    #expect(expire(at: 10) == .probe)
    conversation.hear(reportAt: .at(12))
    #expect(conversation.deadline == .at(22))
    #expect(expire(at: 22) == .probe)
  }

  @Test mutating func `a bad line of a gpsd is a sign of life`() {
    conversation.hear(reportAt: .at(0))
    #expect(conversation.hear(foreign: Lines.bytes("garbage"), at: .at(5)) == .wait)
    #expect(conversation.hear(discarded: 1_000_000, at: .at(6)) == .wait)
    #expect(conversation.deadline == .at(16))
    for second in 0..<20 {
      #expect(conversation.hear(foreign: Lines.bytes("{"), at: .at(Double(second))) == .wait)
    }
  }

  @Test(arguments: [
    ("HTTP/1.1 400 Bad Request\r", "HTTP/1.1 400 Bad Request"),
    ("SSH-2.0-OpenSSH_9.2p1 Debian-2", "SSH-2.0-OpenSSH_9.2p1 Debian-2"),
    (String(repeating: "x", count: 100), String(repeating: "x", count: 60)),
  ])
  mutating func `what else answers is named, at the ninth line, the end or 15 s`(
    line: String, told: String
  ) {
    let error = LocationError(.notAService, "not a gpsd: it says '\(told)'")
    var other = conversation
    var last: Conversation.Action?
    for number in 1...9 {
      last = other.hear(foreign: Lines.bytes(number == 1 ? line : "more"), at: .at(1))
      #expect((last == .wait) == (number < 9))
    }
    #expect(last == .fail(error))

    _ = conversation.hear(foreign: Lines.bytes(line), at: .at(1))
    #expect(conversation.deadline == .at(15))
    #expect(conversation.end(GPSDError(.hungUp, "closed")) == error)
    #expect(expire(at: 15) == .fail(error))
  }

  @Test mutating func `64 KiB of noise are no gpsd`() {
    #expect(conversation.hear(discarded: 65_536, at: .at(0)) == .wait)
    #expect(
      conversation.hear(discarded: 1, at: .at(0))
        == .fail(
          LocationError(.notAService, "not a gpsd: it says '65536 bytes without a line end'")))
  }

  @Test mutating func `a gpsd that hangs up is a lost connection`() {
    let closed = GPSDError(.hungUp, "closed by gpsd")
    #expect(conversation.end(closed) == LocationError(.disconnected, "closed by gpsd"))
    _ = conversation.hear(foreign: Lines.bytes("torn"), at: .at(0))
    conversation.hear(reportAt: .at(0))
    #expect(conversation.end(closed) == LocationError(.disconnected, "closed by gpsd"))
  }
}
