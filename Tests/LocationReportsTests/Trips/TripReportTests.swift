import Foundation
import LocationCore
import LocationFormats
import LocationSamples
import Testing

@testable import LocationReports
@testable import LocationText

/// Fault 125.
@Suite struct `A report of a receiver that moves` {
  /// A square of a kilometre with five stops of three minutes.
  private static let square: LocationReport = {
    let track = SyntheticTrack(noise: 1.5)
    return report(
      track.fixes(1300, SyntheticTrack.square(side: 1000, speed: 10, stop: 180)))
  }()

  private static func report(
    _ fixes: [(fix: LocationFix, moment: Moment)], reference: LocationReport.Reference? = nil
  ) -> LocationReport {
    var report = LocationReport(reference: reference, countsFigures: true)
    let change = StateChange(.fix3D, of: .receiver(nil), at: fixes[0].moment)
    report.add(.state(change), at: fixes[0].moment)
    for (fix, moment) in fixes { report.add(.fix(fix), at: moment) }
    report.end(at: fixes[fixes.count - 1].moment)
    return report
  }

  private static let drive = report(
    SyntheticTrack().fixes(100, SyntheticTrack.straight(speed: 25)))

  @Test func `has its stops and legs`() throws {
    let receiver = try #require(Self.square.receivers.first)
    #expect(receiver.legs.count == 4 && receiver.legCount == 4)
    #expect(receiver.stops.count == 5 && receiver.stopCount == 5)
    #expect(receiver.stops[0].duration == .seconds(180))
  }

  @Test func `scatters where it stops, about the mean of each stop`() throws {
    let scatter = try #require(Self.square.receivers.first?.scatter)
    #expect(scatter.isOfStops && !scatter.isAboutReference)
    #expect(scatter.positionCount == 5 * 181)
    let r95 = try #require(scatter.r95)
    #expect(r95 > 1.5 && r95 < 3.7)
  }

  /// Drives 20 m/s, and is not seen from 600 to 1500 s.
  private static let tunnel = report(
    SyntheticTrack().fixes(2100, SyntheticTrack.straight(speed: 20)).filter { fix, moment in
      let second = Moment(uptime: .seconds(1000)).duration(to: moment).inSeconds
      return second <= 600 || second >= 1500
    })

  @Test func `has a row for each gap`() throws {
    let receiver = try #require(Self.tunnel.receivers.first)
    #expect(receiver.gapCount == 1 && receiver.legCount == 2)
    let text = Self.tunnel.text()
    #expect(text.contains("; not seen for 15 min, 18.0 km straight; "))
    // Two legs of 12 km, and what was not seen.
    #expect(
      PageTitle.text(of: [receiver], source: nil, .metric) == "Trip of 20 Nov 2026, 42.0 km")
    let rows = text.split(separator: "\n").filter { $0.contains("2026-11-20 07:") }
    #expect(rows.map { $0.prefix(10) } == ["  leg 1   ", "  not seen", "  leg 2   "])
    #expect(rows[1].contains("15 min    18.0 km straight"))
    let json = Self.tunnel.json()
    #expect(json.contains(#""gaps":[{"from":{"time":"2026-11-20T07:10:00.000Z""#))
    #expect(json.contains(#""gapCount":1,"outages""#))
    let record = try #require(
      json.firstMatch(of: /"gaps":\[\{"from":(.+?)\},"to":(.+?)\},(.+?)\}\]/))
    #expect(record.1.hasPrefix(#"{"time":"2026-11-20T07:10:00.000Z","lat":48.0934"#))
    #expect(record.2.hasPrefix(#"{"time":"2026-11-20T07:25:00.000Z","lat":"#))
    #expect(record.3 == #""duration":900.0,"distance":18000.0"#)
    #expect(Self.drive.json().contains(#""gaps":[],"gapCount":0,"outages""#))
  }

  @Test func `has daily sums if it lasts longer than a day`() throws {
    func report(_ hours: Double) -> LocationReport {
      let track = SyntheticTrack(rate: 1.0 / 60)
      return Self.report(track.fixes(hours * 3600, SyntheticTrack.straight(speed: 10)))
    }
    let days = report(48)
    #expect(days.receivers[0].days.map(\.date) == ["2026-11-20", "2026-11-21", "2026-11-22"])
    #expect(days.text().contains("\n\n  day         duration  distance  moving"))
    #expect(days.text().contains("\n  2026-11-21  24 h      864.0 km  "))
    #expect(days.json().contains(#""days":[{"date":"2026-11-20","distance":612"#))
    #expect(days.page().contains("<h3>Days</h3>"))
    // Days are those of UTC in any zone.
    func header(_ zone: PageZone.Offset) -> [Bool] {
      let page = ReportPage.text(of: [SourceReport(nil, days)], zone: { _ in zone }).string
      return ["day", "day, UTC"].map { page.contains("<th scope=\"col\">\($0)</th>") }
    }
    #expect(header(.utc) == [true, false])
    #expect(header(PageZone.Offset(name: "CET", secondsFromUTC: 3600)) == [false, true])
    let day = report(24)
    #expect(!day.text().contains("\n  day  ") && !day.json().contains(#""days""#))
  }

  @Test func `has the climbs of its days`() throws {
    var fixes = SyntheticTrack(rate: 1.0 / 60)
      .fixes(48 * 3600, SyntheticTrack.straight(speed: 10))
    // Up 100 m, and down 60 m, in an hour each
    for index in fixes.indices {
      let (hour, minute) = (index / 60, Double(index % 60))
      let up = minute < 30 ? minute / 30 * 100 : 100 - (minute - 30) / 30 * 60
      fixes[index].fix.altitude = 500 + 40 * Double(hour) + up
    }
    let report = Self.report(fixes)
    let day = report.receivers[0].days[1]
    let (ascent, descent) = (try #require(day.ascent), try #require(day.descent))
    #expect(abs(ascent - 2400) < 1 && abs(descent - 1440) < 1, "\(day)")
    let json = try #require(
      JSONSerialization.jsonObject(with: Data(report.json().utf8)) as? [String: Any])
    let receiver = try #require((json["receivers"] as? [[String: Any]])?.first)
    let record = try #require((receiver["days"] as? [[String: Any]])?[1])
    #expect(record["date"] as? String == "2026-11-21")
    #expect(record["distance"] as? Double == 864_000)
    #expect(record["duration"] as? Double == 86_400 && record["moving"] as? Double == 86_400)
    #expect(record["ascent"] as? Double == (ascent * 1000).rounded() / 1000)
    #expect(record["descent"] as? Double == (descent * 1000).rounded() / 1000)
  }

  @Test func `says how many legs and stops beyond 200 rows are left out`() throws {
    var receiver = try #require(Self.square.receivers.first)
    #expect(TripText.rest(of: receiver) == 0 && TripText.rows(of: receiver, .metric).count == 9)
    receiver.legs = Array(repeating: receiver.legs[0], count: 201)
    #expect(TripText.rows(of: receiver, .metric).count == 200)
    var trips = TripSummary()
    for _ in 0..<150 { trips.add(receiver.legs[0]) }
    for _ in 0..<50 { trips.add(receiver.stops[0]) }
    trips.add(Gap(from: receiver.legs[0].start, to: receiver.legs[0].end))
    receiver.trips = trips
    #expect(TripText.rest(of: receiver) == 1)
  }

  @Test func `says below its table how many rows are left out`() {
    // Each pair of fixes is a kilometre from the one before, and later than a leg lasts without one.
    func report(_ gaps: Int) -> LocationReport {
      let track = SyntheticTrack(rate: 1.0 / 700)
      let fixes = track.fixes(Double(gaps) * 700, SyntheticTrack.straight(speed: 1.5))
      return Self.report(
        fixes.flatMap { fix, moment in
          var next = fix
          next.time = fix.time?.advanced(by: .seconds(1))
          return [(fix, moment), (next, moment.advanced(by: .seconds(1)))]
        })
    }
    let (more, every) = (report(202), report(200))
    #expect(more.text().contains("\n  and 2 more\n"))
    #expect(more.page().contains("<p class=\"note\">and 2 more</p>"))
    #expect(!every.page().contains(" more</p>"))
    let all = every.text()
    #expect(all.components(of: "\n  not seen  ") == 201 && !all.contains(" more\n"))
  }

  @Test func `has no climbs where it is level`() {
    var fixes = SyntheticTrack().fixes(100, SyntheticTrack.straight(speed: 25))
    for index in fixes.indices { fixes[index].fix.altitude = 500 }
    #expect(Self.report(fixes).text().contains(", no stop, top speed 90 km/h; a fix for "))
    for index in fixes.indices { fixes[index].fix.altitude = 500 + Double(index) }
    #expect(
      Self.report(fixes).text().contains(
        ", no stop, top speed 90 km/h, 100 m up, 0 m down; a fix for "))
  }

  @Test func `of a lift has its climbs, and no vertical error`() throws {
    var fixes = SyntheticTrack(noise: 1).fixes(1200) { _ in (0, 0, 0) }
    var gauss = Gauss(seed: 9)
    for index in fixes.indices {
      let up = Double(min(max(index - 400, 0), 200))
      fixes[index].fix.altitude = 500 + up + 0.2 * gauss.next()
    }
    let report = Self.report(fixes)
    let receiver = try #require(report.receivers.first)
    #expect(receiver.legs.isEmpty && receiver.stops.count == 1)
    #expect(abs(try #require(receiver.stops.first?.ascent) - 200) < 3)
    #expect(receiver.scatter?.cep50 != nil && receiver.scatter?.vep50 == nil)
    #expect(report.text().contains("\n  stop 1  2026-11-20 07:00:00  20 min "))
    #expect(report.page().contains("<h3>Legs and stops</h3>"))
  }

  @Test func `has a page without a table if the receiver only stood still`() throws {
    let report = Self.report(SyntheticTrack(noise: 1).fixes(1200) { _ in (0, 0, 0) })
    let receiver = try #require(report.receivers.first)
    #expect(receiver.legs.isEmpty && receiver.stops.count == 1 && receiver.gaps.isEmpty)
    #expect(report.text().contains("\n  stop 1  2026-11-20 07:00:00  20 min "))
    #expect(!report.page().contains("<h3>Legs and stops</h3>"))
  }

  @Test(arguments: [(50, false), (51, true)])
  func `does not scatter if most positions are a surveyed one`(
    surveyed: Int, isGiven: Bool
  ) throws {
    var fixes = SyntheticTrack(noise: 1).fixes(99) { _ in (0, 0, 0) }
    for index in 0..<surveyed { fixes[index].fix.quality = .timeOnly }
    fixes[99].fix.quality = .simulated
    let report = Self.report(fixes)
    #expect((report.receivers.first?.scatter == nil) == isGiven)
    #expect(
      report.text().contains(
        "  \(surveyed) of 100 fixes are the surveyed position that a timing receiver repeats; "
          + "1 of 100 fixes are simulated.\n"))
    #expect(
      report.text().contains("The position is a surveyed one, which does not scatter") == isGiven)
    #expect(report.json().contains(#""surveyed":\#(surveyed),"simulated":1,"#))
    #expect(!Self.drive.json().contains("surveyed"))
  }

  @Test func `does not scatter without a stop`() throws {
    let receiver = try #require(Self.drive.receivers.first)
    #expect(receiver.scatter == nil && receiver.stops.isEmpty && receiver.legs.count == 1)
  }

  @Test func `scatters about a reference wherever it is`() throws {
    let reference = LocationReport.Reference(Coordinate(latitude: 48, longitude: 11.5)!)
    let fixes = SyntheticTrack().fixes(100, SyntheticTrack.straight(speed: 25))
    let scatter = try #require(Self.report(fixes, reference: reference).receivers.first?.scatter)
    #expect(scatter.isAboutReference && !scatter.isOfStops && scatter.positionCount == 101)
    #expect(abs((scatter.cep50 ?? 0) - 1250) < 1)
  }

  @Test func `says the totals of the trip`() throws {
    #expect(
      Self.drive.text().contains(
        "  2.5 km in 1 min 40 s under way, no stop, top speed 90 km/h; a fix for 100.0 % of the time.\n"
      ))
    let text = Self.square.text()
    #expect(text.contains(" in 6 min 40 s under way, 5 stops, top speed 36 km/h; "))
    #expect(text.contains("\n  At rest, half of 905 fixes lie within 1."))
    #expect(text.contains("\n  The figures are made of the 905 in the stops.\n"))
    let rows = text.split(separator: "\n").filter { $0.contains("2026-11-20 07:") }
    #expect(rows.map { $0.prefix(8) }.prefix(3) == ["  stop 1", "  leg 1 ", "  stop 2"])
    #expect(rows.count == 9)
  }

  @Test func `says how many of more than 262,144 fixes count at its stops`() throws {
    let fixes = SyntheticTrack(noise: 1.5).fixes(100) { _ in (0, 0, 0) }
    var receiver = try #require(Self.report(fixes).receivers.first)
    #expect(receiver.scatter?.positionCount == 101)
    for (count, isThinned) in [(101, false), (2_000_000, true)] {
      receiver.fixCount = count
      let text = ReportText.figures(of: receiver, .metric)
      #expect(text.hasPrefix("\n  \(count) fixes, 101 in 3D, about 48."))
      #expect(
        text.contains("\n  The figures are made of 101 of them, evenly thinned.\n\n") == isThinned)
    }
  }

  @Test func `has the requested units, and SI units in JSON`() {
    let source = SourceReport(nil, Self.drive)
    func text(_ units: UnitSystem) -> String {
      ReportText.text(of: [source], units: ReportUnits(units)).string
    }
    #expect(text(.imperial).contains("1.6 mi in 1 min 40 s under way, no stop, top speed 56 mph;"))
    #expect(text(.nautical).contains("1.3 nmi in 1 min 40 s under way, no stop, top speed 49 kn;"))
    let page = ReportPage.text(of: [source], units: ReportUnits(.nautical)).string
    #expect(
      page.contains(">speed, kn</text>") && page.contains("1.3\u{a0}nmi in 1\u{a0}min 40\u{a0}s"))
    let json = Self.drive.json()
    #expect(
      json.contains(
        #""legs":[{"from":{"time":"2026-11-20T07:00:00.000Z","lat":48.0,"lon":11.5},"#))
    #expect(json.contains(#""distance":2500.0,"dopplerDistance":2500.0,"duration":100.0,"#))
    #expect(
      json.contains(#""moving":100.0,"speedMean":25.0,"speedMoving":25.0,"speedTop":25.0}],"#))
    #expect(json.contains(#""legCount":1,"stops":[],"stopCount":0,"#))
  }

  @Test func `has a page with its track, its stops and a profile over the distance`() {
    let page = Self.square.page()
    #expect(page.contains("<h3>Legs and stops</h3>"))
    #expect(page.contains("Speed and height over the distance."))
    #expect(page.components(of: "<circle class=\"ring stop\"") == 6)
    #expect(page.contains("<path class=\"v4\"") && page.contains(">3 min</text>"))
    // A driver looks for the track; how widely the positions of stops scatter is folded.
    let parts = page.split(separator: "<details class=\"fold\">")
    #expect(parts.count == 2)
    for title in ["Scatter.", "<h3>Accuracy in the stops</h3>"] {
      #expect(!parts[0].contains(title) && parts.last?.contains(title) == true)
    }
    let drive = Self.drive.page()
    #expect(!drive.contains("Scatter.") && !drive.contains("<h3>Accuracy"))
    #expect(!drive.contains("observed error") && !drive.contains("Observed and claimed error"))
  }

  /// Five minutes of rest, five minutes at 10 m/s, and again a rest.
  private static func trip(_ second: Double) -> SyntheticTrack.Place {
    let driven = min(max(0, second - 300), 300)
    return (10 * driven, 0, driven > 0 && second <= 600 ? 10 : 0)
  }

  /// The distance changes once in a second.
  @Test(arguments: [1.0, 10])
  func `has each sample at its own distance, also after a stop`(rate: Double) throws {
    let report = Self.report(SyntheticTrack(rate: rate).fixes(900, Self.trip))
    let profile = try #require(report.receivers.first?.figures?.profile)
    #expect(profile.width == 4)
    let speeds = try #require(profile.extents(of: .speed))
    let known = speeds.indices.filter { !speeds[$0].isEmpty }
    #expect(zip(known, known.dropFirst()).allSatisfy { $1 - $0 <= 3 })
    #expect(known.first == 0 && (749...750).contains(known.last ?? 0))
    #expect(speeds[0] == (rate == 1 ? Extent(0, 0) : Extent(0, 10)))
    #expect(known.dropFirst().dropLast(2).allSatisfy { speeds[$0] == Extent(10, 10) })
  }

  @Test func `has a leg whose beginning is known only at the end`() throws {
    let report = Self.report(SyntheticTrack().fixes(310, Self.trip))
    let receiver = try #require(report.receivers.first)
    let profile = try #require(receiver.figures?.profile)
    #expect(receiver.legs.map { $0.distance.rounded() } == [100])
    #expect(profile.count == 801)
    #expect(profile.extents(of: .speed)?.filter { !$0.isEmpty }.count == 11)
  }

  @Test func `draws a leg with its speed from the beginning, even if none is measured`() throws {
    let report = Self.report(SyntheticTrack(hasSpeed: false).fixes(900, Self.trip))
    let points = try #require(report.receivers.first?.figures?.track.points)
    #expect(points.dropFirst(2).prefix(20).allSatisfy { $0.speed > 8 })
  }

  @Test func `has a page of less than 1 MB for a day`() {
    var track = SyntheticTrack()
    track.noise = 2
    let fixes = track.fixes(86_400) { second in
      let angle = second / 900
      return (9000 * angle.remainder(dividingBy: 3) + 500 * angle, 700 * angle, 8)
    }
    let report = Self.report(fixes)
    let page = report.page()
    #expect(page.utf8.count < 1_000_000, "\(page.utf8.count)")
  }

  @Test(arguments: [
    (0.0, "0.0 mm"), (0.0089, "8.9 mm"), (0.01, "1.0 cm"), (0.352, "35.2 cm"), (1, "1.0 m"),
    (1.44, "1.4 m"), (-0.5, "-50.0 cm"), (2345.6, "2345.6 m"),
  ])
  func `has errors in the unit that fits`(length: Double, words: String) {
    #expect(ReportUnits.metric.length(length) == words)
  }

  @Test(arguments: [
    (0.0, "0 m"), (999.4, "999 m"), (1000, "1.0 km"), (95_234, "95.2 km"), (1_234_400, "1234 km"),
  ])
  func `has distances in the unit that fits`(length: Double, words: String) {
    #expect(ReportUnits.metric.way(length) == words)
  }

  @Test func `has speeds with a decimal place if they are slow`() {
    #expect(ReportUnits.metric.speed(1) == "3.6 km/h")
    #expect(ReportUnits.metric.speed(8.6) == "31 km/h")
    #expect(ReportUnits(.nautical).speed(1) == "1.9 kn")
  }
}

extension String {
  /// The number of parts between the places of a text.
  fileprivate func components(of separator: String) -> Int {
    split(separator: separator, omittingEmptySubsequences: false).count
  }
}
