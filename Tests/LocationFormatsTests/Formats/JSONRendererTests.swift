import Foundation
import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct JSONRendererTests {
  @Test func `A fix is written as the documents show it`() {
    var renderer = JSONRenderer()
    #expect(
      renderer.fix(Samples.fix)
        == #"{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:05:12.000Z","received":"2026-11-20T07:05:12.310Z","age":0.31,"mode":3,"fix":"3d","lat":48.118633333,"lon":11.517333333,"altMSL":545.4,"altHAE":592.3,"geoidSep":46.9,"speed":11.524,"track":84.4,"climb":0.02,"accuracy":24.7,"epx":14.1,"epy":20.3,"epv":48.3,"satsUsed":8,"satsSeen":12,"hdop":1.3}"#
        + "\n")
  }

  @Test func `A fix at rest has no course`() {
    var renderer = JSONRenderer()
    var fix = Samples.flat
    (fix.speed, fix.course, fix[.magtrack]) = (0.05, 176, 173)
    let start =
      #"{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","mode":2,"#
      + #""fix":"2d","lat":-0.5,"lon":-71.0,"speed":"#
    #expect(renderer.fix(fix) == start + "0.05}\n")
    fix.speed = 0.1
    #expect(renderer.fix(fix) == start + #"0.1,"track":176.0,"magtrack":173.0}"# + "\n")
  }

  @Test(arguments: [
    (
      Samples.searching,
      #"{"type":"state","state":"searching","previous":"connecting","device":"/dev/ttyACM0","received":"2026-11-20T07:04:50.120Z"}"#
    ),
    (
      Samples.lost,
      #"{"type":"state","state":"lost","previous":"fix-3d","reason":"silence","device":"/dev/ttyACM0","lastFix":{"time":"2026-11-20T07:06:21.000Z","lat":48.118633333,"lon":11.517333333},"time":"2026-11-20T07:06:31.090Z","received":"2026-11-20T07:06:31.400Z"}"#
    ),
    (
      Samples.noService,
      #"{"type":"state","state":"no-daemon","previous":"lost","reason":"closed by gpsd","retryIn":1.0,"received":"2026-11-20T07:06:40.002Z"}"#
    ),
    (
      StateChange(.noDevice, of: .receiver(nil), at: Samples.moment(nil)),
      #"{"type":"state","state":"no-device"}"#
    ),
  ])
  func `A transition is written as the documents show it`(change: StateChange, record: String) {
    var renderer = JSONRenderer()
    #expect(renderer.state(change) == record + "\n")
  }

  @Test func `A change has the receiver's time, and a change of region also the place`() {
    var renderer = JSONRenderer()
    var change = ReceiverChange(
      .region("home", presence: .inside, previous: .unknown), of: "/dev/a", state: .fix2D,
      coordinate: Coordinate(latitude: 48.5, longitude: -11), time: Samples.flat.time,
      at: Samples.moment(nil))
    let start = #"{"type":"region","region":"home","presence":"inside","previous":"unknown""#
    #expect(
      renderer.change(change) == start
        + #","state":"fix-2d","device":"/dev/a","lat":48.5,"lon":-11.0,"#
        + #""time":"2026-11-20T07:05:13.000Z"}"# + "\n")
    (change.coordinate, change.state) = (nil, nil)
    change.moment = Samples.noService.moment
    #expect(
      renderer.change(change) == start + #","device":"/dev/a","time":"2026-11-20T07:05:13.000Z","#
        + #""received":"2026-11-20T07:06:40.002Z"}"# + "\n")
  }

  @Test func `A record contains a report as gpsd sent it, with the offset of the clock`() {
    var renderer = JSONRenderer()
    #expect(
      renderer.report(Samples.pulse)
        == #"{"type":"report","class":"PPS","device":"/dev/ttyACM0","received":"2026-11-20T07:06:31.400Z","offset":0.00000025,"report":{"class":"PPS","device":"/dev/ttyACM0","real_sec":1795158391,"real_nsec":0,"clock_sec":1795158391,"clock_nsec":250,"precision":-20}}"#
        + "\n")
    let osc = ServiceReport(
      ServiceReport.Kind(rawValue: "OSC"), text: #"{"class":"OSC", "delta":-1e-3}"#)
    #expect(
      renderer.report(osc)
        == #"{"type":"report","class":"OSC","report":{"class":"OSC", "delta":-1e-3}}"# + "\n")
  }

  @Test func `A change of the source is written, and renames the records that follow`() {
    var renderer = JSONRenderer(source: "car")
    let before = renderer.fix(Samples.position(1, 2, device: nil))
    renderer.begin(source: "boat")
    #expect(
      renderer.change(Samples.selected)
        == #"{"type":"selected","source":"boat","selected":"boat","previous":"car","received":"2026-11-20T07:06:31.400Z"}"#
        + "\n")
    let after = renderer.fix(Samples.position(1, 2, device: nil))
    #expect(before.contains(#""source":"car""#) && after.contains(#""source":"boat""#))
  }

  @Test func `A change of pulses is written as a transition`() {
    var renderer = JSONRenderer()
    #expect(
      renderer.change(Samples.pulses)
        == #"{"type":"pps","pps":"lost","previous":"present","device":"/dev/ttyACM0","received":"2026-11-20T07:06:31.400Z"}"#
        + "\n")
    #expect(
      renderer.change(ReceiverChange(.pulses(.present, previous: nil), at: Samples.moment(nil)))
        == #"{"type":"pps","pps":"present"}"# + "\n")
  }

  @Test func `A change of corrections has its own state, a reason and the caster`() {
    var renderer = JSONRenderer(source: "boat")
    let caster = #""caster":"ntrip://caster.example:2101/NEAR","#
    #expect(
      renderer.change(Samples.corrections)
        == #"{"type":"corrections","source":"boat","state":"lost","reason":"401 Unauthorized","#
        + caster + #""previous":"connected","received":"2026-11-20T07:06:31.400Z"}"# + "\n")
    let first = Corrections(.connected, of: "ntrip://caster.example:2101/NEAR")
    #expect(
      renderer.change(
        ReceiverChange(.corrections(first, previous: nil), at: Samples.moment(nil)))
        == #"{"type":"corrections","source":"boat","state":"connected","caster":"ntrip://caster.example:2101/NEAR"}"#
        + "\n")
  }

  @Test func `A record of a region has the receiver's presence there`() {
    var renderer = JSONRenderer()
    #expect(
      renderer.change(Samples.region)
        == #"{"type":"region","region":"our harbour","presence":"inside","previous":"outside","#
        + #""state":"fix-3d","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","received":"2026-11-20T07:05:13.250Z"}"#
        + "\n"
    )
    var fixes = JSONRenderer(events: .fixesOnly)
    #expect(fixes.change(Samples.pulses) == "")
    #expect(fixes.report(Samples.pulse) != "")
  }

  @Test(arguments: [
    ("{\"a\":\"Ö\u{202e}\u{1}\"}", #"{"a":"Ö\u202e\u0001"}"#),
    ("{\t\"a\"\r:\"\u{1f600}\\\"\u{9b}\"}", ##"{ "a" :"😀\"\u009b"}"##),
    ("{\"a\\\\\":\t\"\u{e0001}\"}", ##"{"a\\": "\udb40\udc01"}"##),
    ("{\"a\":\"\t\"}", #"{"a":"\t"}"#),
  ])
  func `Invisible characters of a report are escaped`(text: String, json: String) {
    var renderer = JSONRenderer()
    let record = renderer.report(ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: text))
    #expect(record == #"{"type":"report","class":"ATT","report":\#(json)}"# + "\n")
  }

  @Test(arguments: [
    "", "Grüße", "$GPGGA,1", "{", "}{", #"1},"lat":0,"x":{"#, #"{},"lat":0,"x":{}"#, #"{"a":1}}"#,
    #"{"a":"}"#,
    #"{"a":"\"}"#, #"{"a":[}"#, "{ö}", #"[{"a":1}]"#, #"{\"ö"}"#, "{]", #"{"a":[1}"#, #""a""#,
  ])
  func `A report that is no object is a string, and adds nothing to its record`(text: String) throws
  {
    var renderer = JSONRenderer()
    let record = renderer.report(ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: text))
    let values = try #require(
      try JSONSerialization.jsonObject(with: Data(record.utf8)) as? [String: String])
    #expect(values == ["type": "report", "class": "ATT", "report": text])
  }

  @Test(arguments: [#"{"a":"\\"}"#, #"{"a":"}{][","b":[{"c":[]}]}"#, #"{"a\"":1}"#, "{}"])
  func `A report that is an object is written as it is`(text: String) {
    var renderer = JSONRenderer()
    let record = renderer.report(ServiceReport(ServiceReport.Kind(rawValue: "ATT"), text: text))
    #expect(record == #"{"type":"report","class":"ATT","report":\#(text)}"# + "\n")
  }

  @Test func `Unknown values are left out`() {
    var renderer = JSONRenderer()
    let fix = Samples.position(-0.5, -71, .fix2D, device: nil)
    #expect(
      renderer.fix(fix) == #"{"type":"fix","mode":2,"fix":"2d","lat":-0.5,"lon":-71.0}"# + "\n")
  }

  @Test func `A fix that was held up, or whose clock jumped, is marked`() {
    var fix = Samples.flat
    fix.isCurrent = false
    fix.timeJump = .seconds(-3600)
    var renderer = JSONRenderer()
    #expect(
      renderer.fix(fix)
        == #"{"type":"fix","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","current":false,"timeJump":-3600.0,"mode":2,"fix":"2d","lat":-0.5,"lon":-71.0}"#
        + "\n")
  }

  @Test func `A date that is 1,024 weeks off is marked, and not corrected`() {
    var fix = Samples.flat
    fix.received = fix.time
    fix.time = fix.time?.advanced(by: .seconds(-1024 * 7 * 86_400))
    var renderer = JSONRenderer()
    #expect(
      renderer.fix(fix)
        == #"{"type":"fix","device":"/dev/ttyACM0","time":"2007-04-06T07:05:13.000Z","received":"2026-11-20T07:05:13.000Z","age":619315200.0,"rollover":1,"mode":2,"fix":"2d","lat":-0.5,"lon":-71.0}"#
        + "\n")
    var text = TextRenderer()
    #expect(text.fix(fix).hasSuffix("-71.0 (date 1,024 weeks too early)\n"))
    var field = TextBuffer()
    field.append(.rollover, of: fix)
    #expect(field.string == "1")
  }

  @Test func `An accuracy that is computed is rounded to the millimetre`() {
    var fix = Samples.flat
    fix[.epx] = 14.1
    fix[.epy] = 20.3
    var renderer = JSONRenderer()
    #expect(renderer.fix(fix).contains(#""accuracy":24.716,"epx":14.1"#))
  }

  @Test func `The source follows the type in every record`() {
    var renderer = JSONRenderer(source: "van \"7\"")
    let start = #","source":"van \"7\"","#
    #expect(renderer.fix(Samples.flat).hasPrefix(#"{"type":"fix""# + start))
    #expect(renderer.state(Samples.lost).hasPrefix(#"{"type":"state""# + start))
  }

  @Test func `Fixes of several receivers name the right one`() {
    var renderer = JSONRenderer()
    for round in 0..<3 {
      for device in (0..<70).map({ "/dev/ttyUSB\($0)" }) + ["", Samples.hostile] {
        var alone = JSONRenderer()
        let fix = Samples.position(Double(round), 0, device: device)
        #expect(renderer.fix(fix) == alone.fix(fix))
      }
    }
  }

  @Test func `A fix has its quality, and a change of it is a record`() {
    var renderer = JSONRenderer(source: "van")
    var fix = Samples.flat
    fix.quality = .rtkFixed
    #expect(renderer.fix(fix).contains(#","fix":"2d","quality":"rtk-fixed","lat":"#))
    #expect(
      renderer.change(Samples.change(.quality(.rtkFloat, previous: .rtkFixed)))
        == #"{"type":"quality","source":"van","quality":"rtk-float","previous":"rtk-fixed","state":"fix-3d","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","received":"2026-11-20T07:05:13.250Z"}"#
        + "\n")
    #expect(
      renderer.change(Samples.change(.quality(nil, previous: .dgps)))
        .hasPrefix(#"{"type":"quality","source":"van","previous":"dgps","state""#))
    var fixes = JSONRenderer(events: .fixesOnly)
    #expect(fixes.change(Samples.change(.quality(.dgps, previous: nil))) == "")
  }

  @Test func `A fix has its doubts, and a change of them is a record`() {
    var renderer = JSONRenderer(source: "van")
    var fix = Samples.flat
    fix.doubts = [.time, .jump]
    #expect(renderer.fix(fix).contains(#","doubt":["jump","time"],"mode":2,"#))
    var field = TextBuffer()
    field.append(.doubt, of: fix)
    #expect(field.string == "jump time")
    let begin = ReceiverChange.Kind.doubt([.jump], previous: [], detail: "14.2 km in 1 s")
    #expect(
      renderer.change(Samples.change(begin))
        == #"{"type":"doubt","source":"van","doubt":["jump"],"was":[],"detail":"14.2 km in 1 s","state":"fix-3d","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","received":"2026-11-20T07:05:13.250Z"}"#
        + "\n")
    #expect(
      renderer.change(Samples.change(.doubt([], previous: [.jump, .sky], detail: nil)))
        .hasPrefix(#"{"type":"doubt","source":"van","doubt":[],"was":["jump","sky"],"state""#))
  }

  @Test func `Values that few receivers report can be words and integers`() {
    var renderer = JSONRenderer()
    var fix = Samples.flat
    fix.interference = 42
    fix[.leapseconds] = 18
    fix[.depth] = 2
    fix.antenna = .short
    fix.isAntennaPowered = true
    #expect(
      renderer.fix(fix).hasSuffix(
        #""lon":-71.0,"leapseconds":18,"depth":2.0,"antenna":"short","antennaPower":"on","jam":42}"#
          + "\n"))
    fix[.ant] = 4
    fix[.antPwr] = 0.5
    #expect(renderer.fix(fix).hasSuffix(#""depth":2.0,"jam":42}"# + "\n"))
    #expect(
      renderer.change(Samples.change(.antenna(.open, previous: nil)))
        == #"{"type":"antenna","antenna":"open","state":"fix-3d","device":"/dev/ttyACM0","time":"2026-11-20T07:05:13.000Z","received":"2026-11-20T07:05:13.250Z"}"#
        + "\n")
    #expect(
      renderer.change(Samples.change(.jamming(true)))
        .hasPrefix(#"{"type":"jamming","jamming":"on","previous":"off","state""#))
  }

  @Test func `Signals are counted beside satellites`() {
    var renderer = JSONRenderer()
    var fix = Samples.flat
    fix.satellitesUsed = 8
    fix.satellitesSeen = 12
    fix.signalsUsed = 11
    fix.signalsSeen = 20
    #expect(
      renderer.fix(fix).hasSuffix(
        #","satsUsed":8,"satsSeen":12,"signalsUsed":11,"signalsSeen":20}"# + "\n"))
  }

  @Test func `Satellites are added only to the fixes of their receiver`() {
    var renderer = JSONRenderer(showsSatellites: true)
    #expect(renderer.sky(Samples.sky) == "")
    _ = renderer.sky(SkyView(device: Samples.device, hdop: 1))
    let satellites =
      #","satellites":[{"PRN":71,"gnssid":6,"svid":7,"el":5.5,"az":300.0,"used":false,"health":2},{"PRN":5,"gnssid":0,"svid":5,"sigid":0,"signal":"L1 C/A","el":45.0,"az":120.0,"ss":38.0,"used":true,"health":1,"qual":7,"prRes":-0.5},{"PRN":400,"used":false}]}"#
    #expect(renderer.fix(Samples.flat).hasSuffix(satellites + "\n"))
    let other = Samples.position(1, 2, device: "/dev/ttyUSB0")
    #expect(!renderer.fix(other).contains("satellites"))
    _ = renderer.state(Samples.noService)
    #expect(!renderer.fix(Samples.flat).contains("satellites"))
  }

  @Test func `Hostile text is escaped`() {
    var renderer = JSONRenderer()
    let fix = Samples.position(1, 2, device: Samples.hostile)
    let device = ##""=cmd|\u001b[2J\u009b\u202e\u2028\"</name>&'\n,\\""##
    #expect(renderer.fix(fix).hasPrefix(#"{"type":"fix","device":\#(device),"mode""#))
  }

  @Test func `Names are written whole, and long words are cut`() {
    var renderer = JSONRenderer()
    let long = String(repeating: "x", count: 200)
    let change = StateChange(.noService, of: .receiver(long), reason: long, at: Samples.moment(nil))
    #expect(
      renderer.state(change)
        == #"{"type":"state","state":"no-daemon","reason":"\#(long.prefix(128))...","device":"\#(long)"}"#
        + "\n")
  }

  @Test func `Numbers that JSON cannot represent are left out`() {
    var renderer = JSONRenderer(showsSatellites: true)
    _ = renderer.sky(
      SkyView(satellites: [Satellite(prn: 1, elevation: .nan, azimuth: .infinity)]))
    let fix = renderer.fix(Samples.position(1, 2, device: nil))
    #expect(fix.hasSuffix(#","satellites":[{"PRN":1,"used":false}]}"# + "\n"))
  }

  @Test func `Only the requested records are written`() {
    var fixes = JSONRenderer(events: .fixesOnly)
    #expect(fixes.state(Samples.lost) == "")
    #expect(fixes.fix(Samples.flat) != "")
    var transitions = JSONRenderer(events: .transitionsOnly)
    #expect(transitions.state(Samples.lost) != "")
    #expect(transitions.fix(Samples.flat) == "")
  }
}
