import Testing

@testable import LocationCore

@Suite struct `Lengths of time in nanoseconds` {
  private let longest = Nanoseconds(.max)
  private let shortest = Nanoseconds(.min)

  @Test func `end where there are no more of them`() {
    #expect(longest + .seconds(1) == longest)
    #expect(shortest - .seconds(1) == shortest)
    #expect(shortest + .seconds(-1) == shortest)
    #expect(.zero - shortest == longest)
    #expect(longest * 3 == longest)
    #expect(longest * -3 == shortest)
    #expect(shortest * -1 == longest)
  }

  @Test(arguments: [Duration.zero, .milliseconds(-1500), .seconds(86_400 * 365)])
  func `are the duration that they were made of`(duration: Duration) {
    #expect(Nanoseconds(duration).duration == duration)
  }
}
