import Foundation
import LocationCore
import LocationSamples
import Testing

@testable import LocationFormats
@testable import LocationText

@Suite struct JSONRendererTests {
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
}
