/// Lines that no gpsd should send: where mutations begin, beside what a gpsd did send.
package enum HostileLines {
  /// None of them ends a line but with its last byte.
  package static let all: [[UInt8]] = text.map { Array($0.utf8) } + binary + long

  /// Those that are text, and not long.
  static let text = foreign + numbers + structures + words

  /// What talks on a wrong port, or comes from a receiver past gpsd.
  private static let foreign = [
    "", "\r", "HTTP/1.1 400 Bad Request", "SSH-2.0-OpenSSH_9.2", "$GPGGA,123519,4807.038,N*47",
    "!AIVDM,1,1,,A,15RTgt0PAso;90TKcjM8h6g208CQ,0*4A", "\u{FEFF}{\"class\":\"TPV\"}",
  ]

  /// Numbers that are none, that do not fit, or that mean nothing where they stand.
  private static let numbers = [
    "NaN", "Infinity", "-Infinity", "nan", "1e999", "-1e999", "1e2147483648", "1e-2147483648",
    "1e99999999999999999999", "0x10", "01", "+1", ".5", "1.", "91", "-90.000000001", "180.5",
    "99999999999999999999999999999999", "4.9e-324", "null", "true", "\"48\"", "[48]", "{\"a\":48}",
    "18446744073709551616", "9223372036854775808", "-0", "0.1e1",
  ].flatMap { number in
    [
      #"{"class":"TPV","device":"/dev/a","mode":3,"lat":\#(number),"lon":11.5}"#,
      #"{"class":"TPV","device":"/dev/a","mode":3,"lat":48.1,"lon":\#(number)}"#,
      #"{"class":"TPV","device":"/dev/a","mode":\#(number),"lat":48.1,"lon":11.5}"#,
      #"{"class":"TPV","mode":3,"lat":48.1,"lon":11.5,"eph":\#(number),"altMSL":\#(number)}"#,
      #"{"class":"SKY","nSat":\#(number),"uSat":\#(number),"hdop":\#(number)}"#,
      #"{"class":"SKY","satellites":[{"PRN":\#(number),"el":\#(number),"ss":\#(number)}]}"#,
      #"{"class":"DEVICE","path":"/dev/a","cycle":\#(number),"activated":\#(number)}"#,
    ]
  }

  private static let structures = [
    #"{"class":"TPV","mode":3,"lat":1,"lat":2,"lon":3}"#,
    #"{"class":"TPV","mode":3,"l\u0061t":1,"lat":2,"lon":3}"#,
    #"{"class":"TPV","mode":3,"x":{"lat":1,"lon":2}}"#,
    #"{"class":"TPV","mode":3,"lat":1,"lon":2}{"class":"TPV","mode":3,"lat":3,"lon":4}"#,
    #"{"mode":3,"lat":1,"lon":2,"class":"TPV","device":"/dev/a"}"#,
    #"{"cl\u0061ss":"TPV","mode":3,"lat":1,"lon":2}"#, #"{"class":"tpv"}"#, #"{"class":""}"#,
    #"{"class":"TPV","mode":3,"lat":1,"lon":2"#, #"{"class":"TPV","mode":3,"lat":1,"lon":2,}"#,
    #"[{"class":"TPV","mode":3,"lat":1,"lon":2}]"#, #"{"class":["TPV"]}"#, "{}", "[]", "0", "\"",
    #"{"class":"GST","device":"/dev/a","lat":5.1,"lon":6.2}"#,
    #"{"class":"DEVICES","devices":[]}"#, #"{"class":"DEVICES","devices":{}}"#,
    #"{"class":"DEVICES","devices":[1,null,"x",[]]}"#, #"{"class":"DEVICES"}"#,
    #"{"class":"DEVICE","path":"/dev/a","activated":0}"#, #"{"class":"DEVICE"}"#,
    #"{"class":"SKY","satellites":[]}"#, #"{"class":"SKY","satellites":[{}]}"#,
    #"{"class":"ERROR","message":"Unrecognized request"}"#, #"{"class":"ERROR"}"#,
    #"{"class":"WATCH","enable":false,"device":"/dev/b"}"#,
    #"{"class":"LOCWATCH","t":4294967295.999}"#, #"{"class":"LOCWATCH","t":-1.000}"#,
    #"{"class":"LOCWATCH","t":0.000,"start":"2262-04-11T23:47:16.854Z"}"#,
    #"{"class":"LOCWATCH","t":9.000,"start":"1677-09-21T00:12:43.145Z"}"#,
    #"{"class":"TPV","mode":3,"time":"2262-04-11T23:47:16.854Z","lat":1,"lon":2}"#,
    #"{"class":"TPV","mode":3,"time":"1677-09-21T00:12:43.146Z","lat":1,"lon":2}"#,
    #"{"class":"TPV","mode":3,"time":"2016-12-31T23:59:60.000Z","lat":1,"lon":2}"#,
    #"{"class":"TPV","mode":3,"time":"0000-00-00T00:00:00.000Z","lat":1,"lon":2}"#,
    #"{"class":"TPV","mode":3,"time":"2026-13-40T25:61:61.9Z","lat":1,"lon":2}"#,
  ]

  /// Words that do more than stand there: in a terminal, an XML file, a spreadsheet, a shell.
  private static let words = [
    #"\u001b[2J"#, #"\u001b]52;c;cm0gLXJm\u0007"#, #"\u009b31m"#, #"\u202egnp.exe"#,
    #"\u2066x\u2069"#, #"\u0000"#, #"\r\nlat 0 lon 0\n"#, #"</name></gpx>"#, #"]]>"#,
    #"=cmd|' /C calc'!A0"#, #"@SUM(1)"#, #"\",\"lat\":0,\"x\":\""#, #"\\"#, #"%s%n%s%n"#,
    #"\u2028"#, #"\ud83d\udef0"#, #"\ud83d"#, #"\ufeff"#, #"$(reboot)"#,
    "\u{1F6F0}\u{202E}\u{E000}", "a\u{34F}\u{115F}\u{17B4}\u{180B}\u{2800}b",
    #"\u3164\uffa0\ufe0f"#,
    #"\udb40\udd00"#, "\u{E9}", "e\u{301}",
  ].flatMap { word in
    [
      #"{"class":"TPV","device":"\#(word)","mode":3,"lat":48.1,"lon":11.5}"#,
      #"{"class":"DEVICE","path":"\#(word)","driver":"\#(word)","activated":0}"#,
      #"{"class":"DEVICES","devices":[{"path":"/dev/\#(word)","subtype":"\#(word)"}]}"#,
      #"{"class":"ERROR","message":"\#(word)"}"#,
      #"{"class":"VERSION","release":"\#(word)","rev":"\#(word)","proto_major":3}"#,
      #"{"class":"\#(word)"}"#, #"{"class":"SKY","device":"\#(word)","nSat":3}"#,
    ]
  }

  private static let binary: [[UInt8]] = [
    [0], [0xFF, 0xFE], [0x1F, 0x8B, 8, 0], Array("{\"class\":\"TPV\",\"mode\":3}".utf8) + [0],
    Array("{\"class\":\"TPV\",\"device\":\"".utf8) + [0xC0, 0xAF] + Array("\"}".utf8),
    Array("{\"class\":\"TPV\",\"device\":\"".utf8) + [0xED, 0xA0, 0x80] + Array("\"}".utf8),
  ]

  /// What did not fit somewhere: 28 KB of sky, six and 65 receivers, a deep nest, long names, and
  /// one byte more than a line may have.
  private static let long: [[UInt8]] =
    [
      list("SKY", "satellites", count: 184) {
        #"{"PRN":\#($0),"el":\#($0 % 90).5,"az":\#($0).0,"ss":\#($0 % 50).0,"used":true,"#
          + #""gnssid":0,"svid":\#($0),"sigid":0,"health":1,"freqid":0,"qual":7,"prRes":0.123}"#
      },
      list("SKY", "satellites", count: 400) { #"{"PRN":\#($0)}"# },
      list("DEVICES", "devices", count: 6) { #"{"path":"/dev/ttyUSB\#($0)","cycle":1.0}"# },
      list("DEVICES", "devices", count: 65) { #"{"path":"/dev/ttyUSB\#($0)"}"# },
      #"{"class":"TPV","x":"# + repeated("[", 20_000) + repeated("]", 20_000) + "}",
      #"{"class":"TPV","x":"# + repeated(#"{"y":"#, 17) + "1" + repeated("}", 17) + "}",
      #"{"class":"TPV","device":"/dev/\#(repeated("x", 249))","mode":3,"lat":48.1,"lon":11.5}"#,
      #"{"class":"TPV","device":"/dev/\#(repeated("x", 251))","mode":3,"lat":48.1,"lon":11.5}"#,
      #"{"class":"TPV","mode":3,"lat":48.\#(repeated("1", 20_000)),"lon":11.5}"#,
      #"{"class":"ERROR","message":"\#(repeated("x", 30_000))"}"#,
      repeated("x", 20_480), repeated("x", 65_535), repeated("x", 65_536), repeated("x", 200_000),
    ].map { Array($0.utf8) }

  private static func list(
    _ name: String, _ member: String, count: Int, _ element: (Int) -> String
  ) -> String {
    #"{"class":"\#(name)","\#(member)":[\#((1...count).map(element).joined(separator: ","))]}"#
  }

  private static func repeated(_ text: String, _ count: Int) -> String {
    String(repeating: text, count: count)
  }
}
