import LocationCore
import LocationFormats
import LocationSamples
import Testing

@testable import LocationReports
@testable import LocationText

@Suite struct `The report of a run` {
  /// 13 s: connecting, searching, a fix each second on two spots 2 m apart, an outage, a fix in 2D.
  private static let report: LocationReport = {
    var report = LocationReport()
    func at(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }
    func time(_ second: Int) -> Timestamp {
      Timestamp(secondsSince1970: 1_700_000_000 + Int64(second))
    }
    func enter(_ state: LocationState, at second: Int, loss: LossReason? = nil) {
      let change = StateChange(
        state, of: .receiver("/dev/ttyUSB0"), loss: loss, time: time(second), at: at(second))
      report.add(.state(change), at: at(second))
    }
    func fix(at second: Int, latitude: Double, altHAE: Double?) {
      var fix = LocationFix(
        coordinate: Coordinate(latitude: latitude, longitude: 11.5)!,
        mode: altHAE == nil ? .fix2D : .fix3D, device: "/dev/ttyUSB0", time: time(second))
      fix.received = time(second).advanced(by: .milliseconds(150))
      fix.ellipsoidalAltitude = altHAE
      fix.satellitesUsed = 7
      report.add(.fix(fix), at: at(second))
    }
    report.add(.state(StateChange(.connecting, at: at(0))), at: at(0))
    report.add(.event(.receiver(Receiver(path: "/dev/ttyUSB0", driver: "u-blox"))), at: at(0))
    enter(.searching, at: 1)
    enter(.fix3D, at: 3)
    for second in 3..<7 {
      let isOdd = second % 2 == 1
      fix(at: second, latitude: isOdd ? 48 : 48.000018, altHAE: isOdd ? 500 : 503)
    }
    enter(.lost, at: 7, loss: .noFix)
    enter(.fix2D, at: 12)
    fix(at: 12, latitude: 48, altHAE: nil)
    report.end(at: at(13))
    return report
  }()

  @Test func `is one JSON object`() {
    #expect(
      Self.report.json(source: "boat")
        == #"{"class":"REPORT","version":1,"from":"2023-11-14T22:13:20.000Z","#
        + #""to":"2023-11-14T22:13:33.000Z","receivers":[{"source":"boat","#
        + #""device":"/dev/ttyUSB0","driver":"u-blox","fixes":5,"fixes3d":4,"observed":13.0,"#
        + #""availability":0.3846,"availability3d":0.3077,"firstFix":3.0,"#
        + #""states":{"connecting":1.0,"searching":2.0,"fix-2d":1.0,"fix-3d":4.0,"lost":5.0},"#
        + #""centre":{"lat":48.0000072,"lon":11.5,"altHAE":501.5},"reference":false,"#
        + #""cep50":0.801,"drms":0.981,"2drms":1.961,"#
        + #""vep50":1.5,"#
        + #""gaussian":{"cep50":0.578,"2drms":1.961,"vep50":1.012,"#
        + #""vep95":2.94},"ellipse":{"major":2.4,"minor":0.0,"azimuth":0.0},"#
        + #""legs":[],"legCount":0,"stops":[],"stopCount":0,"gaps":[],"gapCount":0,"#
        + #""outages":[{"from":"2023-11-14T22:13:27.000Z","duration":5.0,"lat":48.000018,"#
        + #""lon":11.5,"reason":"no-fix","satsUsed":7}],"outageCount":1,"reconnects":0,"#
        + #""interval":{"median":1.0},"age":{"median":0.15}}]}"#
        + "\n")
  }

  @Test func `is a text for people`() {
    #expect(
      Self.report.text()
        == """
        /dev/ttyUSB0 (u-blox)

          Half of all fixes lie within 80.1 cm of their mean; a fix for 38.5 % of 13 s; first fix after 3 s; 1 outage of 5 s.

          5 fixes, 4 in 3D, about 48.0000072, 11.5000000, altHAE 501.5 m

          metres    samples     normal distribution
          CEP50     0.801       0.578
          DRMS      0.981
          2DRMS     1.961       1.961
          VEP50     1.500       1.012
          VEP95     –           2.940
          ellipse               2.400 by 0.000 at 0.0°

          interval: median 1.000 s
          age: median 0.150 s

          connecting  1 s
          searching   2 s
          fix-2d      1 s
          fix-3d      4 s
          lost        5 s

          2023-11-14T22:13:27.000Z  5 s           no-fix after 48.0000180, 11.5000000

        """)
  }

  private func text(of sources: [SourceReport]) -> String {
    String(decoding: ReportText.text(of: sources).bytes, as: UTF8.self)
  }

  @Test func `names each of several sources, and those without a receiver`() {
    let sources = [
      SourceReport("bow", Self.report), SourceReport("stern", LocationReport()),
      SourceReport(nil, Self.report),
    ]
    let text = text(of: sources)
    let alone = self.text(of: [SourceReport("bow", Self.report)])
    #expect(alone.hasPrefix("/dev/ttyUSB0 (u-blox)\n"))
    #expect(text == "bow: \(alone)\nstern: no receiver reported.\n\n\(alone)")
    let json = String(decoding: ReportJSON.text(of: sources).bytes, as: UTF8.self)
    #expect(json.hasPrefix(#"{"class":"REPORT","version":1,"from":"2023-11-14T22:13:20.000Z","#))
    #expect(json.contains(#""receivers":[{"source":"bow","device":"/dev/ttyUSB0","#))
    #expect(json.contains(#"},{"device":"/dev/ttyUSB0","#))
    #expect(json.split(separator: #""cep50":0.801"#).count == 3)
  }

  @Test(
    arguments: [
      ([], nil), ([nil], nil), (["a"], "a"), (["a", "b"], "a and b"), (["a", nil, "c"], "a and c"),
      (["a", "b", "c", "d"], "a, b, c and d"), (["a", "b", "c", "d", "e"], "a, b, c and 2 more"),
    ] as [([String?], String?)])
  func `has a title`(names: [String?], title: String?) {
    #expect(names.map { SourceReport($0, LocationReport()) }.title == title)
  }

  @Test func `says if there is no receiver`() {
    #expect(LocationReport().text() == "No receiver reported.\n")
    #expect(
      LocationReport().json() == #"{"class":"REPORT","version":1,"receivers":[]}"# + "\n")
  }
}
