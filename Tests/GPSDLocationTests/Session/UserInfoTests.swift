import GPSDLocation
import GPSDTestKit
import LocationCore
import Testing

/// Fault 105.
@Suite(.timeLimit(.minutes(5))) struct `The user info of a URL` {
  private static func rtcm(_ device: String) -> String {
    #"{"class":"RTCM3","device":"\#(device)","type":1005}"#
  }

  private static let cases: [(line: String, kept: String)] =
    [
      // Ordinary passwords, and odd ones
      ("ntrip://user:s3cret@host:2101/mount", "ntrip://***********@host:2101/mount"),
      ("dgpsip://user:s3cret@host", "dgpsip://***********@host"),
      ("tcp://user:s3cret@host:1", "tcp://***********@host:1"),
      ("NTRIP://s3cret@host/m", "NTRIP://******@host/m"),
      ("ntrip://u:s3c@ret@host/m", "ntrip://*********@host/m"),
      ("ntrip://u:s3c:ret@host/m", "ntrip://*********@host/m"),
      ("ntrip://u:s3c/ret@host/m", "ntrip://*********@host/m"),
      ("ntrip://u:s3c%40ret@host/m", "ntrip://***********@host/m"),
      ("ntrip://u:s3c://ret@host/m", "ntrip://***********@host/m"),
      ("ntrip://u:s3c,ret}@host/m", "ntrip://**********@host/m"),
      ("ntrip://u:s3c'ret é@host/m", "ntrip://************@host/m"),
      ("ntrip://@host/m", "ntrip://@host/m"),
      ("ntrip://@@host/m", "ntrip://*@host/m"),
      ("://u:s3cret@", "://********@"),
      // Escapes of JSON, also within JSON
      (#"ntrip:\/\/u:s3c\/ret@host\/m"#, #"ntrip:\/\/**********@host\/m"#),
      (
        #"ntrip\u003a\u002F\u002fu:s3cret\u0040host/m"#,
        #"ntrip\u003a\u002F\u002f********\u0040host/m"#
      ),
      (#"ntrip:\\/\\/u:s3cret@host"#, #"ntrip:\\/\\/********@host"#),
      (#"ntrip:\\u002f/u:s3cret@host"#, #"ntrip:\\u002f/u:s3cret@host"#),
      (#"ntrip://u:s3c\"ret@host/m"#, #"ntrip://**********@host/m"#),
      (#"ntrip://u:s3cret\\@host/m"#, #"ntrip://**********@host/m"#),
      (#"ntrip://u:s3cret\@host/m"#, #"ntrip://********\@host/m"#),
      (#"ntrip://u:s3cret\u0040"#, #"ntrip://********\u0040"#),
      (#"ntrip://u:s3cret\u004"#, #"ntrip://*************"#),
      (#"ntrip://u:s3c\u00e9ret@host/m"#, #"ntrip://**************@host/m"#),
      (#"ntrip://u:s3c\u00ret@host/m"#, #"ntrip://************@host/m"#),
      (#"ntrip://u:s3c\ud83d\ude00ret@host/m"#, #"ntrip://********************@host/m"#),
      // gpsd does not escape a quotation mark.
      (#"ntrip://u:s3c"ret@host/m"#, #"ntrip://*********@host/m"#),
      (#"ntrip://u:s3c" ret@host/m"#, #"ntrip://**********@host/m"#),
      // Without an @, it is what cannot be a host.
      ("ntrip://user:s3cret", "ntrip://***********"),
      ("ntrip://user:123456", "ntrip://***********"),
      ("ntrip://user:s3c/ret", "ntrip://************"),
      ("ntrip://user:1s3cret", "ntrip://************"),
      ("ntrip://user$s3cret", "ntrip://***********"),
      ("ntrip://[::1", "ntrip://****"),
      ("tcp://host:1/x ntrip://user:s3cret", "tcp://host:1/x ntrip://***********"),
      ("ntrip://host:2101/mount", "ntrip://host:2101/mount"),
      ("ntrip://[fe80::1%eth0]:2101/mount", "ntrip://[fe80::1%eth0]:2101/mount"),
      ("tcp://192.168.1.1:65535", "tcp://192.168.1.1:65535"),
      ("tcp://host_1", "tcp://host_1"), ("udp://:9999", "udp://:9999"),
      ("file:///x:y", "file:///x:y"),
      (#"http://gpsd.io: it \"says\""#, #"http://gpsd.io: it \"says\""#),
      // The form of an address, and text after one
      ("is not ntrip://HOST[:PORT]/MOUNT", "is not ntrip://HOST[:PORT]/MOUNT"),
      ("ntrip://HOST[:PORT", "ntrip://**********"), ("ntrip://u[:s3cret", "ntrip://*********"),
      ("and ntrip://localhost:PORT/MOUNT", "and ntrip://localhost:PORT/MOUNT"),
      ("ntrip://u:PORTs3cret", "ntrip://************"),
      ("ntrip://caster:2101: refused", "ntrip://caster:2101: refused"),
      ("ntrip://caster:2101:", "ntrip://caster:2101:"),
      ("ntrip://u:2101:s3cret", "ntrip://*************"),
      ("ntrip://u:: s3cret", "ntrip://**********"),
      // A receiver on the network has no user.
      ("'tcp://::1:10110': no", "'tcp://::1:10110': no"), ("UDP://a:b", "UDP://a:b"),
      ("tcp://u:s3cret@h: no", "tcp://********@h: no"), ("ntcp://u:s3cret", "ntcp://********"),
      ("x+tcp://u:s3cret", "x+tcp://********"), ("cp://u:s3cret", "cp://********"),
      ("/dev/ttyACM0", "/dev/ttyACM0"), ("//u:s3cret@host", "//u:s3cret@host"),
      ("a:/b@c", "a:/b@c"), (":a//b@c", ":a//b@c"), (#"\\server\u@x"#, #"\\server\u@x"#),
    ]

  @Test(arguments: cases.map { ($0.line, $0.kept) })
  func `is replaced by asterisks in a device's name`(name: String, kept: String) {
    let line = Self.rtcm(name)
    #expect(line.withoutUserInfo == Self.rtcm(kept))
    #expect(line.withoutUserInfo.utf8.count == line.utf8.count)
    #expect(Self.rtcm(kept).withoutUserInfo == Self.rtcm(kept))
    // At the beginning and the end of a text, and without a line end
    #expect(name.withoutUserInfo == kept)
  }

  @Test(arguments: [
    ("u:s3cret@h/M", "********@h/M"), ("u:s3c@ret@h", "*********@h"), ("@h", "@h"), ("@", "@"),
    ("ntrip:/u:s3cret@h", "***************@h"), ("//u:s3cret@h", "**********@h"),
    ("h:1", "h:1"), ("", ""), ("/dev/a@b", "/dev/a@b"), ("./a@b", "./a@b"), ("../a@b", "../a@b"),
  ])
  func `is replaced in an address as somebody typed it`(text: String, kept: String) {
    #expect(text.withoutTypedUserInfo == kept)
  }

  @Test func `is replaced in every string of a line, and in every line`() {
    let line =
      #"{"a":"x@y","b":["ntrip://u:p@h/m" , "tcp://h:1", "ntrip://v:q@i/n"], "c://w:r@j":"d@e"}"#
    let kept =
      #"{"a":"x@y","b":["ntrip://***@h/m" , "tcp://h:1", "ntrip://***@i/n"], "c://***@j":"d@e"}"#
    #expect("\(line)\r\n\r\n\(line)\n\(line)".withoutUserInfo == "\(kept)\r\n\r\n\(kept)\n\(kept)")
    // A string that does not end ends with its line.
    #expect(
      "\"ntrip://u:s3cret\r\nx@y\n\"ntrip://u:s3c\\\n@y".withoutUserInfo
        == "\"ntrip://********\r\nx@y\n\"ntrip://******\n@y")
  }

  @Test func `is found in time that grows with the text alone`() {
    for part in ["a://", "a://b:", #""a://" "#, "a://b@", #"\\"#] {
      let text = String(repeating: part, count: 200_000)
      #expect(text.withoutUserInfo.utf8.count == text.utf8.count)
    }
  }

  @Test func `is not in the lines of a session`() {
    let line = Self.rtcm("ntrip://user:s3cret@host/mount") + "\r\n"
    let buffer = Array(("x" + line).utf8)
    let lines = GPSDLines(bytes: buffer[1...], received: nil)
    #expect(
      Lines.text(lines.bytes) == Self.rtcm("ntrip://***********@host/mount") + "\r\n")
    #expect(lines.map { Lines.text($0) } == [Lines.text(lines.bytes)])
    #expect(Lines.text(buffer[1...]) == line)
  }

  @Test func `is not in the name of a recorded source`() {
    let line = #"{"class":"LOCWATCH","t":1.000,"source":"h::ntrip:\/\/u:s3cret@x"}"#
    #expect(RecordingTimestamp(line: Lines.bytes(line))?.source == "h::ntrip://********@x")
  }

  @Test(arguments: [
    ("ntrip://host/m", true), ("ntrips://host/m", true), ("NTrip://***@host/m", true),
    ("dgpsip://host", true),
    ("ntrip:/host", false), ("ntrip", false), ("tcp://host:1", false), ("udp://:1", false),
    ("gpsd://host", false), ("/ntrip://host", false), ("xntrip://host", false), ("", false),
    ("/dev/ttyACM0", false), ("ntrip1://x", false),
  ])
  func `or its absence does not make a source of corrections`(name: String, isOne: Bool) {
    #expect(name.isSourceOfCorrections == isOne)
  }
}

@Suite struct `A source of corrections` {
  private static let url = "ntrip://user:s3cret@host/mount"
  private static let kept = "ntrip://***********@host/mount"
  private static let rtcm = #"{"class":"RTCM3","device":"\#(url)","type":1005}"#
  private static let lines = [
    Lines.version,
    #"{"class":"DEVICES","devices":[{"class":"DEVICE","path":"\#(url)","activated":"#
      + #""2026-11-20T07:05:00.000Z"},{"class":"DEVICE","path":"/dev/a"}]}"#,
    Lines.watch, #"{"class":"DEVICE","path":"\#(url)","activated":"2026-11-20T07:05:00.000Z"}"#,
    rtcm, Lines.tpv(1, device: url), Lines.tpv(2, mode: 1, device: url), Lines.sky(device: url),
    Lines.tpv(3), #"{"class":"DEVICE","path":"\#(url)","activated":0}"#,
    #"{"class":"ERROR","message":"cannot open \#(url)"}"#,
  ]

  private func events(
    _ kinds: Set<ServiceReport.Kind> = [], device: String? = nil, _ lines: [String] = lines,
    statistics: GPSDStatistics? = nil
  ) async throws -> [LocationEvent] {
    let source = GPSDLocationSource(
      replaying: RecordedSession(lines: lines), device: device, kinds: kinds,
      statistics: statistics)
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    return events
  }

  @Test func `is no receiver`() async throws {
    #expect(
      try await events() == [
        .service(LocationService(name: "gpsd 3.22")),
        .receivers([Receiver(path: "/dev/a", isActive: false)]), .fix(Lines.fix(3)),
        .notice("cannot open \(Self.kept)"),
      ])
  }

  @Test func `has reports of its own, without a password`() async throws {
    let kind = ServiceReport.Kind(rawValue: "RTCM3")
    let report = ServiceReport(
      kind, device: Self.kept,
      text: Self.rtcm.replacing("user:s3cret", with: "***********"))
    #expect(
      try await events([kind]).filter { if case .other = $0 { true } else { false } }
        == [.other(report)])
    // Not where a receiver was asked for
    #expect(try await events([kind], device: "/dev/a", [Self.rtcm]) == [])
  }

  @Test func `is not counted as a receiver beside the one that was asked for`() async throws {
    let statistics = GPSDStatistics()
    _ = try await events(
      [ServiceReport.Kind(rawValue: "RTCM3")], device: "/dev/x", statistics: statistics)
    #expect(statistics.receivers == ["/dev/a"])
  }

  @Test func `is not a receiver that was asked for by its name`() async throws {
    #expect(
      try await events(device: Self.url, [Lines.tpv(1, device: Self.url), Lines.watch]) == [
        .notice("gpsd does not confirm that it watches only \(Self.kept)")
      ])
  }

  /// As gpsd's own `tcp://` is, of which a name has a password.
  @Test func `that can be a receiver is one, and is found by its name`() async throws {
    let url = "tcp://user:s3cret@host:1"
    let kept = "tcp://***********@host:1"
    let spy = SpySession(
      RecordedSession(lines: [Lines.tpv(1, device: url), Lines.tpv(2), Lines.refusal]))
    let source = GPSDLocationSource(device: url, makeSession: { spy })
    var events: [LocationEvent] = []
    for try await event in source.events() { events.append(event) }
    #expect(
      events == [
        .fix(Lines.fix(1, device: kept)),
        .refused(path: kept, reason: "Do nothing: /dev/a"),
      ])
    #expect(spy.calls.contains(.send(.watch(device: url))))
  }
}
