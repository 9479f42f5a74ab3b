import LocationCore
import LocwatchSystem
import Testing

@testable import LocwatchTerminal

@Suite struct DisplayWidthTests {
  @Test(arguments: [
    ("", 0), ("fix-3d", 6), ("±1.0 m", 6), ("48°07'", 6), ("é", 1), ("e\u{301}", 1),
    ("a\u{20dd}", 1), ("漢字", 4), ("한", 2), ("ｶ", 1), ("Ａ", 2), ("𠀀", 2),
    // Emoji that are shown as such, from the oldest to the youngest.
    ("⌚", 2), ("⚡", 2), ("✅", 2), ("❌", 2), ("➕", 2), ("⭐", 2), ("🀄", 2), ("🆎", 2),
    ("📡", 2), ("🛰", 1), ("🚀", 2), ("🟢", 2), ("🥇", 2), ("🪐", 2), ("🪰", 2),
    // What can be an emoji and is a character unless somebody asks for one.
    ("✈", 1), ("☀", 1), ("→", 1), ("🌡", 1),
    // Two letters make a flag, which is as wide as both.
    ("🇩🇪", 2), ("🇩", 1),
  ])
  func `A text is as wide as its characters`(text: String, width: Int) {
    #expect(text.displayWidth == width)
  }

  @Test(arguments: [
    ("✅ok", 0, ""), ("✅ok", 1, ""), ("✅ok", 2, "✅"), ("✅ok", 3, "✅o"), ("✅ok", 9, "✅ok"),
    ("e\u{301}x", 1, "e\u{301}"),
  ])
  func `A text is cut before the character that does not fit`(
    text: String, width: Int, cut: String
  ) {
    #expect(text.cut(toDisplayWidth: width) == cut)
  }
}

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
  func `Clearing returns to the beginning of the block`(
    widths: [Int], columns: Int, rewraps: Bool, sequence: String
  ) {
    var block = DrawnBlock()
    for width in widths { block.append(width: width) }
    #expect(block.clearing(columns: columns, rewraps: rewraps) == sequence)
  }
}
