import LocationCore
import GPSDProtocol
import Testing

@Suite struct `A frequent line in its usual form` {
  /// Returns how a line is recognised between two others.
  private func line(_ text: String, end: String = "\r\n") -> String? {
    let (before, after) = ("before\r\n", "after\r\n")
    let bytes = Array((before + text + end + after).utf8)
    let (start, count) = (before.utf8.count, text.utf8.count + end.utf8.count)
    return switch UsualLine(bytes.span, from: start, to: start + count) {
    case .time(let milliseconds): "\(milliseconds)"
    case .report(let nameEnd, let isFix, _):
      String(decoding: bytes[start..<nameEnd], as: UTF8.self) + (isFix ? " fix" : "")
    case nil: nil
    }
  }

  @Test(arguments: [
    ("0.000", 0), ("1.002", 1002), ("86399.999", 86_399_999), ("007.120", 7120),
    ("4294967295.999", 4_294_967_295_999),
  ])
  func `is a time stamp with nothing but a time`(time: String, milliseconds: Int) {
    #expect(line(#"{"class":"LOCWATCH","t":\#(time)}"#) == "\(milliseconds)")
    #expect(line(#"{"class":"LOCWATCH","t":\#(time)}"#, end: "\n") == "\(milliseconds)")
  }

  @Test(arguments: [
    #"{"class":"LOCWATCH","t":4294967296.000}"#, #"{"class":"LOCWATCH","t":1.00}"#,
    #"{"class":"LOCWATCH","t":1.0000}"#, #"{"class":"LOCWATCH","t":.000}"#,
    #"{"class":"LOCWATCH","t":-1.000}"#, #"{"class":"LOCWATCH","t":1,000}"#,
    #"{"class":"LOCWATCH","t":1.000"#, #"{"class":"LOCWATCH","t":1.000}}"#,
    #"{"class":"LOCWATCH","t":1.000,"lost":1}"#, #"{"class":"LOCWATCH","t":"1.000"}"#,
    #"{"class":"LOCWATCH", "t":1.000}"#, #"{"class":"LOCWATCX","t":1.000}"#,
    #"{"class":"LOCWATCH","u":1.000}"#, "{\"class\":\"LOCWATCH\",\"t\":1.000}\r", "",
    #"{"class":"LOCWATCH","t":99999999999999999999999999.000}"#, #"{"class":"TPV"}"#,
  ])
  func `is no other time stamp`(text: String) { #expect(line(text) == nil) }

  @Test func `is a report that the next one replaces`() {
    func name(_ kind: String) -> String { #"{"class":"\#(kind)","device":"/dev/a"# }
    for kind in ["SKY", "GST", "ATT"] {
      #expect(line(name(kind) + #"","time":"x"}"#) == name(kind))
    }
    for mode in 0...4 {
      let report = name("TPV") + #"","status":2,"mode":\#(mode),"lat":1.5}"#
      #expect(line(report) == name("TPV") + (mode == 2 || mode == 3 ? " fix" : ""))
    }
    #expect(line(name("TPV") + #"","mode":3}"#, end: "\n") == name("TPV") + " fix")
  }

  @Test(arguments: [
    #"{"class":"TPV","device":"/dev/a","lat":1}"#, #"{"class":"TPV","device":"/dev/a","mode":3"#,
    #"{"class":"TPV","mode":3}"#, #"{"class":"DEVICES","devices":[]}"#,
    #"{"class":"PPS","device":"x"}"#,
    #"{"class":"TPV","device":"/dev/a\"b","mode":3}"#, #"{"class":"SKY","device":"/dev/a"#,
    #"{"klass":"SKY","device":"/dev/a"}"#, #"{"class":"SKY","device":1}"#,
    #"{"class":"TPV","device":"/dev/a","tag":"0123456789012345678901234567890123456789","mode":3}"#,
    #"{"class":"TPV","device":"/dev/a"}"#, #"{"class":"TPV","device":"#,
  ])
  func `is no other report`(text: String) { #expect(line(text) == nil) }
}
