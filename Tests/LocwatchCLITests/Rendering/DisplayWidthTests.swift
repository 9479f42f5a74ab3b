import Testing

@testable import LocwatchCLI

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
