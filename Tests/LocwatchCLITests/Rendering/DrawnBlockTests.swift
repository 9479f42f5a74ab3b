import Testing

@testable import LocwatchCLI

@Suite struct DrawnBlockTests {
  @Test(arguments: [
    ([], 80, true, "\r\u{1b}[K"),
    ([79], 80, true, "\r\u{1b}[K"),
    ([20, 20, 79], 80, true, "\u{1b}[2A\r\u{1b}[J"),
    // The terminal got narrower.
    ([79], 40, true, "\u{1b}[1A\r\u{1b}[J"),
    ([80], 40, true, "\u{1b}[1A\r\u{1b}[J"),
    ([81], 40, true, "\u{1b}[2A\r\u{1b}[J"),
    ([79], 40, false, "\r\u{1b}[K"),
    ([20, 50, 79], 40, true, "\u{1b}[4A\r\u{1b}[J"),
    ([0], 40, true, "\r\u{1b}[K"),
  ])
  func `Clearing goes back to where the block began`(
    widths: [Int], columns: Int, rewraps: Bool, sequence: String
  ) {
    var block = DrawnBlock()
    for width in widths { block.append(width: width) }
    #expect(block.clearing(columns: columns, rewraps: rewraps) == sequence)
  }
}
