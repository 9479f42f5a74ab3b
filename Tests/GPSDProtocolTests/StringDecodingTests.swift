import GPSDProtocol
import Testing

@Suite struct `Strings` {
  private func device(_ value: String) -> String? { tpvReport(#""device":"\#(value)""#)?.device }

  @Test(arguments: [
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u00e9\u00E9"#, "éé"), ("é…🛰", "é…🛰"),
    (#"\ud83d\udef0"#, "🛰"), (#"\u0000"#, "\0"), (#"\u001b]52;c;x\u0007"#, "\u{1B}]52;c;x\u{7}"),
    (#"\u202e"#, "\u{202E}"), ("</name>&=cmd", "</name>&=cmd"), (#"\uFFFF"#, "\u{FFFF}"), ("", ""),
  ])
  func `stand for what JSON says`(escaped: String, text: String) {
    #expect(device(escaped) == (text.isEmpty ? nil : text))
    #expect(
      report(#"{"class":"ERROR","message":"\#(escaped)"}"#)
        == .error(ErrorReport(message: text)))
  }

  @Test func `name a device whole up to 255 bytes, and not beyond`() {
    let path = String(repeating: "x", count: 255)
    #expect(device(path) == path)
    #expect(report(#"{"class":"TPV","device":"\#(path)y"}"#) == nil)
    let wide = String(repeating: "🛰", count: 63)
    #expect(device(wide) == wide)
    #expect(report(#"{"class":"TPV","device":"\#(wide)🛰"}"#) == nil)
  }

  @Test func `of another kind are cut after 1024 bytes, between two characters`() {
    let text = "x" + String(repeating: "🛰", count: 300)
    guard case .error(let error) = report(#"{"class":"ERROR","message":"\#(text)"}"#) else {
      Issue.record("no ERROR")
      return
    }
    #expect(error.message == "x" + String(repeating: "🛰", count: 255))
  }

  @Test
  func `name the device of each report, whatever the one before named; an empty name is none`() {
    var decoder = GPSDDecoder()
    let names = [
      "/dev/a", "/dev/ab", "/dev/a", "", "/dev/\\u0061", "/dev/a", "/dev/b", "\\\"", "\\",
    ]
    for name in names.dropLast() {
      #expect(decoder.decode(#"{"class":"TPV","device":"\#(name)"}"#) == .tpv)
      let expected = name == "\\\"" ? "\"" : name.replacing("\\u0061", with: "a")
      #expect(decoder.tpv.device == (expected.isEmpty ? nil : expected))
    }
    #expect(decoder.decode(#"{"class":"TPV","device":7}"#) == .tpv)
    #expect(decoder.tpv.device == nil)
  }
}
