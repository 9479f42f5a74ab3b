import LocationCore
import LocationSamples
import LocationText
import Testing

@testable import LocationFormats
@testable import LocationReports

@Suite struct `The head of a page` {
  private func at(_ second: Int) -> Moment { Moment(uptime: .seconds(second)) }

  /// Adds a receiver at rest, or one that moves 10 m a second.
  private func add(
    _ device: String, speed: Double, from start: Int? = 1_795_158_000, seconds: Int = 100,
    to report: inout LocationReport
  ) {
    func time(_ second: Int) -> Timestamp? {
      start.map { Timestamp(secondsSince1970: Int64($0 + second)) }
    }
    let change = StateChange(.fix3D, of: .receiver(device), time: time(0), at: at(0))
    report.add(.state(change), at: at(0))
    for second in 0..<seconds {
      var fix = LocationFix(
        coordinate: Coordinate(
          latitude: 48 + speed * Double(second) / 111_200,
          longitude: speed == 0 && second % 2 == 1 ? 11.50001 : 11.5)!,
        mode: .fix3D, device: device, time: time(second))
      fix.speed = speed
      report.add(.fix(fix), at: at(second))
    }
  }

  private func report(_ build: (inout LocationReport) -> Void) -> LocationReport {
    var report = LocationReport(countsFigures: true)
    build(&report)
    report.end(at: at(100))
    return report
  }

  private func title(_ report: LocationReport, source: String? = nil) -> String {
    PageTitle.text(of: report.receivers, source: source, .metric)
  }

  @Test func `says what it is about, when it was, and how far or how long`() {
    let day = 86_400
    #expect(title(report { add("a", speed: 10, to: &$0) }) == "Trip of 20 Nov 2026, 990 m")
    #expect(title(report { add("a", speed: 10, from: nil, to: &$0) }) == "Trip, 990 m")
    #expect(
      title(report { add("a", speed: 0, to: &$0) }, source: "mast")
        == "mast: Observation of 20 Nov 2026, 1 min 40 s")
    #expect(
      title(report { add("a", speed: 0, from: 1_798_761_550, to: &$0) })
        == "Observation of 31 Dec 2026 to 1 Jan 2027, 1 min 40 s")
    let two = report {
      add("a", speed: 0, to: &$0)
      add("b", speed: 10, from: 1_795_158_000 + 2 * day, to: &$0)
    }
    #expect(title(two) == "2 receivers, 20 Nov 2026 to 22 Nov 2026")
    #expect(title(LocationReport()) == "No receiver reported")
    #expect(title(LocationReport(), source: "mast") == "mast: no receiver reported")
  }

  @Test func `has links to a map, and no other address`() {
    let trip = report { add("a", speed: 10, to: &$0) }.page()
    let links = trip.split(separator: "href=").count - 1
    #expect(links == 2 && trip.split(separator: "https:").count == 3)
    #expect(
      trip.contains(
        "<p class=\"note\">On OpenStreetMap: <a rel=\"noreferrer\" href=\"https://www.openstreetmap.org/"
          + "?mlat=48.000000&amp;mlon=11.500000#map=16/48.000000/11.500000\">start</a>, <a "))
    let rest = report { add("a", speed: 0, to: &$0) }.page()
    #expect(rest.contains("#map=16/48.000000/11.500005\">mean position</a></p>"))
  }

  @Test(arguments: [10, 600])
  func `says after how many seconds it is read again`(seconds: Int) {
    let refresh = PageRefresh(interval: .seconds(seconds), written: nil)
    #expect(refresh.element == "<meta http-equiv=\"refresh\" content=\"\(seconds)\">\n")
  }

  @Test func `says when it was written, and how old the last fix was`() {
    func page(_ refresh: PageRefresh?) -> String {
      let report = report {
        add("a", speed: 0, seconds: 98, to: &$0)
        let change = StateChange(.searching, of: .receiver("b"), at: at(98))
        $0.add(.state(change), at: at(98))
      }
      var page = ""
      ReportPage.write([SourceReport(nil, report)], refresh: refresh) { page += $0.string }
      return page
    }
    let noon = Timestamp(secondsSince1970: 1_795_158_312, nanoseconds: 250_000_000)
    let dated = page(PageRefresh(interval: .seconds(30), written: noon))
    #expect(dated.contains("<meta http-equiv=\"refresh\" content=\"30\">\n"))
    #expect(
      dated.contains(
        "<p class=\"note\">Written at 2026-11-20 07:05:12 UTC, and every 30\u{a0}s while locwatch "
          + "runs.</p></header>"))
    // Of the receiver that had a fix.
    let age = "<p class=\"note\">When this was written, the last fix was 3\u{a0}s old.</p>"
    #expect(dated.split(separator: age).count == 2)
    #expect(dated.split(separator: "When this was written").count == 2)
    let undated = page(PageRefresh(interval: .seconds(90), written: nil))
    #expect(
      undated.contains(">Written every 1\u{a0}min 30\u{a0}s while locwatch runs.</p></header>")
    )
    let once = page(nil)
    #expect(!once.contains("http-equiv=\"refresh\"") && !once.contains("ritten"))
  }

  @Test func `lists several receivers with links to them`() {
    let page = report {
      add("/dev/a", speed: 0, to: &$0)
      add("/dev/b", speed: 10, to: &$0)
    }.page()
    #expect(
      page.contains(
        ##"<tr><th scope="row"><a href="#receiver-2">/dev/b</a></th><td data-l="a fix">100.0\##u{a0}%</td>"##
          + #"<td data-l="half within">–</td><td data-l="distance">990\#u{a0}m</td>"#
          + #"<td data-l="outages">0</td></tr>"#))
    #expect(page.contains(#"<h2 id="receiver-2">/dev/b</h2>"#))
    #expect(
      page.contains(
        ##"/dev/a</a></th><td data-l="a fix">100.0\##u{a0}%</td>"##
          + #"<td data-l="half within">37.3\#u{a0}cm</td><td data-l="distance">–</td>"#
          + #"<td data-l="outages">0</td></tr>"#))
    let one = report { add("/dev/a", speed: 0, to: &$0) }.page()
    #expect(one.contains(#"<p class="note">/dev/a</p>"#) && !one.contains("<h2"))
  }

  @Test func `names the source of each receiver if there are several, and those without one`() {
    let one = report { add("/dev/a", speed: 0, to: &$0) }
    let sources = [
      SourceReport("bow", one), SourceReport("stern", LocationReport()), SourceReport("mast", one),
    ]
    let page = ReportPage.text(of: sources).string
    #expect(
      page.contains("<title>bow, stern and mast: 2 receivers, 20 Nov 2026 – locwatch</title>"))
    #expect(page.contains(##"<th scope="row"><a href="#receiver-2">mast: /dev/a</a></th>"##))
    let parts = [
      #"<section aria-labelledby="receiver-1"><h2 id="receiver-1">bow: /dev/a</h2>"#,
      #"<p class="lead">stern: no receiver reported.</p>"#,
      #"<section aria-labelledby="receiver-2"><h2 id="receiver-2">mast: /dev/a</h2>"#,
    ]
    let rests = parts.map { page.split(separator: $0).last?.count ?? 0 }
    #expect(parts.allSatisfy { page.split(separator: $0).count == 2 })
    #expect(rests == rests.sorted(by: >))
  }

  /// Returns the first words of the names of the figures of a page.
  private func figures(_ page: String) -> [Substring] {
    page.split(separator: "<title id=\"").dropFirst().map { $0.prefix { $0 != "-" } }
  }

  @Test func `is followed by all figures of a receiver that moved, with the reception folded`() {
    let page = report {
      add("a", speed: 10, to: &$0)
      var fix = LocationFix(
        coordinate: Coordinate(latitude: 48.009, longitude: 11.5)!, mode: .fix3D, device: "a",
        time: Timestamp(secondsSince1970: 1_795_158_100))
      fix.speed = 10
      fix[.eph] = 5
      $0.add(.fix(fix), at: at(100))
      let satellite = Satellite(
        prn: 5, elevation: 45, azimuth: 90, signalStrength: 40, isUsed: true)
      $0.add(.event(.sky(SkyView(device: "a", satellites: [satellite]))), at: at(100))
      for kind in [ServiceReport.Kind.pps, ServiceReport.Kind(rawValue: "TOFF")] {
        let offset = ServiceReport(kind, device: "a", clockOffset: .milliseconds(100), text: "")
        $0.add(.event(.other(offset)), at: at(100))
      }
    }.page()
    let parts = page.split(
      separator: "<details class=\"fold\"><summary>Reception and accuracy</summary>")
    #expect(
      parts.map { figures(String($0)) } == [
        ["track", "profile", "times", "states"],
        ["obstructions", "sky", "signals", "accuracy", "serial", "pulses"],
      ])
  }

  @Test func `is followed by what is known of the clock, at the end if the receiver moved`() {
    func page(speed: Double) -> String {
      report {
        add("a", speed: speed, to: &$0)
        for kind in [ServiceReport.Kind.pps, ServiceReport.Kind(rawValue: "TOFF")] {
          let offset = ServiceReport(kind, device: "a", clockOffset: .milliseconds(100), text: "")
          $0.add(.event(.other(offset)), at: at(100))
        }
      }.page()
    }
    let notes =
      "<p class=\"note\">Serial time: 0.100\u{a0}s late (median of 1).</p><p class=\"note\">"
      + "Pulses: 1 of 1 seconds; the clock is +100\u{a0}ms from them (median of 1).</p>"
    let (rest, trip) = (page(speed: 0), page(speed: 10))
    #expect(rest.contains(notes + "<p class=\"note\">On OpenStreetMap: "))
    #expect(trip.contains(notes + "</section>\n</main>"))
    for page in [rest, trip] { #expect(page.split(separator: "Serial time: ").count == 2) }
  }

  @Test func `is followed by the track if the receiver moved, and otherwise by the states`() {
    #expect(
      figures(report { add("a", speed: 10, to: &$0) }.page()) == [
        "track", "profile", "times", "states",
      ])
    #expect(figures(report { add("a", speed: 0, to: &$0) }.page()) == ["states", "scatter"])
    // Too few to say how widely they scatter.
    #expect(figures(report { add("a", speed: 0, seconds: 19, to: &$0) }.page()) == ["states"])
  }
}
