import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats

@Suite struct CSVRendererTests {
  @Test(arguments: [
    ("/dev/ttyACM0", "/dev/ttyACM0"), ("a,b", "\"a,b\""), ("a\"b", "\"a\"\"b\""),
    ("=1+1", "'=1+1"), ("+1", "'+1"), ("-1", "'-1"), ("@a", "'@a"), ("a=1", "a=1"),
    ("a\nb", #"a\u{a}b"#), ("\t=1", #"\u{9}=1"#), ("", ""), ("a;b", "\"a;b\""),
    // Where a semicolon separates, what follows it is a cell.
    (";=1", "\";'=1\""), ("a;+b;c-;-d;@", "\"a;'+b;c-;'-d;'@\""), ("=;=", "\"'=;'=\""),
    (";\"=1", "\";\"\"'=1\""), ("\"=1\"", "\"\"\"'=1\"\"\""),
    (Samples.hostile, #""'=cmd|\u{1b}[2J\u{9b}\u{202e}\u{2028}""</name>&'\u{a},\""#),
  ])
  func `Text cannot break out of its cell, or run as a formula`(device: String, cell: String) {
    var renderer = CSVRenderer(columns: [.device])
    #expect(renderer.fix(Samples.position(1, 2, device: device)) == cell + "\r\n")
  }
}
