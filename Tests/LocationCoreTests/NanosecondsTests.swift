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

  @Test func `are limited to the longest for a longer duration`() {
    let longer = Duration.seconds(Int64.max) * 10
    #expect(Nanoseconds(longer) == longest)
    #expect(Nanoseconds(longer * -1) == shortest)
    #expect(longer.inSeconds == 9_223_372_036_854_775_807e1)
  }

  @Test(arguments: [Duration.zero, .milliseconds(-1500), .seconds(86_400 * 365)])
  func `are the duration that they were made of`(duration: Duration) {
    #expect(Nanoseconds(duration).duration == duration)
  }
}
