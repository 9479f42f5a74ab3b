import LocationCore
import LocationReports
import LocationSamples
import Testing

@Suite struct `A report in its forms` {
  /// One fix, and ten seconds.
  private static let report = {
    var report = LocationReport(countsFigures: true)
    let start = Moment(uptime: .seconds(1))
    report.add(
      .fix(
        LocationFix(
          coordinate: Coordinate(latitude: 48.5, longitude: 11.5)!, mode: .fix2D, device: "gps",
          time: Timestamp(secondsSince1970: 1_795_158_000))), at: start)
    report.add(
      .state(StateChange(.fix2D, of: .receiver("gps"), at: start)), at: start)
    report.end(at: start.advanced(by: .seconds(10)))
    return report
  }()

  @Test func `names what its mean height is measured from, if there is one`() {
    func report(_ change: (inout LocationFix) -> Void) -> LocationReport {
      var report = LocationReport()
      for second in 1...2 {
        var fix = LocationFix(
          coordinate: Coordinate(latitude: 48, longitude: 11.5)!, mode: .fix3D, device: "gps")
        change(&fix)
        report.add(.fix(fix), at: Moment(uptime: .seconds(second)))
      }
      return report
    }
    let sea = report { $0.altitude = 450 }
    #expect(sea.json().contains(#""centre":{"lat":48.0,"lon":11.5,"altMSL":450.0},"#))
    #expect(sea.text().contains(", about 48.0000000, 11.5000000, altMSL 450.0 m\n"))
    let ellipsoid = report { ($0.altitude, $0.ellipsoidalAltitude) = (450, 500) }
    #expect(ellipsoid.json().contains(#""centre":{"lat":48.0,"lon":11.5,"altHAE":500.0},"#))
    let none = report { _ in }
    #expect(none.json().contains(#""centre":{"lat":48.0,"lon":11.5},"#))
    #expect(none.text().contains(", about 48.0000000, 11.5000000\n"))
  }

  @Test func `has no figures of a moment`() {
    var report = LocationReport(countsFigures: true)
    let start = Moment(uptime: .seconds(1))
    report.add(.state(StateChange(.searching, of: .receiver("gps"), at: start)), at: start)
    report.end(at: start)
    #expect(report.receivers.count == 1)
    #expect(!report.page().contains("States."))
    report.end(at: start.advanced(by: .seconds(1)))
    #expect(report.page().contains("States."))
  }

  @Test func `has the strongest signal before an outage`() {
    var report = LocationReport()
    func at(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }
    func satellite(_ number: Int, _ strength: Double, _ isUsed: Bool) -> Satellite {
      Satellite(prn: number, signalStrength: strength, isUsed: isUsed)
    }
    report.add(.state(StateChange(.fix3D, of: .receiver("gps"), at: at(0))), at: at(0))
    let sky = SkyView(
      device: "gps", satellites: [satellite(1, 38.26, true), satellite(2, 20, false)])
    report.add(.event(.sky(sky)), at: at(1))
    report.add(
      .state(StateChange(.lost, of: .receiver("gps"), loss: .noFix, at: at(2))), at: at(2))
    report.end(at: at(10))
    #expect(report.json().contains(#""reason":"no-fix","ss":38.3}"#))
  }

  @Test func `is a page, with figures if they were collected`() {
    let page = Self.report.page(source: "van & boat")
    #expect(
      page.contains(
        "<title>van &amp; boat: Observation of 20 Nov 2026, 10\u{a0}s – locwatch</title>"))
    #expect(page.contains("<svg role=\"img\""))
    #expect(page.hasSuffix("<p class=\"note\">locwatch</p></footer></body></html>\n"))
    #expect(!LocationReport().page().contains("<svg"))
  }
}
