import LocationCore
package import LocationText

/// A report for people: for each receiver a sentence, its figures, its legs and stops, and its outages.
package enum ReportText {
  package static func text(
    of sources: [SourceReport], units: ReportUnits = .metric
  ) -> TextBuffer {
    var text = TextBuffer()
    for source in sources {
      let receivers = source.report.receivers
      if receivers.isEmpty {
        if text.count > 0 { text.append(text: "\n") }
        text.append(visible: nothing(of: source, among: sources))
        text.append(text: "\n")
      }
      for receiver in receivers {
        if text.count > 0 { text.append(text: "\n") }
        text.append(visible: receiver.title(of: source, among: sources))
        append(receiver, source.report.criteria, units, to: &text)
      }
    }
    return text
  }

  /// The sentence about a source without a receiver.
  static func nothing(of source: SourceReport, among sources: [SourceReport]) -> String {
    guard sources.count > 1, let name = source.name else { return "No receiver reported." }
    return "\(name): no receiver reported."
  }

  private static func append(
    _ receiver: ReceiverReport, _ criteria: FixCriteria, _ units: ReportUnits,
    to text: inout TextBuffer
  ) {
    if let driver = receiver.driver { text.append(visible: " (\(driver))") }
    text.append(text: "\n\n  \(sentence(about: receiver, units))\n")
    for note in notes(on: receiver, criteria, units) + timing(of: receiver) {
      text.append(text: "  \(note)\n")
    }
    text.append(text: figures(of: receiver, units))
    if receiver.hasTripTable { text.append(text: trips(of: receiver, units)) }
    text.append(text: states(of: receiver))
    if let corrections = corrections(of: receiver) {
      text.append(text: "\n  corrections \(corrections)\n")
    }
    text.append(text: outageList(of: receiver))
    append(doubtsOf: receiver, to: &text)
  }

  /// The most important sentence about a receiver.
  static func sentence(
    about receiver: ReceiverReport, _ units: ReportUnits = .metric
  ) -> String {
    if receiver.hasMoved { return TripText.sentence(about: receiver, units) }
    let countsNone = receiver.fixCount == 0
    if receiver.hadNoFix {
      let time = receiver.availability == nil ? "" : " in \(people(receiver.observed))"
      return "There was no fix\(time)\(reason(receiver.figures?.columns))."
    }
    var parts = [spread(of: receiver, units)]
    if let availability = receiver.availability {
      let percent = Text.rounded(availability * 100, places: 1)
      let subject = countsNone ? "the receiver had " : ""
      parts.append("\(subject)a fix for \(percent) % of \(people(receiver.observed))")
    }
    if let first = receiver.firstFix { parts.append("first fix after \(people(first))") }
    parts.append(outages(of: receiver))
    return parts.joined(separator: "; ") + "."
  }

  /// The sentences after the one about a receiver.
  static func notes(
    on receiver: ReceiverReport, _ criteria: FixCriteria, _ units: ReportUnits
  ) -> [String] {
    var notes: [String] = []
    if receiver.notRecorded > .zero {
      notes.append("Not recorded: \(people(receiver.notRecorded)).")
    }
    if receiver.hasMoved, let rest = TripText.rest(of: receiver, units) { notes.append(rest) }
    if let sentence = given(of: receiver) { notes.append(sentence) }
    if let sentence = doubts(of: receiver) { notes.append(sentence) }
    if let sentence = ReportCriteria.sentence(about: receiver, criteria) { notes.append(sentence) }
    if let sentence = eras(of: receiver) { notes.append(sentence) }
    return notes
  }

  /// The sentences about the clock, according to the receiver's times.
  static func timing(of receiver: ReceiverReport) -> [String] {
    receiver.timing.map(TimingText.sentences) ?? []
  }

  /// How many outages there were, and how long they lasted.
  static func outages(of receiver: ReceiverReport) -> String {
    let longest = receiver.outages.map(\.duration).max()
    return switch (receiver.outageCount, longest) {
    case (0, _), (_, nil): "no outage"
    case (1, let longest?): "1 outage of \(people(longest))"
    case (let count, let longest?): "\(count) outages, the longest \(people(longest))"
    }
  }

  /// The sentence about dates that are off by 1,024 weeks, or belong to several eras; `nil` if there are
  /// none.
  static func eras(of receiver: ReceiverReport) -> String? {
    guard receiver.eras.count > 1 else {
      return receiver.eras.first?.rollover.map {
        "The dates are \(Text.weeks(ofRollover: $0)); positions are not affected."
      }
    }
    let eras = receiver.eras.map { era in
      let (from, to) = (era.from.date, era.to.date)
      let wrong = era.rollover.map { ", \(Text.weeks(ofRollover: $0))" } ?? ""
      return "\(from == to ? from : "\(from) to \(to)") (\(era.count)\(wrong))"
    }
    return "The dates belong to different eras: \(Text.list(eras)). "
      + "The receiver did not know the date for a while, or miscounted the weeks."
  }

  /// The sentence about positions that were not measured; `nil` if all were.
  private static func given(of receiver: ReceiverReport) -> String? {
    let parts = [
      receiver.surveyed > 0
        ? "\(receiver.surveyed) of \(receiver.fixCount) fixes are the surveyed position that a timing receiver repeats"
        : nil,
      receiver.simulated > 0
        ? "\(receiver.simulated) of \(receiver.fixCount) fixes are simulated" : nil,
    ].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: "; ") + "."
  }

  /// How long positions were doubted, and why; `nil` if they never were.
  private static func doubts(of receiver: ReceiverReport) -> String? {
    guard receiver.doubtCount > 0 else { return nil }
    let reasons = Set(receiver.doubts.map(\.doubt))
    let names = Doubt.allCases.filter(reasons.contains).map(\.rawValue)
    return "Positions were doubted for \(people(receiver.doubted)): \(Text.list(names))."
  }

  /// Why there was no fix, after a colon; empty if the reason is unknown.
  private static func reason(_ columns: FigureColumns?) -> String {
    guard let columns, let seen = columns.extents(of: .seen)?.bounds?.upperBound else { return "" }
    if seen == 0 { return ": no satellite was in view" }
    guard let signal = columns.extents(of: .strongestSignal)?.bounds?.upperBound else { return "" }
    guard signal > 0 else { return ": no satellite had a signal. Check the antenna" }
    return signal < 30
      ? ": the strongest signal had \(Text.rounded(signal, places: 0)) dBHz, which is too weak"
      : ": the strongest signal had \(Text.rounded(signal, places: 0)) dBHz"
  }

  /// How widely the fixes scatter, if there are enough of them.
  private static func spread(of receiver: ReceiverReport, _ units: ReportUnits) -> String {
    let countsAll = receiver.leftOutFixCount == 0
    guard let scatter = receiver.scatter else {
      if receiver.surveyed > 0 { return "The position is a surveyed one, which does not scatter" }
      return countsAll ? "There was no fix" : "No fix counts"
    }
    let centre = scatter.isAboutReference ? "the reference" : "their mean"
    if scatter.positionCount > 1, let drms = scatter.drms, drms < Scatter.leastShown {
      let fixes = countsAll ? "All fixes" : "All fixes that count"
      return "\(fixes) have \(scatter.isAboutReference ? "the reference's" : "the same") position"
    }
    if let cep50 = scatter.cep50 {
      let fixes = countsAll ? "all fixes" : "the fixes that count"
      let half = "Half of \(fixes) lie within \(units.length(cep50)) of \(centre)"
      return scatter.r95.map { "\(half), 95 % within \(units.length($0))" } ?? half
    }
    let one = countsAll ? "There was one fix" : "One fix counts"
    return scatter.drms.map { "\(one), \(units.length($0)) from \(centre)" } ?? one
  }

  /// The number of fixes, and how widely they scatter; empty without any.
  static func figures(of receiver: ReceiverReport, _ units: ReportUnits) -> String {
    guard receiver.fixCount > 0 else { return "" }
    var lines = [
      "",
      "  \(receiver.fixCount) \(receiver.fixCount == 1 ? "fix" : "fixes"), \(receiver.fix3DCount) in 3D"
        + (receiver.hasMoved ? "" : receiver.scatter.map { centre(of: $0, units) } ?? ""),
    ]
    if let scatter = receiver.scatter {
      if scatter.isOfStops {
        lines.append("  The figures are made of the \(scatter.positionCount) in the stops.")
      } else if scatter.positionCount < receiver.fixCount {
        lines.append("  The figures are made of \(scatter.positionCount) of them, evenly thinned.")
      }
      lines.append("")
      let table = table(of: scatter, units)
      if !table.rows.isEmpty {
        lines.append(row(table.unit, "samples", "normal distribution"))
      }
      for cells in table.rows { lines.append(row(cells[0], cells[1], cells[2])) }
    }
    if let interval = receiver.interval {
      lines += ["", "  \(spread("interval", interval))"]
    }
    if let age = receiver.age { lines.append("  \(spread("age", age))") }
    return lines.map { "\($0)\n" }.joined()
  }

  private static func centre(of scatter: Scatter, _ units: ReportUnits) -> String {
    ", about \(place(scatter.center))"
      + (scatter.centerHeight.map {
        ", \(scatter.heightDatum?.rawValue ?? "") \(units.height($0))"
      } ?? "")
  }

  /// The names of the measures, their values, and the values for a normal distribution, in the unit that
  /// suits the largest value.
  static func table(
    of scatter: Scatter, _ units: ReportUnits = .metric
  ) -> (unit: String, rows: [[String]]) {
    let normals = Dictionary(
      uniqueKeysWithValues: (scatter.gaussian?.figures ?? []).map { ($0, $1) })
    let values = scatter.figures.compactMap(\.value) + normals.values.compactMap(\.self)
    let unit = units.unit(of: values.max() ?? 1)
    let places = unit.metres < 0.1 ? 1 : 3
    func text(_ length: Double) -> String { unit.text(length, places: places) }
    let rows = scatter.figures.compactMap { name, value -> [String]? in
      let normal = normals[name].flatMap(\.self)
      guard value != nil || normal != nil else { return nil }
      return [name.uppercased(), value.map(text) ?? "–", normal.map(text) ?? ""]
    }
    guard let ellipse = scatter.ellipse else { return (unit.name, rows) }
    return (
      unit.name,
      rows + [
        [
          "ellipse", "",
          "\(text(ellipse.major)) by \(text(ellipse.minor)) "
            + "at \(Text.rounded(ellipse.roundedAzimuth, places: 1))°",
        ]
      ]
    )
  }

  /// The daily sums, and the legs and stops, as tables.
  private static func trips(of receiver: ReceiverReport, _ units: ReportUnits) -> String {
    let days = TripText.days(of: receiver, units)
    let rest = TripText.rest(of: receiver)
    return (days.isEmpty ? "" : table([TripText.dayHeader] + days))
      + table([TripText.header] + TripText.rows(of: receiver, units))
      + (rest > 0 ? "  and \(rest) more\n" : "")
  }

  /// Aligns columns. Each is as wide as its widest text.
  private static func table(_ rows: [[String]]) -> String {
    var widths = Array(repeating: 0, count: rows[0].count)
    for row in rows {
      for (column, cell) in row.enumerated() {
        widths[column] = max(widths[column], cell.count + 2)
      }
    }
    let lines = rows.map { cells in
      let columns = zip(cells.dropLast(), widths).map { $0.column($1) } + cells.suffix(1)
      return "  \(columns.joined())\n"
    }
    return "\n" + lines.joined()
  }

  private static func states(of receiver: ReceiverReport) -> String {
    let states = LocationState.allCases.compactMap { state in
      receiver.states[state].map { "  \(state.rawValue.column(12))\(people($0))\n" }
    }
    return states.isEmpty ? "" : "\n" + states.joined()
  }

  /// How long corrections were received, and for which fraction of the time; `nil` if none were reported.
  static func corrections(of receiver: ReceiverReport) -> String? {
    receiver.corrections.map { time in
      let share = receiver.correctionsShare.map { ", \(Text.rounded($0 * 100, places: 1)) %" } ?? ""
      return people(time) + share
    }
  }

  private static func outageList(of receiver: ReceiverReport) -> String {
    guard !receiver.outages.isEmpty else { return "" }
    let lines = receiver.outages.map { outage in
      let from = outage.from?.description ?? "-"
      let position = outage.position.map { " after \(place($0))" } ?? ""
      return
        "  \(from.column(26))\(people(outage.duration).column(14))\(outage.reason)\(position)\n"
    }
    return "\n" + lines.joined() + shorter(receiver.outageCount - receiver.outages.count)
  }

  private static func append(doubtsOf receiver: ReceiverReport, to text: inout TextBuffer) {
    guard !receiver.doubts.isEmpty else { return }
    text.append(text: "\n")
    for time in receiver.doubts {
      let from = time.from?.description ?? "-"
      text.append(text: "  \(from.column(26))\(people(time.duration).column(14))")
      text.append(text: "doubt: \(time.doubt.rawValue)")
      if let detail = time.detail {
        text.append(text: ", ")
        text.append(visible: detail)
      }
      text.append(text: "\n")
    }
    text.append(text: shorter(receiver.doubtCount - receiver.doubts.count))
  }

  /// The last line of a list from which the shortest entries are left out; empty if none are.
  private static func shorter(_ rest: Int) -> String {
    rest > 0 ? "  and \(rest) shorter ones\n" : ""
  }

  private static func spread(_ name: String, _ spread: ReceiverReport.Spread) -> String {
    "\(name): median \(Text.rounded(spread.median.inSeconds, places: 3)) s"
      + (spread.p99.map { ", 99 % within \(Text.rounded($0.inSeconds, places: 3)) s" } ?? "")
  }

  private static func row(_ name: String, _ samples: String, _ normal: String) -> String {
    "  \(name.column(10))\(normal.isEmpty ? samples : samples.column(12))\(normal)"
  }

  static func place(_ coordinate: Coordinate) -> String {
    "\(Text.rounded(coordinate.latitude, places: 7)), "
      + "\(Text.rounded(coordinate.longitude, places: 7))"
  }

  /// `31 s`, `1 min 12 s`, `6 h 05 min`.
  static func people(_ duration: Duration) -> String { people(seconds: duration.inSeconds) }

  static func people(seconds: Double) -> String {
    let seconds = Int(seconds.rounded())
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return switch seconds {
    case ..<60: "\(seconds) s"
    case ..<3600 where seconds % 60 == 0: "\(seconds / 60) min"
    case ..<3600: "\(seconds / 60) min \(two(seconds % 60)) s"
    case _ where seconds / 60 % 60 == 0: "\(seconds / 3600) h"
    default: "\(seconds / 3600) h \(two(seconds / 60 % 60)) min"
    }
  }
}

extension Timestamp {
  /// `2006-04-09`
  fileprivate var date: String { String(description.prefix(10)) }
}

extension String {
  /// The text, padded to the width of a column, with at least one space after it.
  fileprivate func column(_ width: Int) -> String { "\(self) ".padded(to: width) }
}
