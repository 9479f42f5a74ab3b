import GPSDProtocol
import LocationCore
import Testing

@Suite struct `Reports about the receiver and the service` {
  @Test(arguments: GST.Quantity.allCases)
  func `GST gives every number under its own name`(quantity: GST.Quantity) {
    guard
      case .gst(let gst) = report(#"{"class":"GST","device":"/dev/a","\#(quantity)":3}"#)
    else {
      Issue.record("no GST")
      return
    }
    #expect(gst.device == "/dev/a")
    for other in GST.Quantity.allCases {
      #expect(gst[other] == (other == quantity ? 3 : nil), "\(other)")
    }
  }

  @Test(arguments: ATT.Quantity.allCases)
  func `ATT gives every number under its own name`(quantity: ATT.Quantity) {
    guard
      case .att(let att) = report(#"{"class":"ATT","device":"/dev/a","\#(quantity)":3}"#)
    else {
      Issue.record("no ATT")
      return
    }
    #expect(att.device == "/dev/a")
    for other in ATT.Quantity.allCases {
      #expect(att[other] == (other == quantity ? 3 : nil), "\(other)")
    }
  }

  @Test func `ATT gives the states of its sensors`() {
    let line =
      #"{"class":"ATT","mag_st":"N","pitch_st":"L","roll_st":"M","yaw_st":"H","magtype":1}"#
    guard case .att(let att) = report(line) else {
      Issue.record("no ATT")
      return
    }
    #expect((att.magSt, att.pitchSt, att.rollSt, att.yawSt) == ("N", "L", "M", "H"))
  }

  @Test func `DEVICE gives all that gpsd knows of a receiver`() {
    let line = """
      {"class":"DEVICE","path":"/dev/ttyACM0","driver":"u-blox","subtype":"SW ROM CORE 3.01",\
      "subtype1":"FWVER=SPG 3.01","sernum":"A1","activated":"2026-11-20T07:05:16.249Z","flags":1,\
      "native":1,"bps":9600,"parity":"N","stopbits":1,"cycle":1.00,"mincycle":0.25,"readonly":true}
      """
    var expected = DeviceReport(path: "/dev/ttyACM0")
    expected.driver = "u-blox"
    expected.subtype = "SW ROM CORE 3.01"
    expected.subtype1 = "FWVER=SPG 3.01"
    expected.sernum = "A1"
    expected.activated = .opened(
      at: Timestamp(secondsSince1970: 1_795_158_316, nanoseconds: 249_000_000))
    expected.flags = 1
    expected.native = 1
    expected.bps = 9600
    expected.parity = "N"
    expected.stopbits = 1
    expected.cycle = 1
    expected.mincycle = 0.25
    expected.readonly = true
    #expect(report(line) == .device(expected))
    #expect(Receiver(expected).cycle == .seconds(1))
  }

  @Test(arguments: [
    (#""activated":0"#, DeviceReport.Activation.closed), (#""activated":0.00"#, .closed),
    (#""activated":"1970-01-01T00:00:00.000Z""#, .opened(at: Timestamp(secondsSince1970: 0))),
    (#""activated":1"#, nil), (#""activated":"yesterday""#, nil), (#""activated":null"#, nil),
    (#""x":1"#, nil),
  ])
  func `A receiver is active where gpsd says when it opened it`(
    member: String, activation: DeviceReport.Activation?
  ) {
    guard case .device(let device) = report(#"{"class":"DEVICE","path":"/dev/a",\#(member)}"#)
    else {
      Issue.record("no DEVICE")
      return
    }
    #expect(device.activated == activation)
    let isOpened = if case .opened = activation { true } else { false }
    #expect(Receiver(device).isActive == isOpened)
  }

  @Test(arguments: [
    ("true", true), ("false", false), (#""true""#, true), (#""false""#, false), (#""yes""#, nil),
    ("1", nil), ("null", nil),
  ])
  func `A receiver is read-only by a boolean, or by a string of one`(value: String, flag: Bool?) {
    let line = #"{"class":"DEVICE","path":"/dev/a","readonly":\#(value),"native":1}"#
    var expected = DeviceReport(path: "/dev/a")
    expected.readonly = flag
    expected.native = 1
    #expect(report(line) == .device(expected))
  }

  @Test(arguments: [0, 1, 5, 6, 64])
  func `DEVICES lists all, however many and long`(count: Int) {
    let paths = (0..<count).map {
      "/dev/serial/by-id/" + String(repeating: "x", count: 180) + "\($0)"
    }
    let list = paths.map { #"{"class":"DEVICE","path":"\#($0)","activated":0}"# }
    let expected = paths.map { path in
      var device = DeviceReport(path: path)
      device.activated = .closed
      return device
    }
    let line = #"{"class":"DEVICES","devices":[\#(list.joined(separator: ","))],"remote":"x"}"#
    #expect(report(line) == .devices(expected))
  }

  @Test func `DEVICES keeps 64 and counts the others`() {
    let list = (0..<70).map { #"{"path":"/dev/\#($0)"}"# }.joined(separator: ",")
    var decoder = GPSDDecoder()
    #expect(decoder.decode(#"{"class":"DEVICES","devices":[\#(list)]}"#) == .devices)
    #expect(decoder.devices.count == 64)
    #expect(decoder.droppedElements == 6)
  }

  @Test(arguments: [
    #"{"class":"DEVICES"}"#, #"{"class":"DEVICES","devices":null}"#,
    #"{"class":"DEVICES","devices":{}}"#, #"{"class":"DEVICES","devices":[{"path":"/dev/a"}}"#,
  ])
  func `DEVICES without a list does not mean that there is no receiver`(line: String) {
    #expect(report(line) == nil)
  }

  @Test func `VERSION says who answers`() {
    var expected = VersionReport(release: "3.22")
    expected.rev = "3.22-1"
    expected.protoMajor = 3
    expected.protoMinor = 14
    let line =
      #"{"class":"VERSION","release":"3.22","rev":"3.22-1","proto_major":3,"proto_minor":14}"#
    #expect(report(line) == .version(expected))
  }

  @Test func `WATCH says what will come`() {
    var expected = WatchReport()
    expected.enable = true
    expected.json = true
    expected.nmea = false
    expected.raw = 0
    expected.scaled = false
    expected.timing = false
    expected.split24 = false
    expected.pps = false
    expected.device = "/dev/ttyACM0"
    let line = """
      {"class":"WATCH","enable":true,"json":true,"nmea":false,"raw":0,"scaled":false,\
      "timing":false,"split24":false,"pps":false,"device":"/dev/ttyACM0"}
      """
    #expect(report(line) == .watch(expected))
    #expect(report(#"{"class":"WATCH","enable":"true"}"#) == .watch(WatchReport()))
  }

  @Test func `ERROR gives gpsd's words`() {
    #expect(
      report(#"{"class":"ERROR","message":"Unrecognized request '?X'"}"#)
        == .error(ErrorReport(message: "Unrecognized request '?X'")))
    #expect(report(#"{"class":"ERROR"}"#) == .error(ErrorReport()))
  }

  @Test func `A class that is not decoded is counted by its name`() {
    #expect(report(#"{"class":"AIS","type":1,"x":[{"y":[]}]}"#) == .other(class: "AIS"))
    #expect(report(#"{"type":1,"class":"P\u0050S"}"#) == .other(class: "PPS"))
    #expect(report(#"{"class":"A class of thirty characters…"}"#) != nil)
    #expect(report(#"{"class":"tpv","lat":1}"#) == .other(class: "tpv"))
  }
}
