import GPSDProtocol
import GPSDTestKit
import LocationCore
import Testing

@testable import GPSDLocation

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

  @Test(arguments: [
    (#"{"a":"ntrip://u:s3c",ret@host/m"}"#, #"{"a":"ntrip://**********@host/m"}"#),
    (#"{"a":"ntrip://u:s3c","b":"ret@host/m"#, #"{"a":"ntrip://***************@host/m"#),
    (#"{"a":"ntrip://u:s3cret","b":1"#, #"{"a":"ntrip://***************"#),
    (#"{"a":"ntrip://u:s3cret\u004","b":1}"#, #"{"a":"ntrip://*********************"#),
    (#"{"a":"ntrip://h:1/m","b":"x@y""#, #"{"a":"ntrip://*************@y""#),
    (#"{"a":"ntrip://h:1/m","b":"x@y"}"#, #"{"a":"ntrip://h:1/m","b":"x@y"}"#),
  ])
  func `ends with the line if that is not JSON`(line: String, kept: String) {
    #expect(line.withoutUserInfo == kept)
  }

  @Test func `is found in time that grows with the text alone`() {
    for part in ["a://", "a://b:", #""a://" "#, "a://b@", #"\\"#] {
      let text = String(repeating: part, count: 200_000)
      #expect(text.withoutUserInfo.utf8.count == text.utf8.count)
    }
  }

  @Test func `is in no decoded text`() {
    let (url, kept) = ("ntrip://u:s3cret@host/m", "ntrip://********@host/m")
    var decoder = GPSDDecoder()
    func decode(_ name: String, _ members: String...) -> GPSDDecoder.Kind {
      let texts = members.map { #","\#($0)":"\#(url)""# }.joined()
      return decoder.decode(Lines.bytes(#"{"class":"\#(name)"\#(texts)}"#).span)
    }
    for _ in 0..<2 {
      #expect(decode("TPV", "device", "datum") == .tpv)
      #expect(decoder.tpv.device == kept && decoder.tpv.datum == kept)
      #expect(decoder.decode(Lines.bytes(Lines.sky(device: "/dev/a")).span) == .sky)
      #expect(decoder.sky.device == "/dev/a")
    }
    let escaped = #"{"class":"SKY","device":"ntrip:\/\/u:s3cret\u0040host\/m"}"#
    #expect(decoder.decode(Lines.bytes(escaped).span) == .sky)
    // As in the line that is recorded
    #expect(decoder.sky.device == "ntrip://********@host/m")
    #expect(decode("GST", "device") == .gst && decoder.gst.device == kept)
    #expect(decode("ATT", "device", "mag_st") == .att)
    #expect(decoder.att.device == kept && decoder.att.magSt == kept)
    #expect(
      decode("DEVICE", "path", "driver", "subtype", "subtype1", "sernum", "parity") == .device)
    let device = decoder.device
    #expect(
      [device.path, device.driver, device.subtype, device.subtype1, device.sernum, device.parity]
        == Array(repeating: kept, count: 6))
    #expect(decode("VERSION", "release", "rev", "remote") == .version)
    let version = decoder.version
    #expect([version.release, version.rev, version.remote] == [kept, kept, kept])
    #expect(decode("WATCH", "device", "remote") == .watch)
    #expect(decoder.watch.device == kept && decoder.watch.remote == kept)
    #expect(decode("ERROR", "message") == .error && decoder.error.message == kept)
    #expect(decode(url) == .other && decoder.otherClass == kept)
  }

  /// Where the text is cut off, its user info has already been replaced.
  @Test func `is in no text that is cut off before the @`() {
    let (long, kept) = (String(repeating: "x", count: 2000), String(repeating: "*", count: 2000))
    var decoder = GPSDDecoder()
    let line = Lines.bytes(#"{"class":"ERROR","message":"tcp://\#(long)@host"}"#)
    #expect(decoder.decode(line.span) == .error)
    #expect(decoder.error.message == "tcp://" + kept.prefix(1018))
    var watchdog = Watchdog(openedAt: .past)
    _ = watchdog.handle(foreign: Lines.bytes("tcp://\(long)@host\r\n"), at: .past)
    #expect(watchdog.takeForeignText() == "tcp://" + kept.prefix(54))
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
    let session = PolledSession()
    session.bring(Lines.tpv(1, device: url), Lines.tpv(2), Lines.refusal)
    let source = GPSDLocationSource(device: url, makeSession: { session })
    var events: [LocationEvent] = []
    for try await event in source.events() {
      events.append(event)
      if events.count == 2 { break }
    }
    #expect(
      events == [
        .fix(Lines.fix(1, device: kept)),
        .refused(path: kept, reason: "Do nothing: /dev/a"),
      ])
    #expect(session.calls.contains("send \(GPSDCommand.watch(device: url).text)"))
  }
}
