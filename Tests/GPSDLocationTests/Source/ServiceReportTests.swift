import GPSDLocation
import GPSDProtocol
import GPSDTestKit
import LocationCore
import Testing

/// Fault 76.
@Suite struct `Reports that are passed on` {
  private static let pps =
    #"{"class":"PPS","device":"/dev/a","real_sec":1330212592,"real_nsec":0,"#
    + #""clock_sec":1330212591,"clock_nsec":999999750,"precision":-20,"shm":"NTP2","qErr":-1350}"#
  private static let att =
    #"{"class":"ATT","device":"/dev/b","time":"2026-11-20T07:05:01.000Z","heading":142.3,"rot":2}"#
  private static let ais = #"{"class":"AIS","device":"/dev/a","type":1,"name":"Ö\u001b","x":[1e3]}"#
  private static let lines = [Lines.version, Lines.watch, Lines.tpv(1), pps, att, ais, "garbage"]

  private func reports(
    _ kinds: Set<ServiceReport.Kind>, device: String? = nil, lines: [String] = lines
  ) async throws -> [ServiceReport] {
    let source = GPSDLocationSource(
      replaying: RecordedSession(lines: lines), device: device, kinds: kinds)
    var reports: [ServiceReport] = []
    for try await event in source.events() {
      if case .other(let report) = event { reports.append(report) }
    }
    return reports
  }

  @Test func `are those that were asked for, as gpsd sent them`() async throws {
    #expect(try await reports([]) == [])
    var pps = ServiceReport(
      .pps, device: "/dev/a", clockOffset: .nanoseconds(-250), text: Self.pps)
    pps.sharedMemory = "NTP2"
    #expect(try await reports([.pps, .toff]) == [pps])
    let ais = ServiceReport.Kind(rawValue: "AIS")
    #expect(
      try await reports([.att, ais]) == [
        ServiceReport(.att, device: "/dev/b", text: Self.att),
        ServiceReport(ais, device: "/dev/a", text: Self.ais),
      ])
  }

  @Test func `are those of the receiver that was asked for`() async throws {
    #expect(try await reports([.pps, .att], device: "/dev/a").map(\.kind) == [.pps])
  }

  @Test func `have neither the space around them nor their line end`() async throws {
    let line = " \t" + #"{"class":"OSC","running":true} "# + "\r"
    #expect(
      try await reports([.osc], lines: [line]).map(\.text) == [#"{"class":"OSC","running":true}"#])
  }

  @Test(arguments: ["TPV", "SKY", "DEVICE", "DEVICES", "VERSION", "WATCH", "ERROR", "GST", "ATT"])
  func `can be of every class that is decoded`(name: String) async throws {
    let line = #"{"class":"\#(name)","path":"/dev/a","device":"/dev/a","devices":[]}"#
    let kind = ServiceReport.Kind(rawValue: name)
    #expect(try await reports([kind], lines: [line]).map(\.kind) == [kind])
  }

  @Test func `of pulses are requested from gpsd, again where the receiver is refused`() async throws
  {
    let session = PolledSession()
    session.bring(Lines.refusal)
    let source = GPSDLocationSource(device: "/dev/a", kinds: [.toff], makeSession: { session })
    for try await _ in source.events() { break }
    let commands: [GPSDCommand] = [
      .watch(device: "/dev/a", pulses: true), .watch(device: nil, pulses: true),
    ]
    #expect(session.calls == ["open"] + commands.map { "send \($0.text)" })
  }

  @Test func `PPS and TOFF give the clock minus the receiver's time`() throws {
    var offset = try #require(TimeOffset(ServiceReport(.pps, text: Self.pps)))
    #expect(offset.device == "/dev/a")
    #expect(offset.real == Timestamp(secondsSince1970: 1_330_212_592))
    #expect(offset.clock == Timestamp(secondsSince1970: 1_330_212_591, nanoseconds: 999_999_750))
    #expect(offset.offset == .nanoseconds(-250))
    #expect(offset.precision == -20)
    #expect(offset.shm == "NTP2")
    #expect(offset.qErr == -1350)
    offset.clock = nil
    #expect(offset.offset == nil)
    let toff =
      #"{"class":"TOFF","real_sec":1,"real_nsec":343182,"clock_sec":3,"clock_nsec":343184}"#
    #expect(TimeOffset(ServiceReport(.toff, text: toff))?.offset == .nanoseconds(2_000_000_002))
  }

  @Test(arguments: [
    #""real_sec":1.5,"real_nsec":0"#, #""real_sec":1,"real_nsec":1000000000"#,
    #""real_sec":1,"real_nsec":-1"#, #""real_sec":1e300,"real_nsec":0"#, #""real_sec":1"#,
    #""real_sec":"1","real_nsec":0"#, #""real_sec":-9223372036854775808,"real_nsec":0"#,
    #""real_sec":9223372036854775807,"real_nsec":0"#, #""real_sec":9000000000,"real_nsec":0"#,
    #""real_sec":-9000000000,"real_nsec":0"#, #""real_sec":1,"real_nsec":-9223372036854775808"#,
  ])
  func `A time that is none is unknown`(members: String) throws {
    let text = #"{"class":"PPS","clock_sec":1,"clock_nsec":0,\#(members)}"#
    let report = try #require(TimeOffset(ServiceReport(.pps, text: text)))
    #expect(report.real == nil)
    #expect(report.clock == Timestamp(secondsSince1970: 1))
    #expect(report.offset == nil)
  }

  @Test(arguments: [8_999_999_999, -8_999_999_999] as [Int64])
  func `A time may be near the ends of what a Timestamp holds`(seconds: Int64) throws {
    let text =
      #"{"class":"PPS","real_sec":\#(seconds),"real_nsec":999999999,"clock_sec":0,"clock_nsec":0}"#
    let report = try #require(TimeOffset(ServiceReport(.pps, text: text)))
    #expect(
      report.real == Timestamp(secondsSince1970: seconds, nanoseconds: 999_999_999))
    #expect(report.offset == .nanoseconds(-(seconds * 1_000_000_000 + 999_999_999)))
  }

  @Test func `OSC gives the state of an oscillator`() throws {
    let text =
      #"{"class":"OSC","running":true,"device":"/dev/a","reference":false,"disciplined":true,"#
      + #""delta":67}"#
    var expected = OSC()
    expected.device = "/dev/a"
    expected.running = true
    expected.reference = false
    expected.disciplined = true
    expected.delta = 67
    #expect(OSC(ServiceReport(.osc, text: text)) == expected)
  }

  @Test func `ATT, IMU and GST give their members`() throws {
    let att = try #require(ATT(ServiceReport(.att, text: Self.att)))
    #expect((att[.heading], att[.rot], att.device) == (142.3, 2, "/dev/b"))
    let imu = #"{"class":"IMU","acc_x":0.5}"#
    #expect(ATT(ServiceReport(.imu, text: imu))?[.acc_x] == 0.5)
    #expect(GST(ServiceReport(.gst, text: #"{"class":"GST","rms":2.5}"#))?[.rms] == 2.5)
  }

  @Test func `A report of another kind, or no report, is not decoded`() {
    let pps = ServiceReport(.pps, text: Self.pps)
    #expect(ATT(pps) == nil && GST(pps) == nil && OSC(pps) == nil)
    #expect(TimeOffset(ServiceReport(.att, text: Self.att)) == nil)
    #expect(TimeOffset(ServiceReport(.pps, text: "PPS")) == nil)
  }
}
