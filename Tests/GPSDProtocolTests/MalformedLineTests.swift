import GPSDProtocol
import Testing

/// Faults 19 and 60.
@Suite struct `A line that is no report` {
  @Test(arguments: ["", "\n", "\r\n", " \t\r\n", "    "])
  func `is blank where it is empty`(line: String) {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(line) == .blank)
  }

  @Test(arguments: [
    "\0\n", "$GPGGA,123519,4807.038,N*47", "HTTP/1.1 400 Bad Request", "SSH-2.0-OpenSSH_9.2",
    "{", "}", "{}", "[]", "null", "1", "\"TPV\"", "\u{FEFF}{\"class\":\"TPV\"}",
    #"{"mode":3}"#, #"{"class":}"#, #"{"class":"TPV""#, #"{"class":"TPV","mode""#,
    #"{"class":"TPV","mode":"#, #"{"class":"TPV","mode":3"#, #"{"class":"TPV","mode":3,"#,
    #"{"class":"TPV","mode":3,}"#, #"{"class":"TPV",,"mode":3}"#, #"{"class":"TPV" "mode":3}"#,
    #"{"class":"TPV","mode":3}}"#, #"{"class":"TPV","mode":3}x"#, #"{"class":"TPV","mode":3]"#,
    #"{"class":"TPV","mode":3}{"class":"TPV","mode":3}"#, #"{'class':'TPV'}"#, #"{class:"TPV"}"#,
    #"{"class":3}"#, #"{"class":null}"#, #"{"class":["TPV"]}"#, #"{"class":{"class":"TPV"}}"#,
    #"{"class":"TPV","lat":NaN}"#, #"{"class":"TPV","lat":nan}"#,
    #"{"class":"TPV","lat":Infinity}"#,
    #"{"class":"TPV","lat":+1}"#, #"{"class":"TPV","lat":01}"#, #"{"class":"TPV","lat":-01}"#,
    #"{"class":"TPV","lat":.5}"#, #"{"class":"TPV","lat":1.}"#, #"{"class":"TPV","lat":-}"#,
    #"{"class":"TPV","lat":1e}"#, #"{"class":"TPV","lat":1e+}"#, #"{"class":"TPV","lat":0x10}"#,
    #"{"class":"TPV","lat":1.2.3}"#, #"{"class":"TPV","lat":1 2}"#, #"{"class":"TPV","lat":--1}"#,
    #"{"class":"TPV","lat":tru}"#, #"{"class":"TPV","lat":nul}"#, #"{"class":"TPV","x":truex}"#,
    #"{"class":"TPV","device":"/dev/a}"#, #"{"class":"TPV","device":"\x"}"#,
    #"{"class":"TPV","device":"\u12g4"}"#, #"{"class":"TPV","device":"\ud800"}"#,
    #"{"class":"TPV","device":"\ud800\u0041"}"#, #"{"class":"TPV","device":"\udc00"}"#,
    #"{"class":"TPV","x":"\u12"}"#, "{\"class\":\"TPV\",\"x\":\"a\0b\"}",
    "{\"class\":\"TPV\",\"x\":\"a\nb\"}", "{\"class\":\"TPV\",\"a\u{1}b\":1}",
    "{\"class\":\"TPV\",\"mode\":3}\0", "{\"class\":\"TPV\",\u{B}\"mode\":3}",
    #"{"class":"TPV","lat":1,"lat":2}"#, #"{"class":"TPV","lat":"x","l\u0061t":2}"#,
    #"{"class":"TPV","class":"TPV"}"#, #"{"lat":1,"class":"TPV","class":"SKY"}"#,
    #"{"class":"AIS","class":"TPV"}"#, #"{"class":"TPV","device":"a","device":"b"}"#,
    // Names that, padded with zeros, would be those of members or empty places in a table.
    #"{"":"TPV","mode":3,"lat":1.5,"lon":2.5}"#,
    #"{"":"","mode":3,"lat":1.5,"lon":2.5,"device":"/dev/ttyACM0"}"#,
    "{\"class\0\":\"TPV\",\"mode\":3,\"lat\":1.5,\"lon\":2.5}",
    "{\"class\":\"TPV\0\",\"mode\":3,\"lat\":1.5,\"lon\":2.5}",
    "{\"class\":\"TPV\",\"mode\":3,\"lat\0\":1.5,\"lon\":2.5}",
    "{\"class\":\"TPV\",\"mode\":3,\"lat\0\0\0\0\0\":1.5,\"lon\":2.5}",
    "{\"class\":\"TPV\",\"mode\":3,\"leapseconds\0\":18,\"lon\":2.5}",
    "{\"class\":\"TPV\",\"mode\":3,\"magtrack\0\":18,\"lon\":2.5}",
    "{\"class\":\"TPV\",\"mode\":3,\"\0\0\0\0\0\0\0\0\":18,\"lon\":2.5}",
    "{\"class\":\"TPV\",\"mode\":3,\"\0\0\0\0\0\0\0\0lat\":18,\"lon\":2.5}",
  ])
  func `is malformed where it breaks a rule, and leaves no record`(line: String) {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(line) == .malformed)
    #expect(decoder.tpv == TPV())
  }

  @Test func `is no report of a known class where its class is empty`() {
    #expect(report(#"{"class":"","mode":3,"lat":1.5,"lon":2.5}"#) == .other(class: ""))
    #expect(report(#"{"mode":3,"lat":1.5,"lon":2.5,"class":""}"#) == .other(class: ""))
  }

  @Test(arguments: [#""":0"#, #""":"""#, #""":{"":[""]}"#])
  func `is none of those that have a member with an empty name`(member: String) {
    for rest in [#","mode":3,"lat":1.5,"lon":2.5"#, ""] {
      #expect(tpvReport(member + rest)?.lat == (rest.isEmpty ? nil : 1.5))
      #expect(tpvReport(member + rest) != nil)
      #expect(report(#"{\#(member),"class":"TPV"\#(rest)}"#) != nil)
    }
  }

  private static let whole = """
    {"class":"TPV","device":"/dev/ttyACM0","mode":3,"time":"2026-11-20T07:05:12.000Z",\
    "ept":0.005,"lat":48.149975000,"lon":11.584778333,"alt":1e2,"x":[{"y":"\\u00e9"},null,true]}
    """

  @Test(arguments: 1..<whole.utf8.count)
  func `is malformed at whatever byte it is cut off`(length: Int) {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(String(Self.whole.prefix(length))) == .malformed)
    #expect(decoder.tpv == TPV())
    #expect(decoder.decode(Self.whole) == .tpv)
  }

  @Test(
    arguments: [
      [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0xAF], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xFF], [0xFE], [0xE2, 0x82],
    ] as [[UInt8]])
  func `is malformed where a string is not UTF-8`(bytes: [UInt8]) {
    var decoder = GPSDDecoder()
    for prefix in [
      #"{"class":"TPV","device":""#, #"{"class":"TPV","x":""#, #"{"class":"AIS","x":""#,
      #"{"class":"TPV",""#,
    ] {
      let line = Array(prefix.utf8) + bytes + Array("\":1}".utf8)
      #expect(decoder.decode(line.span) == .malformed)
      let value = Array(prefix.utf8) + bytes + Array("\"}".utf8)
      #expect(decoder.decode(value.span) == .malformed)
    }
  }

  @Test(arguments: [#"{"class":"TPV","x":"#, #"{"class":"AIS","x":"#])
  func `is malformed where it is nested deeper than 16`(prefix: String) {
    for (opening, closing, member) in [("[", "]", ""), (#"{"y":"#, "}", "")] {
      for (depth, isReport) in [(15, true), (16, false), (30_000, false)] {
        let line =
          prefix + String(repeating: opening, count: depth) + (opening == "[" ? "" : "1") + member
          + String(repeating: closing, count: depth) + "}"
        #expect((report(line) != nil) == isReport, "\(opening) \(depth)")
      }
    }
  }

  @Test func `does not spoil its neighbours`() {
    var decoder = GPSDDecoder()
    #expect(decoder.decode(#"{"class":"TPV","mode":3,"lat":1,"lon":2}"#) == .tpv)
    #expect(decoder.decode(#"{"class":"TPV","mode":3,"lat":7,"lon"#) == .malformed)
    #expect(decoder.tpv == TPV())
    #expect(decoder.decode(#"{"class":"TPV","mode":2,"lon":3}"#) == .tpv)
    #expect(decoder.tpv.lat == nil)
    #expect(decoder.tpv.lon == 3)
  }
}
