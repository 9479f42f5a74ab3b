@testable import LocwatchCLI
import Testing

@Suite struct ViewKeyTests {
  @Test(arguments: [
    ("q", [ViewKey.quit]), ("Q", [.quit]), ("\t", [.next]), ("7", [.number(7)]), ("0", []),
    ("19:/", [.number(1), .number(9)]), ("\u{1b}[@q", [.quit]), ("\u{1b}O~q", [.quit]),
    ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [.previous, .next, .next, .previous]),
    ("\u{1b}OB", [.next]), ("\u{1b}[Z", [.previous]), ("\u{0c}", [.repaint]),
    ("\u{1b}[1;5q", []), ("\u{1b}[200~q", [.quit]), ("\u{1b}q", [.quit]), ("xyz\u{1b}", []),
    ("\u{1b}[", []),
  ])
  func `A key is what a terminal sends for it`(text: String, keys: [ViewKey]) {
    #expect(ViewKey.keys(in: Array(text.utf8)[...]) == keys)
  }
}
