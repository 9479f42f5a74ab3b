import LocwatchTestSupport
import Testing

@testable import LocwatchSystem

@Suite(.timeLimit(.minutes(5))) struct `A pseudo-terminal of a test` {
  @Test func `has all that was written, and nothing if nothing was`() throws {
    let ends = try PseudoTerminalEnds()
    #expect(ends.takeWrittenText() == "")
    // The system passes on 4,095 bytes at most at a time.
    let line = String(repeating: "x", count: 999)
    for _ in 1...8 { #expect(ends.terminal.writeWhole(Array("\(line)\n".utf8)[...]) == nil) }
    #expect(ends.takeWrittenText() == String(repeating: "\(line)\r\n", count: 8))
    #expect(ends.takeWrittenText() == "")
  }
}
