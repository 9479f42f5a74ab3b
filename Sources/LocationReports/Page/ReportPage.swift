package import LocationCore
package import LocationText

/// A report as a single page that needs no script, no other file and no network.
package enum ReportPage {
  /// - Parameter version: The version of the command, for the footer; `nil` for none.
  package static func text(
    of sources: [SourceReport], version: String? = nil, units: ReportUnits = .metric,
    zone: (Timestamp) -> PageZone.Offset = { _ in .utc }
  ) -> TextBuffer {
    var page = TextBuffer()
    write(sources, version: version, units: units, zone: zone) { page.append($0) }
    return page
  }

  /// Writes the page in pieces of one figure each, so that only one is in memory at a time.
  ///
  /// - Parameters:
  ///   - version: The version of the command, for the footer; `nil` for none.
  ///   - refresh: When the page is written again; `nil` if it is not.
  ///   - zone: Returns the page's time zone, for the moment at which the observation began.
  ///   - write: Called with each piece, in order.
  package static func write<Failure>(
    _ sources: [SourceReport], version: String? = nil, refresh: PageRefresh? = nil,
    units: ReportUnits = .metric,
    zone: (Timestamp) -> PageZone.Offset = { _ in .utc },
    to write: (TextBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    let all = sources.map { (source: $0, receivers: $0.report.receivers) }
    let receivers = all.flatMap(\.receivers)
    let source = sources.title
    var page = Markup()
    page.add(
      """
      <!DOCTYPE html>
      <html lang="en"><head><meta charset="utf-8">
      \(refresh?.head == nil ? policy : "")
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="referrer" content="no-referrer">

      """)
    if let refresh { page.add(refresh.element) }
    let times = receivers.compactMap(\.from).min().flatMap { from in
      receivers.compactMap(\.to).max().map { (from, $0) }
    }
    let zone = times.map { PageZone(from: $0, to: $1, offset: zone) } ?? .utc
    let title = PageTitle.text(of: receivers, source: source, units, in: zone)
    page.add("<title>")
    page.add(received: title)
    page.add(" – locwatch")
    page.add("</title>\n<style>\(PageStyle.text)</style></head>\n<body>")
    if let head = refresh?.head { page.buffer.append(head) }
    page.add("<header>")
    page.add("<h1 id=\"title\">")
    page.add(received: title)
    page.add("</h1>")
    if receivers.count == 1, let receiver = receivers.first { addName(of: receiver, to: &page) }
    if let (from, to) = times {
      page.add(element: "p", "class=\"note\"", text: zone.span(from: from, to: to))
    }
    if let refresh { page.add(element: "p", "class=\"note\"", text: refresh.sentence) }
    page.add("</header><main>\n")
    if receivers.count > 1 {
      let titles = all.flatMap { source, receivers in
        receivers.map { ($0.title(of: source, among: sources), $0) }
      }
      ReceiverOverview(receivers: titles, units: units).add(to: &page)
    }
    var number = 0
    for (source, receivers) in all {
      if receivers.isEmpty {
        page.add("<p class=\"lead\">")
        // The title of a single source says that none reported.
        page.add(
          received: all.count > 1
            ? ReportText.nothing(of: source, among: sources)
            : "gpsd was not reached, no receiver was connected, or it sent nothing.")
        page.add("</p>")
      }
      for receiver in receivers {
        number += 1
        let title =
          receivers.count == 1 && all.count == 1 ? nil : receiver.title(of: source, among: sources)
        try add(
          receiver, title, source.report.criteria, units, zone, refresh, number: number, to: &page,
          write)
      }
    }
    if receivers.isEmpty { add(notes: [nextStep], to: &page) }
    page.add("</main>\n<footer>")
    if !receivers.isEmpty {
      page.add(
        element: "p", "class=\"note\"",
        text:
          "Percentiles are of the fixes, by nearest rank. A percentile that would be the largest value is "
          + "left out, so 95 % needs 20 fixes, and 99 % needs 100. Fixes that are a second apart are "
          + "correlated, so the scatter of a short observation is too small. Times are in \(zone.name). "
          + "Bands show the minimum and maximum at each moment.")
    }
    page.add(element: "p", "class=\"note\"", text: version.map { "locwatch \($0)" } ?? "locwatch")
    page.add("</footer></body></html>\n")
    try write(page.buffer)
  }

  /// What a page that is a file may do. A server has its own ``servedPolicy``.
  private static let policy =
    "<meta http-equiv=\"Content-Security-Policy\" "
    + "content=\"default-src 'none'; style-src '\(PageStyle.hash)'\">"

  /// What a served page may do: run the scripts and apply the styles of its server, and ask only its server.
  package static let servedPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self' '\(PageStyle.hash)'; "
    + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

  private static let nextStep =
    "To see what to do, run locwatch --doctor on the machine with the receiver."

  private static func add<Failure>(
    _ receiver: ReceiverReport, _ title: String?, _ criteria: FixCriteria, _ units: ReportUnits,
    _ zone: PageZone, _ refresh: PageRefresh?, number: Int, to page: inout Markup,
    _ write: (TextBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    if let title {
      page.add("<section aria-labelledby=\"receiver-\(number)\">")
      page.add("<h2 id=\"receiver-\(number)\">")
      page.add(received: title)
      addDriver(of: receiver, to: &page)
      page.add("</h2>")
    } else {
      page.add("<section aria-labelledby=\"title\">")
    }
    page.add(element: "p", "class=\"lead\"", text: ReportText.sentence(about: receiver, units))
    // The sentence about a dead antenna says what to do.
    let isAntenna = receiver.figures?.columns.lacksSignal == true
    if receiver.hadNoFix, !isAntenna { add(notes: [nextStep], to: &page) }
    if let sentence = refresh?.sentence(about: receiver) {
      page.add(element: "p", "class=\"note\"", text: sentence)
    }
    add(notes: ReportText.notes(on: receiver, criteria, units), to: &page)
    // A driver looks for the track first. Somebody who maintains a clock looks for the time.
    if !receiver.hasMoved { add(notes: ReportText.timing(of: receiver), to: &page) }
    MapLinks(of: receiver).add(to: &page)
    if receiver.hasMoved, let figures = receiver.figures,
      let track = Figure.track(figures, receiver, units)
    {
      track.add(to: &page, receiver: number)
      try write(page.buffer)
      page.buffer.removeAll()
    }
    if receiver.hasTripTable { addTrips(of: receiver, units, zone, to: &page) }
    page.add("<div class=\"figures\">\n")
    try forEachFigure(of: receiver, units, zone) { figure throws(Failure) in
      figure?.add(to: &page, receiver: number)
      try write(page.buffer)
      page.buffer.removeAll()
    }
    page.add("<div class=\"card\"><h3>Numbers</h3>")
    numbers(of: receiver, units).add(to: &page)
    if receiver.age != nil { Glossary.times.add(to: &page) }
    page.add("</div>\n")
    if !receiver.hasMoved { AccuracyCard(of: receiver, units)?.add(to: &page) }
    page.add("</div>\n")
    if receiver.hasMoved { try addReception(of: receiver, units, zone, number, to: &page, write) }
    add("Outages", outages(of: receiver, zone), of: receiver.outageCount, to: &page)
    add("Doubts", doubts(of: receiver, zone), of: receiver.doubtCount, to: &page)
    if receiver.hasMoved { add(notes: ReportText.timing(of: receiver), to: &page) }
    page.add("</section>\n")
  }

  /// Adds the figures of reception and accuracy of a receiver that moved. They are folded, because a driver
  /// looks for the track.
  private static func addReception<Failure>(
    of receiver: ReceiverReport, _ units: ReportUnits, _ zone: PageZone, _ number: Int,
    to page: inout Markup, _ write: (TextBuffer) throws(Failure) -> Void
  ) throws(Failure) {
    var isOpen = false
    func open(_ page: inout Markup) {
      guard !isOpen else { return }
      page.add("<details class=\"fold\"><summary>Reception and accuracy</summary>\n")
      page.add("<div class=\"figures\">\n")
      isOpen = true
    }
    try forEachFigureOfReception(of: receiver, units, zone) { figure throws(Failure) in
      guard let figure else { return }
      open(&page)
      figure.add(to: &page, receiver: number)
      try write(page.buffer)
      page.buffer.removeAll()
    }
    if let card = AccuracyCard(of: receiver, units) {
      open(&page)
      card.add(to: &page)
    }
    if isOpen { page.add("</div></details>\n") }
  }

  private static func add(notes: [String], to page: inout Markup) {
    for note in notes { page.add(element: "p", "class=\"note\"", text: note) }
  }

  /// Adds a table of the longest of `count` entries, unless it is empty.
  private static func add(
    _ title: String, _ longest: Table, of count: Int, to page: inout Markup
  ) {
    guard !longest.rows.isEmpty else { return }
    page.add(element: "h3", text: title)
    longest.add(to: &page)
    let rest = count - longest.rows.count
    if rest > 0 { page.add(element: "p", "class=\"note\"", text: "and \(rest) shorter ones") }
  }

  /// Adds the path and the driver of the only receiver, which are not in the page's title.
  private static func addName(of receiver: ReceiverReport, to page: inout Markup) {
    guard receiver.device != nil || receiver.driver != nil else { return }
    page.add("<p class=\"note\">")
    page.add(received: receiver.device ?? "the receiver")
    addDriver(of: receiver, to: &page)
    page.add("</p>")
  }

  private static func addDriver(of receiver: ReceiverReport, to page: inout Markup) {
    guard let driver = receiver.driver else { return }
    page.add(" (")
    page.add(received: driver)
    page.add(")")
  }

  /// Adds tables of days, legs and stops.
  private static func addTrips(
    of receiver: ReceiverReport, _ units: ReportUnits, _ zone: PageZone, to page: inout Markup
  ) {
    let days = TripText.days(of: receiver, units)
    if !days.isEmpty {
      page.add("<h3>Days</h3>")
      let header = zone == .utc ? TripText.dayHeader : ["day, UTC"] + TripText.dayHeader.dropFirst()
      Table(header: header, rows: days, isInRows: true).add(to: &page)
    }
    // The head and the numbers of the page say enough of a receiver that made one stop and nothing else.
    let isOneStop = receiver.stopCount == 1 && receiver.legCount + receiver.gapCount == 0
    if isOneStop, receiver.scatter != nil, receiver.stops.first?.climbs == false { return }
    page.add("<h3>Legs and stops</h3>")
    Table(
      header: TripText.header, rows: TripText.rows(of: receiver, units, in: zone), isInRows: true
    )
    .add(to: &page)
    let rest = TripText.rest(of: receiver)
    if rest > 0 { page.add(element: "p", "class=\"note\"", text: "and \(rest) more") }
  }

  /// The smallest extent of positions that is drawn as a track, in metres, and the lowest speed that is not
  /// noise, in metres per second.
  private static let (leastWay, leastSpeed) = (25.0, 1.0)

  /// Draws one figure after another.
  private static func forEachFigure<Failure>(
    of receiver: ReceiverReport, _ units: ReportUnits, _ zone: PageZone,
    _ add: (Figure?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let figures = receiver.figures else { return }
    let (columns, scatter) = (figures.columns, receiver.scatter)
    let time = timeAxis(of: receiver, in: zone)
    if receiver.hasMoved {
      try add(.profile(figures, receiver.trips, units))
      try add(.times(figures, time, units))
      return try add(.timeline(of: receiver, figures, in: zone))
    }
    try add(.timeline(of: receiver, figures, in: zone))
    try add(.obstructions(figures))
    try add(.sky(figures))
    try addScatter(of: receiver, figures, time, units, add)
    try add(.signals(columns, time))
    if scatter != nil { try add(accuracy(of: receiver, figures, time, units)) }
    try addTiming(of: receiver, figures, time, add)
    // A receiver at rest has neither track nor speed; the scatter shows its positions.
    guard let scatter, receiver.hasScatter else { return }
    let hasWay = scatter.reach >= leastWay
    let top = columns.extents(of: .speed)?.bounds?.upperBound ?? 0
    if hasWay { try add(.track(figures, receiver, units)) }
    if hasWay || top >= leastSpeed { try add(.times(figures, time, units)) }
  }

  /// Draws the scatter of positions and heights, if there are enough of them.
  private static func addScatter<Failure>(
    of receiver: ReceiverReport, _ figures: ReceiverFigures, _ time: TimeAxis, _ units: ReportUnits,
    _ add: (Figure?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let scatter = receiver.scatter, let positions = figures.positions, receiver.hasScatter
    else { return }
    try add(.scatter(scatter, positions, units))
    try add(.heights(scatter, positions, figures.columns, time, units))
  }

  /// Draws the reception and accuracy of a receiver that moved, one figure after another.
  private static func forEachFigureOfReception<Failure>(
    of receiver: ReceiverReport, _ units: ReportUnits, _ zone: PageZone,
    _ add: (Figure?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let figures = receiver.figures else { return }
    let time = timeAxis(of: receiver, in: zone)
    try add(.obstructions(figures))
    try add(.sky(figures))
    try add(.signals(figures.columns, time))
    try addScatter(of: receiver, figures, time, units, add)
    try add(accuracy(of: receiver, figures, time, units))
    try addTiming(of: receiver, figures, time, add)
  }

  /// Draws the claimed errors, and the observed ones if the positions scatter. A position that is repeated
  /// has no error that could be observed.
  private static func accuracy(
    of receiver: ReceiverReport, _ figures: ReceiverFigures, _ time: TimeAxis, _ units: ReportUnits
  ) -> Figure? {
    let hasScatter = receiver.hasScatter
    return .accuracy(
      hasScatter ? receiver.scatter : nil, hasScatter ? figures.positions : nil, figures.columns,
      time, units)
  }

  private static func addTiming<Failure>(
    of receiver: ReceiverReport, _ figures: ReceiverFigures, _ time: TimeAxis,
    _ add: (Figure?) throws(Failure) -> Void
  ) throws(Failure) {
    guard let timing = receiver.timing else { return }
    try add(.serialTime(figures, timing, time))
    try add(.pulses(figures, timing, time))
  }

  private static func timeAxis(of receiver: ReceiverReport, in zone: PageZone) -> TimeAxis {
    TimeAxis(
      length: receiver.span.inSeconds, beginning: receiver.from, in: zone, from: Panel.left,
      to: Panel.right)
  }

  private static func numbers(of receiver: ReceiverReport, _ units: ReportUnits) -> Table {
    var rows = [
      ["observed", ReportText.people(receiver.observed)], ["fixes", "\(receiver.fixCount)"],
      ["fixes in 3D", "\(receiver.fix3DCount)"],
    ]
    // For an observation of a few minutes, hundredths of a percent have no meaning.
    let places = receiver.observed < .seconds(3600) ? 1 : 2
    func percent(_ share: Double) -> String { "\(Text.rounded(share * 100, places: places)) %" }
    if let share = receiver.availability { rows.append(["with a fix", percent(share)]) }
    if let share = receiver.availability3D { rows.append(["with a fix in 3D", percent(share)]) }
    if let first = receiver.firstFix { rows.append(["first fix after", ReportText.people(first)]) }
    if let scatter = receiver.scatter, scatter.isOfStops {
      rows.append(["fixes in stops", "\(scatter.positionCount)"])
    } else if let scatter = receiver.scatter {
      if scatter.positionCount < receiver.fixCount {
        rows.append(["fixes that count, evenly thinned", "\(scatter.positionCount)"])
      }
      rows.append(["mean position", ReportText.place(scatter.center)])
      if let height = scatter.centerHeight {
        rows.append([
          "mean height above "
            + (scatter.heightDatum == .ellipsoid ? "the ellipsoid" : "mean sea level"),
          units.height(height),
        ])
      }
    }
    if let corrections = ReportText.corrections(of: receiver) {
      rows.append(["corrections", corrections])
    }
    rows.append(["reconnects", "\(receiver.reconnectCount)"])
    for (name, spread) in [("interval", receiver.interval), ("age", receiver.age)] {
      guard let spread else { continue }
      let median = "\(Text.rounded(spread.median.inSeconds, places: 3)) s"
      // If both are equal, one is enough.
      let p99 = spread.p99.map { "\(Text.rounded($0.inSeconds, places: 3)) s" }
        .flatMap { $0 == median ? nil : $0 }
      rows.append([
        "\(name): median" + (p99 == nil ? "" : ", 99th percentile"),
        median + (p99.map { ", \($0)" } ?? ""),
      ])
    }
    return Table(header: [], rows: rows)
  }

  private static func outages(of receiver: ReceiverReport, _ zone: PageZone) -> Table {
    Table(
      header: ["from", "length", "reason", "last position", "satellites used", "strongest, dBHz"],
      rows: receiver.outages.map { outage in
        [
          outage.from.map(zone.text) ?? "–", ReportText.people(outage.duration),
          outage.reason,
          outage.position.map(ReportText.place) ?? "–",
          outage.satellitesUsed.map(String.init) ?? "–",
          outage.strongestSignal.map { Text.rounded($0, places: 1) } ?? "–",
        ]
      }, isInRows: true)
  }

  private static func doubts(of receiver: ReceiverReport, _ zone: PageZone) -> Table {
    Table(
      header: ["from", "length", "doubt", "what was seen"],
      rows: receiver.doubts.map { doubt in
        [
          doubt.from.map(zone.text) ?? "–", ReportText.people(doubt.duration),
          doubt.doubt.rawValue, doubt.detail ?? "–",
        ]
      }, isInRows: true)
  }
}
