import GPSDLocation
import Testing

@testable import LocwatchTerminal

@Suite struct ViewKeyTests {
  private func keys(_ reads: String...) -> [ViewKey] {
    var decoder = ViewKeyDecoder()
    return reads.flatMap { decoder.keys(in: $0.utf8) }
  }

  @Test(arguments: [
    ("q", [ViewKey.quit]), ("Q", [.quit]), ("?", [.help]), ("\t", [.tab]), ("7", [.number(7)]),
    ("0", [.unknown]), ("19:/", [.number(1), .number(9), .unknown, .unknown]),
    (" pP", [.pause, .pause, .pause]), ("nN", [.next, .next]),
    ("+=-_", [.plus, .plus, .minus, .minus]), ("\u{0c}", [.repaint]), ("é", [.unknown]),
    ("\u{1F6F0}q", [.unknown, .quit]),
  ])
  func `A key is the character that it sends`(text: String, expected: [ViewKey]) {
    #expect(keys(text) == expected)
  }

  @Test(arguments: [
    ("\u{1b}[A\u{1b}[B\u{1b}[C\u{1b}[D", [ViewKey.up, .down, .right, .left]),
    ("\u{1b}OA\u{1b}OB\u{1b}OC\u{1b}OD", [.up, .down, .right, .left]),
    ("\u{1b}[1;2C\u{1b}[1;2D\u{1b}[c\u{1b}[d", [.shiftRight, .shiftLeft, .shiftRight, .shiftLeft]),
    ("\u{1b}[5~\u{1b}[6~", [.pageUp, .pageDown]), ("\u{1b}[Z", [.shiftTab]),
  ])
  func `A key is the sequence that a terminal sends`(text: String, expected: [ViewKey]) {
    #expect(keys(text) == expected)
  }

  @Test(arguments: [
    "\u{1b}", "\u{1b}[@", "\u{1b}O~", "\u{1b}[1;5C", "\u{1b}[1;2A", "\u{1b}[1;2Z", "\u{1b}[1;2c",
    "\u{1b}[200~", "\u{1b}[~", "\u{1b}[5;2~", "\u{1b}[<0;3;4M", "\u{1b}[[A", "\u{1b}[1;2~",
    "\u{1b}[55~", "\u{1b}[5A", "\u{1b}[" + String(repeating: "1", count: 4000) + ";2C",
  ])
  func `Any other sequence is one key that the view does not know`(text: String) {
    #expect(keys(text) == [.unknown])
    if text != "\u{1b}" { #expect(keys(text + "q") == [.unknown, .quit]) }
  }

  @Test func `A letter after escape is that letter, as with alt`() {
    #expect(keys("\u{1b}q") == [.quit])
    #expect(keys("\u{1b}\u{1b}[C") == [.right])
  }

  @Test func `A character that is not part of a sequence ends it`() {
    #expect(keys("\u{1b}[1;\u{1b}[C") == [.right])
    #expect(keys("\u{1b}[1;\tq") == [.tab, .quit])
    #expect(keys("\u{1b}O\tq") == [.tab, .quit])
  }

  @Test func `A sequence may come in several reads`() {
    #expect(keys("\u{1b}[1", ";2", "C") == [.shiftRight])
    #expect(keys("\u{1b}[", "5~") == [.pageUp])
    #expect(keys("\u{1b}O", "C") == [.right])
    // Escape by itself may be the beginning of one.
    #expect(keys("\u{1b}", "[C") == [.unknown, .right])
    #expect(keys("\u{1b}", "q") == [.unknown, .quit])
  }

  @Test(
    arguments: [
      (ViewKey.quit, ViewAction.quit, ViewAction.quit), (.help, .showKeys, .showKeys),
      (.repaint, .repaint, .repaint), (.number(3), .choose(.number(3)), .choose(.number(3))),
      (.tab, .choose(.next(1)), .choose(.next(1))), (.down, .choose(.next(1)), .choose(.next(1))),
      (.shiftTab, .choose(.next(-1)), .choose(.next(-1))),
      (.up, .choose(.next(-1)), .choose(.next(-1))),
      (.right, .choose(.next(1)), .control(.skip(.seconds(10)))),
      (.left, .choose(.next(-1)), .control(.skip(.seconds(-10)))),
      (.pause, .freeze, .control(.pause)), (.shiftRight, nil, .control(.skip(.seconds(600)))),
      (.shiftLeft, nil, .control(.skip(.seconds(-600)))),
      (.pageDown, nil, .control(.skip(.seconds(600)))),
      (.pageUp, nil, .control(.skip(.seconds(-600)))), (.plus, nil, .control(.speedUp)),
      (.minus, nil, .control(.slowDown)), (.next, nil, .control(.findTransition)),
      (.unknown, nil, nil),
    ] as [(ViewKey, ViewAction?, ViewAction?)])
  func `A key has an action in live use, and one in a replay`(
    key: ViewKey, live: ViewAction?, replay: ViewAction?
  ) {
    #expect(ViewAction(key, isReplay: false) == live)
    #expect(ViewAction(key, isReplay: true) == replay)
  }
}
