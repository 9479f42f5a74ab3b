import Fuzzing
import Testing

/// Without these, checks that notice nothing would pass as well.
@Suite struct `Checks of the fuzzer notice` {
  @Test(arguments: [
    ("<p>a</p>", nil), ("<p>a", "<p> is never closed"),
    ("<b><i>a</b></i>", "</b> closes something else"),
    ("</p>", "</p> closes something else"), ("a < b", "a < stands alone"),
    ("a > b", "a > stands alone"),
    ("<p>R&D</p>", "an ampersand stands alone: D"), ("<p>R&amp;D &lt;&apos;</p>", nil),
    ("<p class=a>a</p>", "an attribute of <p> is not quoted"),
    ("<p class=\"a>a</p>", "a < is in an attribute of <p>"),
    ("<p id=\"a\"></p><p id=\"a\"></p>", "a identifies two elements"),
    (
      "<svg aria-labelledby=\"a b\"><title id=\"a\">t</title></svg>", "nothing has the identifier b"
    ),
    ("<a href=\"https://example.org\">a</a>", "a link leads outside: https://example.org"),
    (
      "<a href=\"https://www.openstreetmap.org/?mlat=-1.500000&amp;mlon=170.250000"
        + "#map=16/-1.500000/170.250000\">a</a>", nil
    ),
    (
      "<a href=\"https://www.openstreetmap.org/export\">a</a>",
      "a link leads outside: https://www.openstreetmap.org/export"
    ),
    ("<path d=\"M1 2L3-4z\"/>", nil), ("<path d=\"M1 nan\"/>", "d of <path>: nan in M1 nan"),
    ("<path d=\"M1 2L1e9 4\"/>", nil), ("<path d=\"M1 20001\"/>", "d of <path>: the number 20001"),
    ("<path d=\"M-99999 1\"/>", "d of <path>: the number -99999"),
    ("<g transform=\"translate(-99999 1)\"></g>", nil),
    ("<g transform=\"translate(nan 1)\"></g>", "transform of <g>: nan in translate(nan 1)"),
    ("<p>inf m</p>", "the text says inf: inf m"), ("<p>-NaN</p>", "the text says nan: -NaN"),
    ("<p>information, banana</p>", nil), ("<style>a>b{x:inf}</style>", nil),
  ])
  func `in a page`(page: String, complaint: String?) {
    #expect(PageCheck.complaint(about: page) == complaint)
  }

  @Test(arguments: [
    (#"{"receivers":[]}"#, nil), (#"{"receivers":["#, #"it does not parse: {"receivers":["#),
    (#"{"receivers":[{"fixes":1,"fixes3d":2}]}"#, "more fixes in 3D than fixes"),
    (#"{"receivers":[{"fixes":1,"fixes3d":1,"cep50":inf}]}"#, "it says inf"),
    (#"{"receivers":[{"fixes":1,"fixes3d":1,"availability":1.5}]}"#, "availability is 1.5"),
    (#"{"receivers":[{"fixes":1,"fixes3d":1,"drms":-1}]}"#, "drms is -1.0"),
    (
      #"{"receivers":[{"fixes":1,"fixes3d":1,"cep50":3,"r95":2,"r99":4}]}"#,
      "half are within 3.0 m, 95 % within 2.0 m, 99 % within 4.0 m"
    ),
    (
      #"{"receivers":[{"fixes":1,"fixes3d":1,"observed":5,"states":{"3d":4}}]}"#,
      "the states take 4.0 s of 5.0"
    ),
    (#"{"receivers":[{"fixes":1,"fixes3d":1,"centre":{"lat":91,"lon":0}}]}"#, "lat 91.0"),
    (#"{"receivers":[{"fixes":1,"fixes3d":1,"centre":{"lat":9,"lon":181}}]}"#, "lon 181.0"),
    (
      #"{"receivers":[{"fixes":1,"fixes3d":1,"outages":[{"duration":-1}]}]}"#,
      "an outage without a length"
    ),
    (
      #"{"receivers":[{"fixes":1,"fixes3d":1}]}"#,
      "no lists of legs and stops, or more than their numbers"
    ),
    (
      #"{"receivers":[{"fixes":1,"fixes3d":1,"legs":[{"distance":-1}],"legCount":1,"stops":[],"stopCount":0}]}"#,
      "a leg without distance"
    ),
    (
      #"{"receivers":[{"fixes":1,"fixes3d":1,"legs":[],"legCount":0,"stops":[{"duration":60}],"stopCount":1}]}"#,
      "a stop of less than two minutes"
    ),
  ])
  func `in the JSON of a report`(json: String, complaint: String?) {
    #expect(ReportCheck.complaint(aboutJSON: json) == complaint)
  }

  @Test(arguments: [
    ("half within 3 m\n", nil), ("half within nan m\n", "it says nan: half within nan m"),
    ("a\u{1B}b\n", "a control character 27"),
  ])
  func `in the text of a report`(text: String, complaint: String?) {
    #expect(ReportCheck.complaint(aboutText: text) == complaint)
  }

  @Test(arguments: [
    ("<p>three\u{A0}m</p>", "a no-break space that follows no number"),
    ("<p>3\u{A0}m\u{1B}</p>", "a control character 27"),
    ("<p>\u{A0}</p>", "a no-break space that follows no number"),
  ])
  func `in the text of a page`(page: String, complaint: String) {
    #expect(ReportCheck.complaint(aboutPage: page) == complaint)
  }

  @Test(arguments: [
    (#"{"type":"report","class":"X","report":{"class":"X","a":10.0}}"#, nil),
    (#"{"type":"report","class":"X","report":{"class":"X","a":1e1}}"#, nil),
    (#"{"type":"report","class":"X","report":{"class":"X","a":11}}"#, "it says something else"),
    (#"{"type":"report","class":"X","report":{"a":10,"class":"X"}}"#, "it says something else"),
    (#"{"type":"report","class":"Y","report":{"class":"X","a":10}}"#, "it is of another class"),
    (#"{"type":"fix","class":"X","report":{"class":"X","a":10}}"#, "it is no report"),
    (#"{"type":"report","class":"X","report":{"class":"X","a":inf}}"#, "it does not parse"),
    (
      #"{"type":"report","class":"X","device":"d","report":{"class":"X","a":10}}"#,
      "it is of another device"
    ),
    (
      #"{"type":"report","class":"X","offset":1,"report":{"class":"X","a":10}}"#,
      "an offset of unknown times"
    ),
  ])
  func `in a report that is passed on`(record: String, complaint: String?) {
    let bytes = Array("\(record)\n".utf8)
    let sent = #"{"class":"X","a":10}"#
    #expect(PassedOnCheck.complaint(about: bytes, kind: "X", sent: sent) == complaint)
  }

  @Test func `a wrong offset of a clock`() {
    let sent = #"{"class":"PPS","real_sec":1,"real_nsec":0,"clock_sec":2,"clock_nsec":5}"#
    func complaint(offset: String) -> String? {
      let record = #"{"type":"report","class":"PPS","offset":\#(offset),"report":\#(sent)}"#
      return PassedOnCheck.complaint(about: Array("\(record)\n".utf8), kind: "PPS", sent: sent)
    }
    #expect(complaint(offset: "1.000000005") == nil)
    #expect(complaint(offset: "-1") == "the offset is not 1.000000005")
    #expect(complaint(offset: "\"1\"") == "the offset is no number")
  }

  @Test(arguments: [
    ("1", "1.0"), ("-0", "0e5"), ("100", "1E2"), ("0.010", "1e-2"), ("1e400", "10e399"),
    ("12345678901234567890", "1234567890123456789e1"),
  ])
  func `no difference where two numbers are equal`(first: String, second: String) {
    #expect(JSONTree(first) == JSONTree(second))
  }

  @Test(arguments: ["01", "1.", ".5", "+1", "1e", "nan", "[1,]", "{\"a\"}", "\"\u{1}\"", "1 2", ""])
  func `text that is not JSON`(text: String) { #expect(JSONTree(text) == nil) }
}
