import GPSDLocation
import Testing

@testable import LocwatchSystem

/// What a file begins with.
private enum Head {
  static let version: String = #"{"class":"VERSION","release":"3.22"}"# + "\r\n"
  static let devices: String = #"{"class":"DEVICES","devices":[{"path":"/dev/a"}]}"# + "\r\n"
  static let greeting: String = version + devices
  static let sentence = "$GPGLL,,,,,,V,N*64\r\n"

  static func watch(json: Bool) -> String {
    #"{"class":"WATCH","enable":true,"json":\#(json),"nmea":true}"# + "\r\n"
  }
}

@Suite struct `The head of a log` {
  @Test(
    arguments: [
      // gpsd says what gpspipe asked it for: -r and -R, or -w, also with -r.
      (Head.greeting + Head.watch(json: false), true),
      (Head.greeting + Head.watch(json: false) + "anything", true),
      (Head.greeting + Head.watch(json: true) + "$GPGGA,1", false),
      ("# one\n" + Head.watch(json: false), true),
      (Head.greeting + "$GPGGA,1\n", true), (Head.greeting + #"{"class":"TPV"}"#, false),
      (Head.greeting, false),
      (Head.greeting + #"{"class":"WATCH"}\#n"# + "$GPGGA,1", true),
      (Head.greeting + #"{"class":"WATCH"}\#n"# + "garbage", false), ("garbage\n\u{1}", false),
      (Head.version + #"{"class":"TPV"}\#n"# + Head.watch(json: false), false),
      ("$GPGGA,1\n" + Head.watch(json: true), true), ("# one\n$GPGGA,1\n", true), ("# one", false),
      ("# one\n", false), ("text\n", false), ("", false), ("{", false), ("\u{1}\u{2}", true),
      ("text\u{7F}", true), ("a\tb~ \u{8}", true), ("a\tb~", false), ("<!\u{0}", true),
      ("<gpx>\u{0}", false),
      // Blank lines, and the rest of a line whose beginning was not recorded
      ("\n\r\n $GPGGA,1\n", true), ("\n" + #"{"class":"TPV"}"#, false), ("\n\n", false),
      ("\n# one\n\n$GPGGA,1\n", true), (" \n" + Head.greeting + Head.watch(json: false), true),
      ("N,,*5C\r\n" + Head.sentence, true), ("N,,*5C\n\r\n" + Head.sentence, true),
      ("\n\n,5*7\n" + Head.sentence, true), ("<\n" + Head.sentence, false),
      ("N,,*5C\n$GPGLL,,,,,,V,N*65\r\n", false), ("N,,*5C\n$GPGLL,,,,,,V,N\r\n", false),
      ("N,,*5C\n$GPGLL,,,,,,V,N*\r\n", false), ("N,,*5C\n" + Head.sentence.dropLast(2), false),
      ("one\ntwo\n" + Head.sentence, false), ("{\n" + Head.sentence, false),
      (#"TPV"}\#n{"class":"TPV"}\#n"# + Head.sentence, false), ("N,,*5C\n*00\n", false),
      (#""x":1}\#n"# + Head.sentence + #"{"class":"TPV"}\#n"#, false),
    ] as [(String, Bool)])
  func `distinguishes what a receiver sent from reports and text`(head: String, isRaw: Bool) {
    let head = LogHead(Array(head.utf8))
    #expect(head.isRaw(name: nil) == isRaw)
  }

  @Test(
    arguments: [
      ("a.log", true), ("b.UBX", true), ("c.jsonl", false), ("bin", true), ("d", false),
    ] as [(String, Bool)])
  func `goes by the name where the contents can be anything`(name: String, isRaw: Bool) {
    #expect(LogHead(Array(("N,,*5C\n" + Head.sentence).utf8)).isRaw(name: name))
    for text in ["text", "\u{1}", "# one\nabc", "a\nb\n", "\u{1}\n" + Head.sentence] {
      #expect(LogHead(Array(text.utf8)).isRaw(name: name) == isRaw)
    }
    for text in [#"{"class":"TPV"}"#, "{", "#", "", Head.greeting + Head.watch(json: true)] {
      #expect(!LogHead(Array(text.utf8)).isRaw(name: name))
    }
    #expect(LogHead(Array((Head.greeting + Head.watch(json: false)).utf8)).isRaw(name: name))
  }

  @Test(
    arguments: [
      ("", false), ("# one", false), ("# one\n", false), (Head.version, false),
      (Head.greeting, false),
      (Head.greeting + Head.watch(json: true), true),
      (Head.greeting + Head.watch(json: false), true),
      (Head.greeting + #"{"class":"WATCH"}\#n"#, true), (Head.greeting + "$GPG", false),
      (Head.greeting + "$GPGGA,1\n", true), ("$GPGGA,1\r\n", true),
      (#"{"class":"TPV"}\#n"#, true), (#"{"class":"LOC"#, false),
      ("\n", false), ("\n\n$GPGGA,1\n", true), ("x\n", false), ("x\n\n$GPG", false),
      ("x\n$GPGGA,1\n", true), ("x\ny\n", true), ("{\n", true), ("<gpx>\n", true),
      ("x\n" + String(repeating: "x", count: 510), true),
      (String(repeating: "x", count: 511), false), (String(repeating: "x", count: 512), true),
      (#"{"class":"DEVICES""# + String(repeating: "x", count: 600), false),
      (#"{"class":"DEVICES""# + String(repeating: "x", count: 70_000), true),
      ("#" + String(repeating: "x", count: 600), false),
    ] as [(String, Bool)])
  func `knows whether more could change it`(head: String, isEnough: Bool) {
    #expect(LogHead(Array(head.utf8)).isEnough == isEnough)
  }
}
