import LocationCore
import Testing

@testable import LocwatchDoctor

@Suite struct AdvisorTests {
  private static func at(_ seconds: Int) -> Moment { Moment(uptime: .seconds(seconds)) }

  @Test(
    arguments: [
      (.daemon, 0), (.receiver, 0), (.report, 15), (.satellites, 20), (.fix, 60),
    ] as [(Advisor.MissingLink, Int)])
  func `Advice is due when a link has been missing for long enough, and given once`(
    link: Advisor.MissingLink, patience: Int
  ) {
    var advisor = Advisor()
    advisor.record(link, at: Self.at(7))
    #expect(advisor.due == Self.at(7 + patience))
    // That it is still missing does not begin the wait again.
    advisor.record(link, at: Self.at(8))
    #expect(advisor.take(at: Self.at(6 + patience)) == nil)
    #expect(advisor.take(at: Self.at(7 + patience)) == link)
    #expect(advisor.due == nil && advisor.take(at: Self.at(100)) == nil)
  }

  @Test func `Advice is given again only if the link was there in between`() {
    var advisor = Advisor()
    advisor.record(.receiver, at: Self.at(0))
    #expect(advisor.take(at: Self.at(0)) == .receiver)
    // A link before it is missing, and so it is missing, too.
    advisor.record(.daemon, at: Self.at(1))
    #expect(advisor.take(at: Self.at(1)) == .daemon)
    advisor.record(.receiver, at: Self.at(2))
    #expect(advisor.due == nil)
    advisor.record(.daemon, at: Self.at(3))
    #expect(advisor.take(at: Self.at(3)) == .daemon)
    advisor.record(.report, at: Self.at(4))
    #expect(advisor.due == Self.at(19))
    advisor.record(.receiver, at: Self.at(5))
    #expect(advisor.take(at: Self.at(5)) == .receiver)
    // Nothing is missing any more.
    advisor.record(nil, at: Self.at(6))
    #expect(advisor.due == nil && advisor.take(at: Self.at(6)) == nil)
    advisor.record(.receiver, at: Self.at(7))
    #expect(advisor.take(at: Self.at(7)) == .receiver)
  }

  @Test func `Nothing is advised as long as it is not certain what is missing`() {
    var advisor = Advisor()
    advisor.record(.daemon, isCertain: false, at: Self.at(0))
    #expect(advisor.due == nil && advisor.take(at: Self.at(100)) == nil)
    advisor.record(.daemon, at: Self.at(101))
    #expect(advisor.due == Self.at(101))
    advisor.record(.daemon, isCertain: false, at: Self.at(102))
    #expect(advisor.due == nil)
  }
}
